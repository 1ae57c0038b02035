/** The owners of fields in answers. */
import { isArray, isObject, objectAt } from '../../runtime/objects/guards.js';
import type { Answer } from './ask.js';

/**
 * Lists the owners of fields of the spec, as `manager version: fields`, sorted: the server's order depends on the
 * second of each write.
 */
export function specOwners({ body }: Answer): readonly string[] {
  const entries = objectAt(body, 'metadata')?.managedFields;
  const owned = (isArray(entries) ? entries.filter(isObject) : []).map(({ manager, apiVersion, fieldsV1 }) => {
    const fields = isObject(fieldsV1) ? fieldsV1['f:spec'] : undefined;
    return `${manager} ${String(apiVersion).split('/')[1]}: ${JSON.stringify(fields)}`;
  });
  return owned.sort();
}
