/** The one JSON text of a value: members sorted, no spaces, and escapes as the FieldsV1 format has them. */

import type { JsonValue } from '../../contract/index.js';
import { recursionLevels } from '../../objects/depth/levels.js';
import { writeJson } from '../../objects/depth/write-json.js';
import { byCodePoint } from '../../objects/printing.js';

/** Characters that JSON.stringify leaves alone or writes short, and this format escapes in full. */
const UNUSUAL = /[<>&\u2028\u2029\b\f]/;
const ALL_UNUSUAL = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

/** The canonical text of a value. */
export const canonicalJson = (value: JsonValue): string => textAt(value, 0);

function textAt(value: JsonValue, level: number): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (level === recursionLevels) return escapeAll(writeJson(value, { order: byCodePoint }));
  if (Array.isArray(value)) return `[${value.map((item) => textAt(item, level + 1)).join(',')}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names
    .sort(byCodePoint)
    .map((name) => `${canonicalString(name)}:${textAt(value[name] ?? null, level + 1)}`);
  return `{${members.join(',')}}`;
}

/** Text that has nothing to escape: printable ASCII but quotes, backslashes and what `UNUSUAL` has. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** The canonical text of a string. The usual one takes half the time of JSON.stringify. */
export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return UNUSUAL.test(text) ? escapeAll(json) : json;
}

/** All that is unusual in JSON is in its strings. */
const escapeAll = (json: string): string => json.replace(ALL_UNUSUAL, escapeMatch);

function escapeMatch(match: string): string {
  if (match === '\\\\') return match;
  if (match === '\\b') return '\\u0008';
  if (match === '\\f') return '\\u000c';
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
