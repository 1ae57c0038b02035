/** Bounds for the result of one call. */
import { maxListLength, maxTextLength } from '../check/range.js';
import { fail } from '../values/error.js';

/** Refuses a length that would take too much memory for a text. */
export function textLimit(length: number): void {
  if (length > maxTextLength) fail(`text of ${length} characters is too long`);
}

/** Refuses a length that would take too much memory for a list. */
export function listLimit(length: number): void {
  if (length > maxListLength) fail(`list of ${length} items is too long`);
}
