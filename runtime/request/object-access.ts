/** Reads and changes stored objects for handlers, plugins and the server itself. */
import type {
  ApiObject,
  Failure,
  Follow,
  FollowedPart,
  ObjectPlace,
  ObjectSink,
  Result,
  Subscription,
} from '../contract/index.js';
import { equal } from '../objects/equality.js';
import { placeOf } from '../objects/lines.js';
import { formatGroupVersion } from '../objects/names/names.js';
import { conflict, genericNotFound, notFound } from '../objects/status.js';
import { encodeForStore } from '../resource/encoding.js';
import { keyOf, type ServedResource } from '../resource/served-resource.js';
import { frozenIn, readAs, sharedObjectOf } from '../resource/versions.js';
import type { PipelineServices } from './verb-request.js';

/** The number of attempts of a change if other writers are faster. */
const attempts = 64;

/** Returns a stored object for reading only. */
export function readObject(services: PipelineServices, place: ObjectPlace): ApiObject | undefined {
  const resource = services.resource(place.group, place.resource);
  const entry = resource && services.store.get(keyOf(resource, place.namespace, place.name));
  return entry && sharedObjectOf(resource, entry);
}

/** Changes a stored object, like `update` of `ObjectAccess`. */
export const updateObject = (
  services: PipelineServices,
  place: ObjectPlace,
  change: (object: ApiObject) => Failure | undefined,
  dryRun = false,
): Promise<Result<ApiObject>> =>
  withResource(services, place, (resource) => update({ services, dryRun }, resource, place, change));

/**
 * Yields the stored objects of a namespace, for reading only; of all namespaces if it is empty. Decodes each on demand.
 */
export function* listObjects(
  services: PipelineServices,
  { group, resource: plural, namespace }: Omit<ObjectPlace, 'name'>,
): Iterable<ApiObject> {
  const resource = services.resource(group, plural);
  if (!resource) return;
  const listed = services.store.list(namespace === '' ? resource.keyPrefix : `${resource.keyPrefix}${namespace}/`);
  if (typeof listed === 'string') return;
  for (const entry of listed.entries) yield sharedObjectOf(resource, entry);
}

export async function withResource(
  services: PipelineServices,
  { group, resource }: ObjectPlace,
  act: (resource: ServedResource) => Promise<Result<ApiObject>>,
): Promise<Result<ApiObject>> {
  const served = services.resource(group, resource);
  if (!served) return { ok: false, failure: genericNotFound() };
  await served.ready();
  return act(served);
}

async function update(
  { services, dryRun }: { readonly services: PipelineServices; readonly dryRun: boolean },
  resource: ServedResource,
  { group, resource: plural, namespace, name }: ObjectPlace,
  change: (object: ApiObject) => Failure | undefined,
): Promise<Result<ApiObject>> {
  const key = keyOf(resource, namespace, name);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const entry = services.store.get(key);
    if (!entry) return { ok: false, failure: notFound(group, plural, name) };
    const object = readAs(resource.stored, entry);
    const failure = change(object);
    if (failure) return { ok: false, failure };
    if (dryRun || equal(object, sharedObjectOf(resource, entry))) return { ok: true, value: object };
    const next = encodeForStore(resource, object);
    const commit = await services.store.commit({ key, expected: entry.revision, next });
    if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
    if (commit.outcome === 'committed') return { ok: true, value: readAs(resource.stored, commit.entry) };
  }
  return { ok: false, failure: conflict(group, plural, name) };
}

/**
 * Passes all objects of a resource to the sink before it returns, and then every change in order. An unknown resource
 * has no objects. `name` is the name of the follower.
 */
export function followObjects(
  { follow, resource: find }: { readonly follow: Follow } & Pick<PipelineServices, 'resource'>,
  name: string,
  [group, plural]: readonly [group: string, plural: string],
  sink: ObjectSink,
  version?: string,
): Subscription {
  const resource = find(group, plural);
  if (!resource) return { stop() {} };
  const part = version === undefined ? partOf(resource, sink) : partIn(resource, version, sink);
  return follow(name, { parts: [part], reset: () => sink.reset() });
}

/**
 * Returns a follower's part in one version. Throws if the version is unknown, or if only a webhook can convert to it.
 */
function partIn(resource: ServedResource, version: string, sink: ObjectSink): FollowedPart {
  const { stored } = resource;
  const of = formatGroupVersion(resource.module.group, version);
  const wanted = of === stored.apiVersion ? stored : stored.sibling(of);
  if (wanted === stored) return partOf(stored, sink);
  const only = `its stored version is ${stored.module.version}`;
  if (!wanted) throw new Error(`${resource.groupResource} has no version ${version}; ${only}`);
  if (stored.remote) throw new Error(`a webhook converts ${resource.groupResource} to ${version}; ${only}`);
  let isReady = false;
  const ready = async (): Promise<void> => {
    await wanted.ready();
    isReady = true;
  };
  return {
    ...partOf(stored, sink),
    put: (entry) => sink.changed(frozenIn(wanted, entry)),
    ready: () => (isReady ? undefined : ready()),
  };
}

/**
 * Returns the objects of a resource as a part for a follower. Objects that another server has just written in an
 * earlier version may need code that is not loaded yet.
 */
export function partOf(resource: ServedResource, sink: Pick<ObjectSink, 'changed' | 'removed'>): FollowedPart {
  const prefix = resource.keyPrefix;
  return {
    prefix,
    put: (entry) => sink.changed(sharedObjectOf(resource, entry)),
    remove: (key) => sink.removed(...placeOf(prefix, key)),
    ready: ({ outdated }) => (outdated ? resource.ready() : undefined),
  };
}
