/** Emits the TypeScript types of each resource version, and of each type library. */
import type { Model, SharedType } from '../../model/model.js';
import { lazyFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { type Entry, entriesOf, hasTypes, libraryFolder } from '../layout.js';
import { libraryKey } from '../library-key.js';
import { referencesIn } from '../schema/library-order.js';
import { type PrintedType, type SharedTypes, sharedTypesOf, structureNamesIn } from '../shared-structures.js';
import { librariesOf, parseTypeName } from '../shared-types.js';
import { libraryTypes } from './library-types.js';
import { resourceTypes } from './resource-types.js';

export const typesEmitter: Emitter = {
  name: 'types',
  emitResource: (resource, model) =>
    resource.versions
      .filter((version) => hasTypes({ resource, version }))
      .map((version) => resourceTypes(resource, version, model)),
  dependsOn: structureNamesIn,
  emitModel: (model) => {
    const shared = sharedTypesOf(model);
    return [...typedLibraries(model, shared)].map(([library, types]) =>
      lazyFile(
        `${libraryFolder(library)}/types.ts`,
        libraryKey(types, shared),
        () => libraryTypes(library, types, shared).content,
      ),
    );
  },
};

/** Returns the libraries without those that only versions without types are made of: nobody imports their types. */
function typedLibraries(model: Model, shared: SharedTypes): ReadonlyMap<string, readonly PrintedType[]> {
  const libraries = librariesOf(shared.types);
  const usedBy = (entries: readonly Entry[]): ReadonlySet<string> => {
    const used = new Set<string>();
    const visit = (type: Pick<SharedType, 'name' | 'schema'>): void => {
      for (const name of referencesIn(type, shared)) {
        const { library } = parseTypeName(name);
        if (used.has(library)) continue;
        used.add(library);
        libraries.get(library)?.forEach(visit);
      }
    };
    for (const { version } of entries) visit({ name: '', schema: version.schema });
    return used;
  };
  const entries = entriesOf(model);
  const [used, typed] = [usedBy(entries), usedBy(entries.filter(hasTypes))];
  return new Map([...libraries].filter(([library]) => typed.has(library) || !used.has(library)));
}
