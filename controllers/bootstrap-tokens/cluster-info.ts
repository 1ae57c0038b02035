/** The config map by which machines that nobody knows yet find the server, and everyone's right to read it. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
} from '../../client/index.js';
import { configMaps } from '../core-resources.js';

export const clusterInfo = 'cluster-info';

/** The name under which tools that set clusters up make the same role and binding. */
const readerName = 'kubeadm:bootstrap-signer-clusterinfo';

export interface ClusterInfoOptions {
  /** The namespace that is for everyone. */
  readonly namespace: string;
  /** The group of roles as it is served; absent where none are. */
  readonly rolesGroup: string | undefined;
  /** A kubeconfig with the address of the server and the certificates that it is trusted by. */
  readonly kubeconfig: () => string;
}

interface Rules extends ApiObjectLike {
  rules?: readonly object[];
  roleRef?: object;
  subjects?: readonly object[];
}

/** Makes the map and the right to read it; what is there stays as it is. */
export async function makeClusterInfo(
  { namespace, rolesGroup, kubeconfig }: ClusterInfoOptions,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<void> {
  const map = { metadata: { name: clusterInfo }, data: { kubeconfig: kubeconfig() } };
  await createResourceClient(configMaps, client).in(namespace).create(map, { signal }).catch(ignoreExisting);
  if (rolesGroup === undefined) return;
  const metadata = { name: readerName };
  const make = async (plural: string, kind: string, object: Omit<Rules, 'apiVersion' | 'kind'>): Promise<void> => {
    const place = { group: rolesGroup, version: 'v1', plural, kind, scope: 'Namespaced', subresources: [] } as const;
    const resource = defineResource<Rules>()(place);
    await createResourceClient(resource, client).in(namespace).create(object, { signal }).catch(ignoreExisting);
  };
  await make('roles', 'Role', {
    metadata,
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [clusterInfo], verbs: ['get'] }],
  });
  await make('rolebindings', 'RoleBinding', {
    metadata,
    roleRef: { apiGroup: rolesGroup, kind: 'Role', name: readerName },
    subjects: [{ apiGroup: rolesGroup, kind: 'User', name: 'system:anonymous' }],
  });
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
