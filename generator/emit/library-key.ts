/** The key of a file about the types of one library. */
import { keyOf } from './fingerprint.js';
import { referencesIn } from './library-order.js';
import { sharedNamesOf } from './shared-names.js';
import type { PrintedType, SharedTypes } from './shared-structures.js';
import { sourcesIn } from './shared-types.js';
import { FIELD_KEYS, structureOf } from './structures.js';

/** Changes with the types of a library, the files that they are written in, and the names of all that they refer to. */
export function libraryKey(types: readonly PrintedType[], shared: SharedTypes): string {
  const names = sharedNamesOf(shared.types);
  const parts = types.map((type) => {
    const { name, schema, fields } = type;
    const references = [...referencesIn(type, shared)].map((reference) => [reference, names.get(reference)]);
    return [name, names.get(name), structureOf(schema).key, FIELD_KEYS.map((key) => schema[key]), fields, references];
  });
  return keyOf(sourcesIn(types), parts);
}
