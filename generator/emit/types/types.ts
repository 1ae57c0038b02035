/** Emits the TypeScript types of each resource version and of each type library. */
import type { Emitter } from '../emitter.js';
import { hasTypes } from '../layout.js';
import { sharedTypesOf } from '../shared-structures.js';
import { librariesOf } from '../shared-types.js';
import { libraryTypes } from './library-types.js';
import { resourceTypes } from './resource-types.js';

export const typesEmitter: Emitter = {
  name: 'types',
  emitResource: (resource, model) =>
    resource.versions
      .filter((version) => hasTypes({ resource, version }))
      .map((version) => resourceTypes(resource, version, model)),
  emitModel: (model) => {
    const shared = sharedTypesOf(model);
    return [...librariesOf(shared.types)].map(([library, types]) => libraryTypes(library, types, shared));
  },
};
