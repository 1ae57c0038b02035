/** The schemas of both sides of a conversion, by which its expressions are compiled. */
import type { ConvertedSchemas } from '../../runtime/cel/index.js';
import type { ResourceModel, VersionModel } from './model.js';

/**
 * Returns the schemas of a version and of the stored one. The latter is unknown if objects are stored as another
 * resource.
 */
export function convertedSchemas(resource: ResourceModel, { schema }: VersionModel): ConvertedSchemas {
  const stored = resource.storedAs ? undefined : resource.versions.find(({ storage }) => storage)?.schema;
  return { own: schema, ...(stored ? { stored } : {}) };
}
