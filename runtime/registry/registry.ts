/**
 * Finds every served resource by the parts of a path or by kind, and lists them in the order of discovery. A live
 * registry changes.
 */
import type {
  AdmissionPlugin,
  EventSubject,
  JsonObject,
  KindHandlers,
  KindReference,
  NamedConversion,
  Rename,
  ResourceModule,
  VirtualHandler,
} from '../contract/index.js';
import { formatGroupVersion } from '../objects/names/names.js';
import { emulate, type Release } from '../objects/release.js';
import { serveResource } from '../resource/serve-resource.js';
import type { DefinedAtRunTime, RemoteConversion, ServedResource } from '../resource/served-resource.js';
import { remoteOf } from './definitions/conversion-webhook.js';
import { kindOf, storedKindOf, storedResourceOf } from './module-naming.js';
import { applyRuntimeConfig, noRuntimeConfig, type RuntimeConfig } from './runtime-config.js';
import { byUniqueName, type Family, familiesOf } from './served-versions.js';

/** Modules, handlers, plugins and settings that make up a registry. */
export interface RegistrySources {
  /** The modules, under their served names. */
  readonly modules: readonly ResourceModule[];
  readonly handlers: readonly KindHandlers[];
  readonly plugins: readonly AdmissionPlugin[];
  readonly virtualHandlers?: readonly VirtualHandler[];
  readonly featureEnabled: (gate: string) => boolean;
  /** Versions and resources that are turned on or off. Default: as the definitions say. */
  readonly runtimeConfig?: RuntimeConfig;
  /** Default: the specified release with the latest machinery. */
  readonly release?: Release;
  /** Conversions that modules name. Default: only the conversions in definitions. */
  readonly conversions?: readonly NamedConversion[];
  /** Maps platform names to served names. Default: names stay as they are. */
  readonly rename?: Rename;
  /** Present if all modules come from one stored definition. */
  readonly defined?: DefinedAtRunTime;
  /**
   * Resources of an earlier registry with the same sources, by their modules. The new registry keeps them if the map
   * has all their versions. It adds new resources to the map.
   */
  readonly known?: Map<ResourceModule, ServedResource>;
  /** Returns how to call a conversion webhook; absent if the server never calls one. */
  readonly remote?: (webhook: JsonObject, definition: EventSubject) => RemoteConversion;
}

/** The served resources. */
export interface Registry {
  /** Resources with a path, without kinds that only subresources take. A new array after each change. */
  readonly resources: readonly ServedResource[];
  /** Kinds that only subresources take. */
  readonly subresourceKinds: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** Returns the resource in its storage version, which may be in another group. */
  stored(group: string, plural: string): ServedResource | undefined;
  /** Returns the resource of a kind in any version: served, stored or only converted. */
  convertible(apiVersion: string, kind: string): ServedResource | undefined;
  hasGroup(group: string): boolean;
  /** Returns whether a group has built-in resources, which the server always serves. */
  isBuiltIn(group: string): boolean;
  hasVersion(group: string, version: string): boolean;
  /** Returns whether a kind exists, served or not. */
  knowsKind(apiVersion: string, kind: string): boolean;
}

/**
 * Builds the registry. Throws if two modules describe one version of a resource, two versions are stored, or a kind has
 * two handlers. Throws if a handler is for another version than the stored one, or if two plugins or conversions have
 * one name. Throws if a conversion, a stored resource or something that the config names does not exist.
 */
export function buildRegistry(sources: RegistrySources): Registry {
  byUniqueName('admission plugins called', sources.plugins, ({ name }) => name);
  const isServed = servedModules(sources);
  const described = new Set(sources.modules.filter(({ virtual }) => virtual).map(referenceOf));
  const modules = sources.modules.map((module) => withKnownKinds(module, (kind) => described.has(keyOfKind(kind))));
  const virtualKinds = new Map<string, ServedResource[]>();
  const versions = defineVersions({ ...sources, modules }, (kind) =>
    inVersionOrder(virtualKinds.get(nameOf(kind)) ?? [], kind.version),
  );
  const stored = new Map<string, ServedResource>();
  const byPath = new Map<string, ServedResource>();
  for (const module of modules) {
    const resource = versions.of(module);
    if (module.storage) addOnce(stored, idOf(module), resource);
    if (module.virtual) {
      const name = nameOf({ group: module.group, kind: module.names.kind });
      virtualKinds.set(name, [...(virtualKinds.get(name) ?? []), resource]);
    }
    if (module.verbs.length === 0 || !isServed(module)) continue;
    addOnce(byPath, `${resource.apiVersion}/${module.names.plural}`, resource);
  }
  for (const module of modules) {
    if (module.storedAs) stored.set(idOf(module), versions.of(module).stored);
  }
  return lookups(byPath, stored, modules.map(versions.of));
}

