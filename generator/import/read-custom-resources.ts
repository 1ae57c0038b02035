/** Lists the CustomResourceDefinitions of a live server. */
import {
  type ApiObjectLike,
  createResourceClient,
  isConnectionError,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type ResourceDescriptor,
} from '../../client/index.js';
import { type LoadedConnection, loadKubeconfig } from '../../client/node.js';
import type { JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/index.js';
import { RequestError } from './request-json.js';

/** The server, by one of the two flags. */
export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

/** The group of definitions, by its Kubernetes name and by its platform name. */
const GROUPS = ['apiextensions.k8s.io', 'apiextensions.platform.io'];

/** Reads all definitions. Throws a `RequestError` with a message that says what to do. */
export async function readCustomResources(flags: ServerFlags): Promise<readonly JsonValue[]> {
  for (const group of GROUPS) {
    try {
      return await listAll(group, flags);
    } catch (error) {
      if (!isNotFound(error)) throw explained(error, flags);
    }
  }
  throw new RequestError('the server has no customresourcedefinitions; there is nothing to import');
}

/** Returns the connection to the server of a kubeconfig. Throws if the kubeconfig cannot be read. */
export const connectionOf = ({ kubeconfig, context }: ServerFlags): LoadedConnection =>
  loadKubeconfig({ ...given('path', kubeconfig), ...given('context', context) });

async function listAll(group: string, flags: ServerFlags): Promise<readonly JsonValue[]> {
  const connection = flags.server === undefined ? { kubeconfig: connectionOf(flags) } : { baseUrl: flags.server };
  const client = createResourceClient(descriptorIn(group), connection);
  const found: JsonValue[] = [];
  for await (const each of client.each({ whenExpired: 'rest' })) {
    if (isObject(each)) found.push(each);
  }
  return found;
}

const descriptorIn = (group: string): ResourceDescriptor<ApiObjectLike> => ({
  group,
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  scope: 'Cluster',
  subresources: [],
});

function given<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  const entry: { [P in K]?: string } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

function explained(error: unknown, { server }: ServerFlags): unknown {
  if (isConnectionError(error)) {
    return new RequestError(`${error.message}; is the server running, and is this its address?`);
  }
  if (isUnauthorized(error)) {
    const cure =
      server === undefined ? 'the kubeconfig has no valid credentials' : 'name a --kubeconfig with credentials';
    return new RequestError(`the server answers 401: it needs credentials; ${cure}`);
  }
  if (isForbidden(error)) return new RequestError(`${error.message}; ask for the right to list them`);
  return error;
}
