/** A server as admission plugins see it: resources, gates, and objects that tests add and remove. */
import type {
  AdmissionHost,
  ApiObject,
  FollowedObjects,
  ObjectSink,
  ResourceIndex,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { formatGroupVersion } from '../../runtime/objects/names/names.js';
import { notFound } from '../../runtime/objects/status.js';
import { followAll } from '../../runtime/server/admission.js';

/** A host for admission plugins with objects that tests write. */
export interface TestHost extends AdmissionHost {
  /** Writes an object, and shows it to the followers of the resource. */
  readonly put: (resource: string, object: ApiObject) => void;
  readonly remove: (resource: string, name: string) => void;
  /** Removes all objects. */
  readonly reset: (resource: string) => void;
}

/** Makes an index of modules. Modules with the same plural show the same objects. */
export const indexOf = (modules: readonly ResourceModule[]): ResourceIndex => ({
  find: (group, version, resource) =>
    modules.find((one) => one.group === group && one.version === version && one.names.plural === resource),
  all: () => modules,
  ofKind: (apiVersion, kind) =>
    modules.find((one) => formatGroupVersion(one.group, one.version) === apiVersion && one.names.kind === kind),
  equivalents: (resource) => modules.filter(({ names }) => names.plural === resource.names.plural),
});

/** Makes a host with these resources. All gates are on except those in `off`. */
export function hostOf(modules: readonly ResourceModule[], off: readonly string[] = []): TestHost {
  const sinks = new Map<string, ObjectSink>();
  const follow: AdmissionHost['follow'] = (_, resource, sink) => {
    sinks.set(resource, sink);
    sink.reset();
    return { stop: () => sinks.delete(resource) };
  };
  const followed = new Map<string, FollowedObjects>();
  const objects: AdmissionHost['objects'] = (group, resource) => {
    const known = followed.get(resource) ?? followAll(follow, group, resource);
    followed.set(resource, known);
    return known;
  };
  return {
    featureEnabled: (gate) => !off.includes(gate),
    resources: indexOf(modules),
    follow,
    objects,
    async update({ group, resource, namespace, name }, change) {
      const stored = objects(group, resource).get(namespace, name);
      if (!stored) return { ok: false, failure: notFound(group, resource, name) };
      const value = clone(stored);
      const failure = change(value);
      if (failure) return { ok: false, failure };
      sinks.get(resource)?.changed(value);
      return { ok: true, value };
    },
    put: (resource, object) => sinks.get(resource)?.changed(object),
    remove: (resource, name) => sinks.get(resource)?.removed('', name),
    reset: (resource) => sinks.get(resource)?.reset(),
  };
}
