/** Paths that lead by names from an object to a value in it. */
import { invalidValue } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';

/** Errors of a path. */
export function* simplePathErrors(text: string, path: string): FieldErrors {
  if (!text.startsWith('.')) yield invalidValue(path, text, 'must be a simple json path starting with .');
}
