/** The server as admission plugins see it: its resources, and their objects as they change. */
import type {
  AdmissionContext,
  AdmissionHost,
  ApiObject,
  FollowedObjects,
  ResourceIndex,
  ResourceModule,
  Result,
} from '../contract/index.js';
import { isApiObject, stringAt } from '../objects/guards.js';
import { internalFailure } from '../objects/status.js';
import { thenSync } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import { followObjects, updateObject } from '../request/object-access.js';
import type { PipelineServices } from '../request/services.js';
import type { ServedResource } from '../resource/served-resource.js';
import { convertBetween } from '../resource/versions.js';
import { toUnprunedObject } from '../write/decode.js';

/** Returns the door for plugins, by the name of each. */
export function defineAdmissionHost(
  registry: Registry,
  services: PipelineServices,
): { readonly resources: ResourceIndex; readonly hostOf: (plugin: string) => AdmissionHost } {
  const followAs =
    (name: string): AdmissionHost['follow'] =>
    (group, resource, sink) =>
      followObjects(services, `${name}/${resource}`, [group, resource], sink);
  const followed = new Map<string, FollowedObjects>();
  const objects = (key: string, begin: () => FollowedObjects): FollowedObjects => {
    const known = followed.get(key) ?? begin();
    followed.set(key, known);
    return known;
  };
  const resources = resourceIndex(registry);
  const hostOf = (plugin: string): AdmissionHost => ({
    featureEnabled: services.featureEnabled,
    resources,
    ...(services.observer ? { observer: services.observer } : {}),
    follow: followAs(plugin),
    objects: (group, resource) =>
      objects(`${group}/${resource}`, () => followAll(followAs('admission'), group, resource)),
    update: (place, change) => updateObject(services, place, change),
  });
  return { resources, hostOf };
}

function resourceIndex(registry: Registry): ResourceIndex {
  const served = ({ group, version, names }: ResourceModule): ServedResource | undefined =>
    registry.find(group, version, names.plural);
  return {
    find: (group, version, resource) => registry.find(group, version, resource)?.module,
    all: () => registry.resources.map(({ module }) => module),
    ofKind: (apiVersion, kind) => {
      const module = registry.convertible(apiVersion, kind)?.module;
      return module && served(module)?.module;
    },
    equivalents: (resource) => {
      const stored = served(resource)?.stored;
      return registry.resources.flatMap((other) => (other.stored === stored ? [other.module] : []));
    },
  };
}

/** Converts objects between versions of their kind, for plugins that are about another version than a request. */
export function defineConversion(registry: Registry): AdmissionContext['convert'] {
  return (object, apiVersion) => {
    const from = registry.convertible(object.apiVersion, object.kind);
    const to = registry.convertible(apiVersion, object.kind);
    if (!from || !to || from.stored !== to.stored) return undefined;
    if (from !== to && to.stored.remote) return convertByWebhook(to, object);
    return thenSync(from.ready(), () => ({ ok: true, value: convertBetween(from, to, object) }));
  };
}

/** Makes objects of values of any kind, for plugins that have changed an object as JSON. */
export function defineDecoding(registry: Registry): NonNullable<AdmissionContext['decode']> {
  return (value) => {
    const [apiVersion, kind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
    const resource = registry.convertible(apiVersion, kind);
    if (!resource)
      return { ok: false, failure: internalFailure(`no kind "${kind}" is registered for "${apiVersion}"`) };
    const decoded = toUnprunedObject(resource, value);
    if (decoded.ok) return { ok: true, value: decoded.value.object };
    return { ok: false, failure: internalFailure(decoded.problem) };
  };
}

async function convertByWebhook(to: ServedResource, object: ApiObject): Promise<Result<ApiObject>> {
  const converted = await to.stored.remote?.convert([object], to.apiVersion);
  if (converted?.ok === false) return converted;
  const [value] = converted?.value ?? [];
  if (!isApiObject(value)) throw new Error('a conversion yielded no object');
  to.functions.prune(value, () => {});
  return { ok: true, value };
}

/** Follows a resource for as long as the server runs. The objects are those of the store, not copies. */
export function followAll(follow: AdmissionHost['follow'], group: string, resource: string): FollowedObjects {
  const namespaces = new Map<string, Map<string, ApiObject>>();
  follow(group, resource, {
    changed(object) {
      const { namespace = '', name = '' } = object.metadata;
      const objects = namespaces.get(namespace);
      if (objects) objects.set(name, object);
      else namespaces.set(namespace, new Map([[name, object]]));
    },
    removed(namespace, name) {
      const objects = namespaces.get(namespace);
      objects?.delete(name);
      if (objects?.size === 0) namespaces.delete(namespace);
    },
    reset: () => namespaces.clear(),
  });
  return {
    get: (namespace, name) => namespaces.get(namespace)?.get(name),
    list: (namespace) => (namespace === undefined ? allOf(namespaces) : (namespaces.get(namespace)?.values() ?? [])),
  };
}

function* allOf(namespaces: ReadonlyMap<string, ReadonlyMap<string, ApiObject>>): Iterable<ApiObject> {
  for (const objects of namespaces.values()) yield* objects.values();
}
