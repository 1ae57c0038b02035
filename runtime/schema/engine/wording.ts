/** The words of a typed kind's errors: those that a definition gives, or the usual ones. */
import type { CauseReason, FieldError, Schema } from '../../contract/index.js';
import { type BadValue, invalidValue } from '../../objects/field-error.js';

/** How the messages of each kind of error begin. */
const beginnings: readonly (readonly [beginning: string, reason: CauseReason])[] = [
  ['Required value', 'FieldValueRequired'],
  ['Invalid value', 'FieldValueInvalid'],
  ['Unsupported value', 'FieldValueNotSupported'],
  ['Duplicate value', 'FieldValueDuplicate'],
  ['Forbidden', 'FieldValueForbidden'],
  ['Too long', 'FieldValueTooLong'],
  ['Too many', 'FieldValueTooMany'],
];

/** Returns the words of a definition for a keyword. */
export function wordsFor(schema: Schema, keyword: string): string | undefined {
  const messages = schema['x-kindforge-messages'];
  return messages !== undefined && Object.hasOwn(messages, keyword) ? messages[keyword] : undefined;
}

/**
 * Makes an error of words. Words that begin like a whole message (`Forbidden: …`, `Too long: …`) are all of it and say
 * what kind of error it is; others are the detail of an invalid value.
 */
export function worded(path: string, value: BadValue, words: string): FieldError {
  const reason = beginnings.find(([beginning]) => words === beginning || words.startsWith(`${beginning}: `))?.[1];
  return reason === undefined ? invalidValue(path, value, words) : { reason, field: path, message: words };
}
