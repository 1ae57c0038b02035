/** Forgives an update the repeats in sets and maps that were stored before the lists were declared so. */
import type { FieldError, JsonObject, SchemaFunctions } from '../contract/index.js';

const isRepeat = ({ reason }: FieldError): boolean => reason === 'FieldValueDuplicate';

/**
 * The schema errors of an update, without those of repeats where the old object of a custom resource has repeats too,
 * at any place: whoever finds such an object may change it, and need not mend all of it at once.
 */
export function withoutOldRepeats(
  functions: Pick<SchemaFunctions, 'validate'>,
  decoding: 'typed' | 'structural',
  found: readonly FieldError[],
  old: JsonObject,
): readonly FieldError[] {
  if (decoding !== 'structural' || !found.some(isRepeat)) return found;
  const before: FieldError[] = [];
  functions.validate(old, before);
  return before.some(isRepeat) ? found.filter((error) => !isRepeat(error)) : found;
}
