/** The requests of the garbage collector: reads, and writes that fail if the object has changed. */

import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type OwnerReference,
  type ResourceClient,
  type ResourceDescriptor,
} from '../../client/index.js';
import { fieldTerm } from '../../client/resource/field-terms.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';

type Client = ResourceClient<ApiObjectLike, unknown, never>;

/** An object that was just read, with the client of its namespace. */
export interface Found {
  readonly object: ApiObjectLike;
  readonly client: Client;
  readonly signal: AbortSignal;
}

export interface ObjectKey {
  readonly resource: ResourceDescriptor;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Reads an object from the server; `undefined` if it does not exist. */
export async function look(place: ObjectKey, options: ClientOptions, signal: AbortSignal): Promise<Found | undefined> {
  const client = clientOf(place, options);
  const object = await client.get(place.name, { signal }).catch(ignoreNotFound);
  return object && { object, client, signal };
}

/** Reads the objects with a name in all namespaces. */
export async function findByName(
  { resource, name }: ObjectKey,
  options: ClientOptions,
  signal: AbortSignal,
): Promise<ApiObjectLike[]> {
  const { items } = await allOf(resource, options).list({ fieldSelector: fieldTerm('metadata.name', name), signal });
  return items;
}

export function clientOf({ resource, namespace }: ObjectKey, options: ClientOptions): Client {
  const all = allOf(resource, options);
  return resource.scope === 'Namespaced' && namespace !== undefined ? all.in(namespace) : all;
}

function allOf({ group, version, plural, kind, scope }: ResourceDescriptor, options: ClientOptions) {
  const untyped: ResourceDescriptor<ApiObjectLike, unknown, 'Cluster' | 'Namespaced', never> = {
    ...{ group, version, plural, kind, scope },
    subresources: [],
  };
  return createResourceClient(untyped, options);
}

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** Deletes an object unless it was replaced or has changed. */
export async function remove({ object, client, signal }: Found, propagationPolicy: Propagation): Promise<void> {
  const { name = '', uid, resourceVersion } = object.metadata;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  await client.delete(name, { preconditions, propagationPolicy, signal }).catch(ignoreNotFound);
}

/** Replaces the owners of an object unless it has changed. */
export const setOwners = (found: Found, ownerReferences: OwnerReference[]): Promise<void> =>
  patch(found, { ownerReferences });

/** Removes a finalizer from an object unless it has changed. */
export async function removeFinalizer(found: Found, finalizer: string): Promise<void> {
  const { finalizers = [] } = found.object.metadata;
  if (!finalizers.includes(finalizer)) return;
  await patch(found, { finalizers: finalizers.filter((one) => one !== finalizer) });
}

async function patch(
  { object, client, signal }: Found,
  change: { ownerReferences?: OwnerReference[]; finalizers?: string[] },
): Promise<void> {
  const { name = '', resourceVersion } = object.metadata;
  const metadata = { ...change, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  await client.patch(name, { metadata }, { signal }).catch(ignoreNotFound);
}
