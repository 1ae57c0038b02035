/** Lists the remaining steps before a version can be removed from a definition. */
import type { Definition, DefinitionVersion } from './definitions.js';

/**
 * Returns the steps in order, a sentence each; empty for kinds of the server itself. The last step removes the version.
 */
export function stepsToDrop({ custom, versions }: Definition, version: DefinitionVersion): readonly string[] {
  if (!custom) return [];
  const { name, isStorage, isStored, isServed } = version;
  if (versions.length === 1) return [`Add another version, since ${name} is the only one.`];
  return [
    ...(isStorage ? ['Set storage: true in another version, and false here: new objects are stored in that one.'] : []),
    ...(isStorage || isStored
      ? [
          `Write the objects again that are stored in ${name}. kindforge storage migrate-versions does so, and removes ` +
            `${name} from status.storedVersions.`,
        ]
      : []),
    ...(isServed ? ['Set served: false, and watch for clients that still ask for it.'] : []),
    `Remove ${name} from spec.versions.`,
  ];
}
