/** Forgives an update the repeats in sets and maps that were stored before the lists were declared so. */
import type { ApiObject, FieldError } from '../../contract/index.js';
import type { ServedResource } from '../served-resource.js';

/** The part of a resource that it looks at. */
type Validated = Pick<ServedResource, 'functions'> & { readonly module: Pick<ServedResource['module'], 'decoding'> };

const isRepeat = ({ reason }: FieldError): boolean => reason === 'FieldValueDuplicate';

/**
 * The schema errors of an update, without those of repeats where the old object of a custom resource has repeats too,
 * at any place: whoever finds such an object may change it, and need not mend all of it at once.
 */
export function withoutOldRepeats(
  { functions, module }: Validated,
  found: readonly FieldError[],
  old: ApiObject,
): readonly FieldError[] {
  if (module.decoding !== 'structural' || !found.some(isRepeat)) return found;
  const before: FieldError[] = [];
  functions.validate(old, before);
  return before.some(isRepeat) ? found.filter((error) => !isRepeat(error)) : found;
}
