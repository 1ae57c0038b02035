/** The formats that structural schemas may use. Servers ignore any other format. */
import { nameFormat } from '../objects/names/names.js';
import type { Release } from '../objects/release.js';
import { parseWordedDuration } from '../objects/scan/duration.js';
import { isCreditCard, isDate, isDateTime, isIsbn10, isIsbn13 } from './number-formats.js';
import { isCidr, isHostname, isIPv4, isIPv6, isRequestUri } from './uri.js';

/** The formats added after release 1.27. A schema without a release has all of them. */
export interface LaterFormats {
  /** `k8s-short-name` and `k8s-long-name`. */
  readonly names: boolean;
  /** `int32`, `int64`, `float` and `double` of numbers. */
  readonly numbers: boolean;
}

export const allFormats: LaterFormats = { names: true, numbers: true };

/** Returns the later formats of a release; all if there is none. */
export const formatsOf = (release: Pick<Release, 'does'> | undefined): LaterFormats =>
  release === undefined ? allFormats : { names: release.does('nameFormats'), numbers: release.does('numberFormats') };

type FormatCheck = (text: string) => boolean;

/** Makes a format from the rules of a name. */
const naming =
  (id: string): FormatCheck =>
  (text) =>
    nameFormat(id)?.(text).length === 0;

/** Makes a format from one expression. Expressions have no nested repeats, so all take linear time. */
const matching =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

/** ASCII blanks. Other blanks count as ordinary characters. */
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
  k8slongname: naming('dns-1123-subdomain'),
  k8sshortname: naming('dns-1123-label'),
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

const formatsOfNames: ReadonlySet<string> = new Set(['k8slongname', 'k8sshortname']);

/** The formats of each type of numbers. */
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Returns whether a format of texts is known. Ignores dashes in its name (`date-time`, `datetime`). */
export function isKnownFormat(format: string, { names } = allFormats): boolean {
  const key = format.replaceAll('-', '');
  return Object.hasOwn(formats, key) && (names || !formatsOfNames.has(key));
}

/** Returns the format of a schema if values of its type must match it. */
export function checkedFormat(
  { type = 'string', format = '' }: { readonly type?: string; readonly format?: string },
  later = allFormats,
): string | undefined {
  const isText = type === 'string' || type === '';
  const isKnown = isText
    ? isKnownFormat(format, later)
    : later.numbers && Object.hasOwn(numberFormats, type) && numberFormats[type]?.includes(format);
  return isKnown ? format : undefined;
}

/** A format of a schema. */
export interface StringFormat {
  /** As written in the schema. */
  readonly name: string;
  readonly matches: (text: string) => boolean;
}

/** Returns the format with this name. An unknown format matches every text. */
export function stringFormat(name: string): StringFormat {
  const key = name.replaceAll('-', '');
  return { name, matches: (Object.hasOwn(formats, key) ? formats[key] : undefined) ?? (() => true) };
}

// Mail addresses of RFC 5322, alone or with a name: `a@example.com`, `A B <a@example.com>`. As in the reference, the domain
// cannot be an IP address in brackets.

const atomChars = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10FFFF}]";
const dotAtom = new RegExp(`^${atomChars}+(?:\\.${atomChars}+)*$`, 'u');
const phraseWord = new RegExp(`(?:"(?:[^"\\\\]|\\\\.)*"|(?:${atomChars}|\\.)+)\\s*`, 'suy');
const quoted = /^"(?:[^"\\\r\n]|\\[^\r\n])*"$/u;

/** The longest text to check: 64 characters before the at-sign, 255 after it, and a name. */
const maxLength = 1024;

/** Returns whether a text is one mail address. */
function isEmail(text: string): boolean {
  if (text.length > maxLength) return false;
  const bare = withoutComments(text.trim());
  if (bare === undefined) return false;
  const named = /^(.*?)<([^<>]*)>$/su.exec(bare.trim());
  if (named === null) return isAddress(bare.trim());
  return isPhrase((named[1] ?? '').trim()) && isAddress((named[2] ?? '').trim());
}

/** Removes comments in parentheses outside quotes. Returns `undefined` if a comment is not closed. */
function withoutComments(text: string): string | undefined {
  let kept = '';
  let depth = 0;
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') {
      if (depth === 0) kept += text.slice(i, i + 2);
      i++;
      continue;
    }
    if (char === '"' && depth === 0) inQuotes = !inQuotes;
    if (!inQuotes && char === '(') depth++;
    if (depth === 0) kept += char;
    if (!inQuotes && char === ')' && depth-- === 0) return undefined;
  }
  return depth === 0 ? kept : undefined;
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (dotAtom.test(local) || quoted.test(local)) && dotAtom.test(domain);
}

/**
 * Returns whether a text can be the name before an address in angle brackets: words and quoted texts, or an empty text.
 */
function isPhrase(text: string): boolean {
  phraseWord.lastIndex = 0;
  while (phraseWord.lastIndex < text.length) if (!phraseWord.test(text)) return false;
  return true;
}
