/** Values as kubectl shows them: in templates what has parts as JSON, in columns as Go prints it. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { writeJson } from '../../../runtime/objects/from-below.js';
import { byCodePoint, formatNumber } from '../../../runtime/objects/printing.js';

/** Texts as they are; lists and objects as JSON in one line, keys sorted, in which markup is escaped. */
export function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return scalarText(value, 'null');
  const code = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return writeJson(value, { order: byCodePoint }).replace(/[<>&\u2028\u2029]/g, code);
}

/** The same, with lists as `[a b]` and objects as `map[a:1 b:2]`. */
export function columnText(value: JsonValue): string {
  const written: string[] = [];
  // Values may nest deeper than the stack allows.
  const waiting: (string | { readonly value: JsonValue })[] = [{ value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') written.push(next);
    else for (const part of partsOf(next.value).reverse()) waiting.push(part);
  }
  return written.join('');
}

function partsOf(value: JsonValue): (string | { readonly value: JsonValue })[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [scalarText(value, '<nil>')];
  if (Array.isArray(value)) return ['[', ...value.flatMap((item, i) => [i === 0 ? '' : ' ', { value: item }]), ']'];
  const keys = Object.keys(value).sort(byCodePoint);
  const entries = keys.flatMap((key, i) => [`${i === 0 ? '' : ' '}${key}:`, { value: value[key] ?? null }]);
  return ['map[', ...entries, ']'];
}

const scalarText = (value: null | boolean | number | bigint, nothing: string): string =>
  value === null ? nothing : typeof value === 'boolean' ? String(value) : formatNumber(value);
