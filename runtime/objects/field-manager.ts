/** The rules for names of field managers. */
import type { FieldError } from '../contract/index.js';
import { invalidValue, tooLong } from './field-error.js';
import { byteLength } from './printing.js';

/** The most bytes that the name of a field manager may have. */
export const maxManagerBytes = 128;

/** Letters, marks, numbers, punctuation, symbols and the plain space. */
export const isPrintable = (character: string): boolean =>
  character === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character);

/** Whether a manager has the name of nearly all: ASCII that can be printed, and not too long. */
export const isPlainManager = (manager: string): boolean => /^[ -~]{0,128}$/.test(manager);

/** Everything that is wrong with a manager's name: its length, and each character that cannot be printed. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  if (isPlainManager(manager)) return [];
  const errors = byteLength(manager) > maxManagerBytes ? [tooLong(field, maxManagerBytes)] : [];
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}