const keyOfKind = ({ group, version, kind }: KindReference): string => `${group}/${version}/${kind}`;

const referenceOf = ({ group, version, names }: ResourceModule): string =>
  keyOfKind({ group, version, kind: names.kind });

const nameOf = ({ group, kind }: Pick<KindReference, 'group' | 'kind'>): string => `${group}/${kind}`;

const placeOf = ({ group, resource, subresource = '' }: Omit<VirtualHandler, 'create'>): string =>
  `${group}/${resource}/${subresource}`;

/** Returns the versions of a kind, the named one first; none if the named one does not exist. */
function inVersionOrder(versions: readonly ServedResource[], first: string): readonly ServedResource[] {
  const named = versions.filter(({ module }) => module.version === first);
  return named.length === 0 ? [] : [...named, ...versions.filter(({ module }) => module.version !== first)];
}

/** Leaves out subresources with kinds that are not among the modules, because nothing describes these kinds. */
function withKnownKinds(module: ResourceModule, isKnown: (kind: KindReference) => boolean): ResourceModule {
  const subresources = module.subresources.filter(({ kind, connects }) => !kind || connects || isKnown(kind));
  return subresources.length === module.subresources.length ? module : { ...module, subresources };
}

/** Returns a check whether a module is served, by the config and by its gate. */
function servedModules(sources: RegistrySources): (module: ResourceModule) => boolean {
  const { name } = sources.release ?? emulate();
  const configured = applyRuntimeConfig(sources.runtimeConfig ?? noRuntimeConfig, sources.modules, name);
  if (!configured.ok) throw new Error(configured.failure.message);
  return (module) =>
    configured.value(module) && (module.featureGate === undefined || sources.featureEnabled(module.featureGate));
}

const idOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** Makes a resource of each module, once. Links the versions that are stored as the same resource. */
function defineVersions(
  sources: RegistrySources,
  acceptedVersions: (kind: KindReference) => readonly ServedResource[],
): { readonly of: (module: ResourceModule) => ServedResource } {
  const handlers = handlersByKind(sources);
  const virtualHandlers = byUniqueName('virtual handlers for', sources.virtualHandlers ?? [], placeOf);
  const conversions = byUniqueName('conversions called', sources.conversions ?? [], ({ name }) => name);
  const families = familiesOf(sources.modules);
  const before = new Map(sources.known);
  const made = new Map<ResourceModule, ServedResource>();
  const of = (module: ResourceModule): ServedResource => {
    const known = made.get(module);
    if (known) return known;
    const family = families.get(storedResourceOf(module));
    const kept = before.get(module);
    if (kept && [...(family?.byVersion.values() ?? [])].every((version) => before.has(version))) {
      made.set(module, kept);
      return kept;
    }
    const storage = family?.storage;
    if (!storage && module.storedAs)
      throw new Error(`resource ${idOf(module)} is stored as ${storedResourceOf(module)}, which does not exist`);
    const resource = serveResource(module, {
      ...(family && family.byVersion.size > 1 ? { sibling: siblingIn(family, of) } : {}),
      ...(family ? { family: [...family.byVersion.values()] } : {}),
      handlers: forStored(handlers.get(storedKindOf(module)), storage),
      ...(module.storedAs ? { ownHandlers: handlers.get(kindOf(module))?.[0] } : {}),
      plugins: sources.plugins,
      virtualHandlers: ['', ...module.subresources.map(({ name }) => name)].flatMap(
        (subresource) =>
          virtualHandlers.get(placeOf({ group: module.group, resource: module.names.plural, subresource })) ?? [],
      ),
      acceptedVersions,
      stored: storage && storage !== module ? of(storage) : undefined,
      release: sources.release,
      namedConversion: module.conversionName === undefined ? undefined : named(conversions, module.conversionName),
      rename: sources.rename,
      defined: sources.defined,
      remote: storage && remoteOf(storage, sources),
    });
    sources.known?.get(module)?.remote?.close();
    made.set(module, resource);
    sources.known?.set(module, resource);
    return resource;
  };
  return { of };
}

/**
 * Returns the handlers by kind. A kind may have one definition until a release, and another one from a later release
 * on. Then it has handlers for the stored version of each.
 */
