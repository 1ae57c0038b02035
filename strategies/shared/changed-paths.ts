/** Says where two values differ, for messages about changes that are not allowed. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { getOwn, isArray, isObject } from '../../runtime/objects/guards.js';
import { formatSource } from '../../runtime/objects/printing.js';

/** Differences, and characters of a value, that are shown; the message is for people. */
const maxLines = 40;
const maxValue = 400;

/** Each difference as the old value after a minus and the new one after a plus, with its path. */
export function changedPaths(value: JsonValue | undefined, old: JsonValue | undefined, path: string): string {
  const lines: string[] = [];
  collect(value, old, path, lines);
  return lines.map((line) => `${line}\n`).join('');
}

function collect(value: JsonValue | undefined, old: JsonValue | undefined, path: string, lines: string[]): void {
  if (lines.length >= maxLines || equal(value, old)) return;
  if (isObject(value) && isObject(old)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(value)])) {
      collect(getOwn(value, key), getOwn(old, key), `${path}.${key}`, lines);
    }
  } else if (isArray(value) && isArray(old)) {
    for (let i = 0; i < Math.max(value.length, old.length); i++) collect(value[i], old[i], `${path}[${i}]`, lines);
  } else {
    if (old !== undefined) lines.push(`- ${path}: ${shown(old)}`);
    if (value !== undefined) lines.push(`+ ${path}: ${shown(value)}`);
  }
}

function shown(value: JsonValue): string {
  const text = formatSource(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}
