/** Bounds of what one call may make. */
import { maxListLength, maxTextLength } from '../check/range.js';
import { fail } from '../values/error.js';

/** Refuses a text of a length that would take too much memory. */
export function textLimit(length: number): void {
  if (length > maxTextLength) fail(`text of ${length} characters is too long`);
}

/** Refuses a list of a length that would take too much memory. */
export function listLimit(length: number): void {
  if (length > maxListLength) fail(`list of ${length} items is too long`);
}
