/** The resources of a running server: those that it was built with, and those that stored definitions bring. */
import type { ServedResource } from '../resource/served-resource.js';
import type { Registry } from './registry.js';

/** A registry that changes while it is used. Each change is one step, and costs no more than the definition it is about. */
export interface LiveRegistry extends Registry {
  /** Serves the resource of a definition, in place of what the same one was served as before. */
  set(group: string, plural: string, resource: Registry): void;
  /** Serves it no more. */
  remove(group: string, plural: string): void;
  /** Serves other resources of the server's own. */
  rebase(next: Registry): void;
}

/** `own` has what no definition can take away; it is asked first. */
export function defineLiveRegistry(own: Registry): LiveRegistry {
  let base = own;
  const defined = new Map<string, Registry>();
  const groups = new Map<string, number>();
  let resources: readonly ServedResource[] | undefined = base.resources;
  const partOf = (group: string, plural: string): Registry | undefined => defined.get(`${group}/${plural}`);
  const change = (group: string, plural: string, next: Registry | undefined): void => {
    const key = `${group}/${plural}`;
    const before = defined.get(key)?.resources.length ?? 0;
    if (next) defined.set(key, next);
    else defined.delete(key);
    groups.set(group, (groups.get(group) ?? 0) + (next?.resources.length ?? 0) - before);
    if (groups.get(group) === 0) groups.delete(group);
    resources = undefined;
  };
  return {
    get resources() {
      resources ??= [...base.resources, ...[...defined.values()].flatMap((part) => part.resources)];
      return resources;
    },
    get subresourceKinds() {
      return base.subresourceKinds;
    },
    find: (group, version, plural) =>
      base.find(group, version, plural) ?? partOf(group, plural)?.find(group, version, plural),
    stored: (group, plural) => base.stored(group, plural) ?? partOf(group, plural)?.stored(group, plural),
    convertible: (apiVersion, kind) =>
      base.convertible(apiVersion, kind) ?? firstOf(defined.values(), (part) => part.convertible(apiVersion, kind)),
    hasGroup: (group) => base.hasGroup(group) || groups.has(group),
    isBuiltIn: (group) => base.isBuiltIn(group),
    hasVersion: (group, version) =>
      base.hasVersion(group, version) ||
      (groups.has(group) && firstOf(defined.values(), (part) => part.hasVersion(group, version) || undefined) === true),
    knowsKind: (apiVersion, kind) =>
      base.knowsKind(apiVersion, kind) ||
      firstOf(defined.values(), (part) => part.knowsKind(apiVersion, kind) || undefined) === true,
    set: change,
    remove: (group, plural) => change(group, plural, undefined),
    rebase: (next) => {
      base = next;
      resources = undefined;
    },
  };
}

function firstOf<T, R>(values: Iterable<T>, find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
