/** Bounds of what one call may make. */
import { fail } from '../values/error.js';

/** The longest text, in UTF-16 units. */
const maxText = 16 * 1024 * 1024;

/** Refuses a text of a length that would take too much memory. */
export function textLimit(length: number): void {
  if (length > maxText) fail(`text of ${length} characters is too long`);
}
