/** How a broken rule is reported: in which words, under which reason, at which field. */
import type { FieldError } from '../../contract/index.js';
import { duplicate, forbidden, invalidValue, required } from '../../objects/field-error.js';
import { childPath } from './field-path.js';
import type { PlacedRule } from './rule-tree.js';

/** The most UTF-8 bytes a message may have that an expression yields. */
const maxMessageBytes = 5 * 1024;

/** Returns the result of a message expression, if it is one line, not empty and not too long. */
export function usableMessage(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || /[\n\r]/.test(text) || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
}

/** The error of a rule that a value of the given type breaks; a duplicate has no words of its own. */
export function brokenRule({ reason, fieldPath }: PlacedRule, path: string, type: string, detail: string): FieldError {
  const field = reportedField(path, fieldPath) || '<nil>';
  switch (reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, type);
    default:
      return invalidValue(field, type, detail);
  }
}

function reportedField(path: string, below: string): string {
  if (below === '') return path;
  return below.startsWith('[') ? path + below : childPath(path, below);
}
