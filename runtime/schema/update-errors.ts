/** Checks an update against the schema of its kind, as the server and `kindforge diff` do. */
import type { FieldError, JsonObject, Place, SchemaFunctions } from '../contract/index.js';
import type { Decoding } from './engine/checks.js';
import { insidePart } from './engine/keyword-errors.js';
import { withoutOldRepeats } from './object-meta.js';

export interface UpdateChecks {
  readonly functions: SchemaFunctions;
  readonly decoding: Decoding;
  /** Whether to accept wrong values that do not change. Only structural schemas can. */
  readonly ratchets: boolean;
  /** Whether the update goes to the `status` subresource. */
  readonly isStatus: boolean;
  /** Gets the accepted errors. */
  readonly pass?: (error: FieldError) => unknown;
}

/** Returns the schema errors of an update. With `ratchets`, accepts unchanged wrong values. */
export function updateErrors(
  { functions, decoding, ratchets, isStatus, pass = () => undefined }: UpdateChecks,
  object: JsonObject,
  old: JsonObject,
): readonly FieldError[] {
  const found: FieldError[] = [];
  // Keeps, as the reference does, only errors of the status in a status update, which cannot change other fields.
  const pushAt = (error: FieldError, [top]: Place): void => {
    if (!(ratchets && isStatus)) found.push(error);
    else if (top === 'status' && object.status !== undefined) found.push(insidePart(error, 'status'));
  };
  functions.validate(object, { push: (error) => found.push(error), pushAt, pass }, ratchets ? old : undefined);
  return withoutOldRepeats(functions, decoding, found, old);
}
