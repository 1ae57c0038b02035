/** The one JSON text of a value: members sorted, no spaces, and escapes as the FieldsV1 format has them. */

import type { JsonValue } from '../../contract/index.js';
import { byCodePoint } from '../../objects/printing.js';

/** Characters that JSON.stringify leaves alone or writes short, and this format escapes in full. */
const UNUSUAL = /[<>&\u2028\u2029\b\f]/;
const ALL_UNUSUAL = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

/** The canonical text of a value. Depth is bounded by the decoder. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names
    .sort(byCodePoint)
    .map((name) => `${canonicalString(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Text that has nothing to escape: printable ASCII but quotes, backslashes and what `UNUSUAL` has. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** The canonical text of a string. The usual one takes half the time of JSON.stringify. */
export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return UNUSUAL.test(text) ? json.replace(ALL_UNUSUAL, escapeMatch) : json;
}

function escapeMatch(match: string): string {
  if (match === '\\\\') return match;
  if (match === '\\b') return '\\u0008';
  if (match === '\\f') return '\\u000c';
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
