/** The namespaces that every server has from its start, by which stored data shows the naming it was written under. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isNotFound,
} from '../../client/index.js';
import { kubernetesNaming, type Naming, platformNaming } from '../../runtime/objects/naming.js';

const namespaces = defineResource<ApiObjectLike>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: [],
});

/**
 * Creates those that are missing. Rejects where the data was written under the other naming: most of it would not be
 * found under this one.
 */
export async function createNamespaces(client: ClientOptions, naming: Naming): Promise<void> {
  const resource = createResourceClient(namespaces, client);
  const exists = (name: string): Promise<boolean> =>
    resource.get(name).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  const other = naming.id === 'platform' ? kubernetesNaming : platformNaming;
  if ((await exists(other.namespaces.system)) && !(await exists(naming.namespaces.system)))
    throw new Error(`the data was written under --naming ${other.id}; serve it so, or choose another --storage`);
  for (const name of Object.values(naming.namespaces)) {
    await resource.create({ metadata: { name } }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
