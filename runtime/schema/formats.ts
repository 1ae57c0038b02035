/** The string formats that structural schemas can ask for; any other format is ignored. */
import { parseWordedDuration } from '../objects/scan/duration.js';
import { isEmail } from './email.js';
import { isCreditCard, isDate, isDateTime, isIsbn10, isIsbn13 } from './number-formats.js';
import { isCidr, isHostname, isIPv4, isIPv6, isRequestUri } from './uri.js';

type FormatCheck = (text: string) => boolean;

/** Makes a format from one expression. Expressions have no nested repeats, so all take linear time. */
const matching =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

/** Blanks of ASCII; others are characters like any. */
const blanks = '[\\t\\n\\f\\r ]*';
const colorPart = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';

const formats: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  // Standard base64 (RFC 4648) with padding, of at least one byte.
  byte: (text) => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: (text) => parseWordedDuration(text) !== undefined,
  email: isEmail,
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: matching(
    /^(?:[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4}(?:(?:[0-9a-fA-F]{2}\1){2}|(?:[0-9a-fA-F]{2}\1){14})?[0-9a-fA-F]{2}|[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}|(?:\.[0-9a-fA-F]{4}){7})?)$/,
  ),
  password: () => true,
  rgbcolor: matching(
    new RegExp(
      `^rgb\\(${blanks}${colorPart}${blanks},${blanks}${colorPart}${blanks},${blanks}${colorPart}${blanks}\\)$`,
    ),
  ),
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  uri: isRequestUri,
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
};

/** Returns whether a format is known. Ignores dashes in its name (`date-time`, `datetime`). */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(formats, format.replaceAll('-', ''));
}

/** A format of a schema. */
export interface StringFormat {
  /** As written in the schema. */
  readonly name: string;
  readonly matches: (text: string) => boolean;
}

/** Returns the format of this name; an unknown one matches every text. */
export function stringFormat(name: string): StringFormat {
  const key = name.replaceAll('-', '');
  return { name, matches: (Object.hasOwn(formats, key) ? formats[key] : undefined) ?? (() => true) };
}
