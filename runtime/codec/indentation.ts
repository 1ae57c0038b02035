/** Computes the length that indentation adds to a value. It can make a deep value a thousand times as long. */
import type { JsonValue } from '../contract/index.js';
import { indentedLevels } from '../objects/from-below.js';

/** The most characters of indentation in a document. Encoders write a longer document in one line. */
export const longestIndented = 128 * 1024 * 1024;

const deepestIndent = 2 * indentedLevels;

/**
 * Counts the line breaks and blanks in a value that is indented by two. Stops at `most`. Returns infinity for a value
 * that nests deeper than 1,000 levels.
 */
export function indentationOf(value: JsonValue, most: number = Number.POSITIVE_INFINITY, indent = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (indent >= deepestIndent) return Number.POSITIVE_INFINITY;
  let lines = 0;
  let sum = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object') sum += indentationOf(item, most - sum, indent + 2);
      if (sum > most) return sum;
    }
    lines = value.length;
  } else {
    for (const key in value) {
      const child = value[key];
      if (child === undefined) continue;
      lines++;
      if (typeof child === 'object') sum += indentationOf(child, most - sum, indent + 2);
      if (sum > most) return sum;
    }
  }
  return lines === 0 ? sum : sum + lines * (indent + 3) + indent + 1;
}
