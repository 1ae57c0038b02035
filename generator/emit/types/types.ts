/** Emits the TypeScript types of each resource version and of each type library. */

import { lazyFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { hasTypes, libraryFolder } from '../layout.js';
import { libraryKey } from '../library-key.js';
import { sharedTypesOf, structureNamesIn } from '../shared-structures.js';
import { librariesOf } from '../shared-types.js';
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
    return [...librariesOf(shared.types)].map(([library, types]) =>
      lazyFile(
        `${libraryFolder(library)}/types.ts`,
        libraryKey(types, shared),
        () => libraryTypes(library, types, shared).content,
      ),
    );
  },
};
