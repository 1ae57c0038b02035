/** A text that stands for a value, so that equal values can be found in linear time. */
import { recursionLevels, writeJson } from '../../objects/from-below.js';
import { byCodePoint } from '../../objects/printing.js';
import type { Value } from './value.js';

/** Texts of two values are the same exactly if the values are equal; order of keys does not count. */
export function identity(value: Value): string {
  if (typeof value === 'string') return `"${value}`;
  if (value === undefined || value === null || typeof value !== 'object') return String(value ?? null);
  return textAt(value, 0);
}

function textAt(value: Value, level: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined || value === null || typeof value !== 'object') return String(value ?? null);
  if (level === recursionLevels) return writeJson(value, { order: byCodePoint });
  if (Array.isArray(value)) return `[${value.map((item) => textAt(item, level + 1)).join(',')}]`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textAt(value[key], level + 1)}`)
    .join(',')}}`;
}
