/** Holds a schema against all that makes it structural. */
import type { FieldError } from '../../contract/index.js';
import { fieldErrorText } from '../../objects/field-error.js';
import { byCodePoint } from '../../objects/printing.js';
import { completenessErrors } from './completeness.js';
import { invariantErrors } from './invariants.js';
import type { WrittenSchema } from './reading.js';

/** Errors of the schema of a whole object, sorted by their text. `path` is that of the schema. */
export function structuralErrors(root: WrittenSchema, path: string): FieldError[] {
  const errors = [...invariantErrors(root, 'root', path), ...completenessErrors(root, path)];
  const worded = errors.map((error) => ({ error, text: fieldErrorText(error) }));
  return worded.sort((a, b) => byCodePoint(a.text, b.text)).map(({ error }) => error);
}
