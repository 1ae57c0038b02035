/** Numbers with check digits: ISBN, credit cards. */

/** Dashes and ASCII blanks, which an ISBN may contain. */
const separators = /[\t\n\f\r -]/g;

/** Returns whether a text is an ISBN of ten digits; the last may be an X. Ignores dashes and blanks. */
export function isIsbn10(text: string): boolean {
  const digits = text.replace(separators, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * digitValue(digits.charAt(i));
  return sum % 11 === 0;
}

const digitValue = (digit: string): number => (digit === 'X' ? 10 : Number(digit));

/** Returns whether a text is an ISBN of thirteen digits. Ignores dashes and blanks. */
export function isIsbn13(text: string): boolean {
  const digits = text.replace(separators, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits.charAt(i));
  return (10 - (sum % 10)) % 10 === Number(digits.charAt(12));
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Returns whether a text is a credit card number of the usual issuers. Ignores characters other than digits. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  return cardNumber.test(digits) && luhn(digits);
}

/** Checks the digits by ISO/IEC 7812-1. */
function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const weighted = i % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (daysOfMonths[month - 1] ?? 0);
}

/** Returns whether a text is a `full-date` that exists in the calendar: `2006-01-02`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const day = Number(match[3]);
  return day >= 1 && day <= daysIn(Number(match[1]), Number(match[2]));
}

/**
 * Returns whether a text is a `date-time`. Accepts letters in any case, and fractions of any length after any
 * character, but no leap seconds. Checks only the form of the offset, and ignores the text after another T.
 */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}
