/** Creates objects of any kind. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type ResourceDescriptor,
} from '../client/index.js';
import type { ListeningServer } from '../server/index.js';
import { resourceOfObject } from './find-resource.js';

/** One after the other, as each may need those before. Resolves to what is stored. */
export async function createObjects(
  client: ClientOptions,
  registry: ListeningServer['registry'],
  objects: readonly ApiObjectLike[],
): Promise<readonly ApiObjectLike[]> {
  const stored: ApiObjectLike[] = [];
  for (const object of objects) {
    const resource = createResourceClient(untyped(resourceOfObject(registry, object)), client);
    const { namespace } = object.metadata;
    stored.push(await (namespace === undefined ? resource : resource.in(namespace)).create(object));
  }
  return stored;
}

type Untyped = ResourceDescriptor<ApiObjectLike, ApiObjectLike>;

const untyped = ({ types: _types, ...resource }: ResourceDescriptor): Untyped => resource;
