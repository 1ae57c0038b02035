/**
 * Fields that objects of custom resources are selected by, read from the objects: what is kept with an entry may be
 * old.
 */
import type { Attributes, Entry } from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import { fieldValues } from './selectable-fields.js';
import type { ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';
import { readAs } from './versions.js';

/**
 * Reads the selectable fields of entries of a custom resource; `undefined` for resources without such fields, and for
 * those whose entries keep them: built-in kinds, and stored versions that are there as long as the server is. A
 * definition may come to have them after its objects, and what other versions have is not kept, so entries are
 * decoded, each once for a version.
 */
export function definedFields(resource: ServedResource): FieldReader | undefined {
  const { module, stored } = resource;
  if (module.decoding !== 'structural' || module.selectableFields.length === 0) return undefined;
  if (
    !stored.defined &&
    module.selectableFields.every((path) => stored.module.selectableFields.includes(resource.storedField(path)))
  )
    return undefined;
  return readerOf(resource);
}

type FieldReader = (entry: Entry) => Attributes['fields'];

/** One reader for each resource, whatever clients select by. */
const readerOf = memoizeByObject(
  (resource: ServedResource): FieldReader =>
    memoizeByObject((entry: Entry) => {
      const { stored } = resource;
      // A webhook cannot be asked here: fields are where they were stored then.
      const object = stored.remote ? objectOf(entry) : readAs(stored, entry);
      return fieldValues(resource, object);
    }),
);
