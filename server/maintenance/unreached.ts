/** Finds definitions whose objects nobody can reach through the API, and that may be stored in an earlier version. */
import type { DiscoveredResource } from '../../client/index.js';
import { type StoredVersions, storageVersionOf } from '../../controllers/storage-migration/stored-versions.js';

/** One line for each definition that has no served version, and that has had objects stored in another one. */
export async function unreachedOf(
  definitions: StoredVersions,
  resources: readonly DiscoveredResource[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const reached = new Set(resources.map(({ plural, group }) => `${plural}.${group}`));
  return (await definitions.list(signal)).flatMap((definition) => {
    const name = definition.metadata.name ?? '';
    const storage = storageVersionOf(definition);
    const others = (definition.status?.storedVersions ?? []).filter((version) => version !== storage);
    if (reached.has(name) || others.length === 0) return [];
    return [`${name}: objects may be stored in ${others.join(', ')}, and no version is served to migrate them by`];
  });
}
