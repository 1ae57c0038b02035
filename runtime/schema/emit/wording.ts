/** The words of a typed kind's errors: those that a definition gives, or the usual ones. */
import type { CauseReason, Schema } from '../../contract/index.js';
import { quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';

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

/** The words of a definition for a keyword. */
export function wordsFor(schema: Schema, keyword: string): string | undefined {
  const messages = schema['x-kindforge-messages'];
  return messages !== undefined && Object.hasOwn(messages, keyword) ? messages[keyword] : undefined;
}

/**
 * A statement that reports an error. Words that begin like a whole message (`Forbidden: …`, `Too long: …`) are all of
 * it and say what kind of error it is; others are the detail of an invalid value.
 */
export function report(code: ModuleCode, path: string, value: string, words: string): string {
  const reason = beginnings.find(([beginning]) => words === beginning || words.startsWith(`${beginning}: `))?.[1];
  if (reason === undefined) return `errors.push(${code.use('invalidValue')}(${path}, ${value}, ${quoted(words)}));`;
  return `errors.push({ reason: ${quoted(reason)}, field: ${path}, message: ${quoted(words)} });`;
}