function handlersByKind({ handlers, rename }: RegistrySources): ReadonlyMap<string, readonly KindHandlers[]> {
  const nameOf = ({ resource: { group, names } }: KindHandlers): string =>
    kindOf({ group: rename?.(group) ?? group, names });
  byUniqueName('handlers for', handlers, (one) => `${nameOf(one)} of ${one.resource.version}`);
  const byKind = new Map<string, KindHandlers[]>();
  for (const one of handlers) byKind.set(nameOf(one), [...(byKind.get(nameOf(one)) ?? []), one]);
  return byKind;
}

/** Returns the handlers for objects of the stored version. Throws if they were printed for another version. */
function forStored(all: readonly KindHandlers[] = [], storage: ResourceModule | undefined): KindHandlers | undefined {
  const handlers = all.find(({ resource }) => resource.version === storage?.version) ?? all[0];
  const { version, names } = handlers?.resource ?? {};
  if (!storage || version === undefined || version === storage.version) return handlers;
  const stored = `${idOf(storage)} is stored as ${storage.version}`;
  throw new Error(`the handlers of ${names?.kind} are for ${version}, but ${stored}; generate its code again`);
}

function siblingIn(
  { byVersion }: Family,
  of: (module: ResourceModule) => ServedResource,
): (apiVersion: string) => ServedResource | undefined {
  return (apiVersion) => {
    const module = byVersion.get(apiVersion);
    return module && of(module);
  };
}

function named(conversions: ReadonlyMap<string, NamedConversion>, name: string): NamedConversion {
  const conversion = conversions.get(name);
  if (!conversion) throw new Error(`unknown conversion ${name}`);
  return conversion;
}

function lookups(
  byPath: ReadonlyMap<string, ServedResource>,
  stored: ReadonlyMap<string, ServedResource>,
  all: readonly ServedResource[],
): Registry {
  const resources = [...byPath.values()];
  const byPlural = groupByPlural(resources);
  const byKind = new Map(all.map((resource) => [`${resource.apiVersion} ${resource.module.names.kind}`, resource]));
  const groups = new Set(resources.map(({ module }) => module.group));
  const versions = new Set(resources.map(({ apiVersion }) => apiVersion));
  const kinds = new Set<string>();
  for (const { apiVersion, module } of all) {
    kinds.add(`${apiVersion} ${module.names.kind}`);
    kinds.add(`${apiVersion} ${module.names.listKind}`);
  }
  return {
    resources,
    subresourceKinds: all.filter(({ module }) => module.virtual && module.verbs.length === 0),
    find(group, version, plural) {
      for (const resource of byPlural.get(plural) ?? none) {
        if (resource.module.version === version && resource.module.group === group) return resource;
      }
      return undefined;
    },
    stored: (group, plural) => stored.get(`${group}/${plural}`),
    convertible: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    hasGroup: (group) => groups.has(group),
    isBuiltIn: (group) => groups.has(group),
    hasVersion: (group, version) => versions.has(formatGroupVersion(group, version)),
    knowsKind: (apiVersion, kind) => kinds.has(`${apiVersion} ${kind}`),
  };
}

const none: readonly ServedResource[] = [];

/** Groups resources by plural, so that a lookup need not join names. Few resources share a plural. */
function groupByPlural(resources: readonly ServedResource[]): ReadonlyMap<string, readonly ServedResource[]> {
  const groups = new Map<string, ServedResource[]>();
  for (const resource of resources) {
    const { plural } = resource.module.names;
    const group = groups.get(plural);
    if (group) group.push(resource);
    else groups.set(plural, [resource]);
  }
  return groups;
}

function addOnce(map: Map<string, ServedResource>, key: string, resource: ServedResource): void {
  if (map.has(key))
    throw new Error(`resource ${key} is defined twice; the second is from ${resource.module.source ?? 'code'}`);
  map.set(key, resource);
}

// The resources of a running server: its own, and the resources of stored definitions.

/** A registry that changes while it is used. Each change is one step, and costs no more than its definition does. */
export interface LiveRegistry extends Registry {
  /** Serves the resource of a definition, and replaces the earlier one. */
  set(group: string, plural: string, resource: Registry): void;
  /** Stops serving the resource of a definition. */
  remove(group: string, plural: string): void;
  /** Serves other resources as the server's own. */
  rebase(next: Registry): void;
}

/**
 * Makes a registry that changes. `own` has the resources that no definition can replace, so it comes first in every
 * search.
 */
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
