/** Reads all roles and bindings of a running server. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
} from '../../client/index.js';
import { readBinding } from '../../plugins/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { AccessPolicy } from './policy.js';

/** `resources` are those of the server. Rejects where it has no roles, or does not let the caller read them. */
export async function readPolicy(
  client: ClientOptions,
  resources: readonly DiscoveredResource[],
): Promise<AccessPolicy> {
  const all = (plural: string): Promise<readonly JsonObject[]> => readAll(client, rbacResource(resources, plural));
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all(
    ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'].map(all),
  );
  return new AccessPolicy(
    [...(clusterRoles ?? []), ...(roles ?? [])],
    [...(clusterBindings ?? []), ...(bindings ?? [])].map(readBinding),
  );
}

function rbacResource(resources: readonly DiscoveredResource[], plural: string): DiscoveredResource {
  const found = resources.find((one) => one.plural === plural && one.group.startsWith('rbac.authorization.'));
  if (found) return found;
  throw new Error(`the server has no ${plural} of rbac.authorization; rights there do not go by roles`);
}

async function readAll(client: ClientOptions, resource: DiscoveredResource): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const object of createResourceClient<ApiObjectLike, unknown, string>(resource, client).each()) {
    const read: unknown = object;
    if (isObject(read)) objects.push(read);
  }
  return objects;
}
