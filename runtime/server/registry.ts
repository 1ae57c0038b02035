/** Every served resource, found by the parts of a path, by kind, and in the order of discovery. */
import type { AdmissionPlugin, KindReference, ResourceModule, Strategy, VirtualHandler } from '../contract/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import { type EmulatedVersion, type ServedResource, serveResource } from '../pipeline/served-resource.js';
import { byName } from './by-name.js';
import { kindOf } from './named-modules.js';

/** What a registry is built from. */
export interface RegistrySources {
  /** Under the names that are served. */
  readonly modules: readonly ResourceModule[];
  readonly strategies: readonly Strategy[];
  readonly plugins: readonly AdmissionPlugin[];
  readonly handlers?: readonly VirtualHandler[];
  readonly featureEnabled: (gate: string) => boolean;
  readonly emulatedVersion?: EmulatedVersion;
}

/** The served resources. */
export interface Registry {
  /** Those that have a path; kinds that only subresources take are not among them. */
  readonly resources: readonly ServedResource[];
  /** Kinds that only subresources take. */
  readonly spokenKinds: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** In the version that objects are stored in. */
  stored(group: string, plural: string): ServedResource | undefined;
  hasGroup(group: string): boolean;
  hasVersion(group: string, version: string): boolean;
  knowsKind(apiVersion: string, kind: string): boolean;
}

/**
 * Builds the registry. Two modules for one resource and version, two stored versions, two strategies for a kind, or two
 * plugins of one name are an error of the caller.
 */
export function buildRegistry(sources: RegistrySources): Registry {
  const strategies = byName('strategies for', sources.strategies, ({ kind }) => kind);
  byName('admission plugins called', sources.plugins, ({ name }) => name);
  const handlers = byName('handlers for', sources.handlers ?? [], placeOf);
  const described = new Set(sources.modules.filter(({ virtual }) => virtual).map(referenceOf));
  const modules = sources.modules.map((module) => withKnownKinds(module, (kind) => described.has(keyOfKind(kind))));
  const enabled = modules.filter(
    ({ served, featureGate }) => served && (featureGate === undefined || sources.featureEnabled(featureGate)),
  );
  const stored = new Map<string, ServedResource>();
  const byPath = new Map<string, ServedResource>();
  const virtualKinds = new Map<string, ServedResource[]>();
  const versionsOf = countVersions(modules);
  const serve = (module: ResourceModule, storedAs?: ServedResource): ServedResource =>
    serveResource(module, {
      ...(versionsOf(module) > 1
        ? { sibling: (apiVersion) => byPath.get(`${apiVersion}/${module.names.plural}`) }
        : {}),
      strategy: strategies.get(kindOf(module)),
      plugins: sources.plugins,
      handlers: ['', ...module.subresources.map(({ name }) => name)].flatMap(
        (subresource) =>
          handlers.get(placeOf({ group: module.group, resource: module.names.plural, subresource })) ?? [],
      ),
      spoken: (kind) => inVersionOrder(virtualKinds.get(nameOf(kind)) ?? [], kind.version),
      stored: storedAs,
      emulatedVersion: sources.emulatedVersion,
    });
  for (const module of modules) {
    if (module.storage) addOnce(stored, `${module.group}/${module.names.plural}`, serve(module));
  }
  for (const module of modules) {
    if (!module.virtual) continue;
    const name = nameOf({ group: module.group, kind: module.names.kind });
    virtualKinds.set(name, [...(virtualKinds.get(name) ?? []), serve(module)]);
  }
  for (const module of enabled) {
    if (module.verbs.length === 0) continue;
    const storedAs = stored.get(`${module.group}/${module.names.plural}`);
    const resource = storedAs?.module === module ? storedAs : serve(module, storedAs);
    addOnce(byPath, `${resource.apiVersion}/${module.names.plural}`, resource);
  }
  const resources = [...byPath.values()];
  return lookups(resources, [...virtualKinds.values()].flat(), byPath, stored);
}

const keyOfKind = ({ group, version, kind }: KindReference): string => `${group}/${version}/${kind}`;

const referenceOf = ({ group, version, names }: ResourceModule): string =>
  keyOfKind({ group, version, kind: names.kind });

const nameOf = ({ group, kind }: Pick<KindReference, 'group' | 'kind'>): string => `${group}/${kind}`;

const placeOf = ({ group, resource, subresource = '' }: Omit<VirtualHandler, 'create'>): string =>
  `${group}/${resource}/${subresource}`;

/** Versions of a kind, the named one first; none where it is not among them. */
function inVersionOrder(versions: readonly ServedResource[], first: string): readonly ServedResource[] {
  const named = versions.filter(({ module }) => module.version === first);
  return named.length === 0 ? [] : [...named, ...versions.filter(({ module }) => module.version !== first)];
}

/** Without the subresources whose kinds are not among the modules: nobody could say what they take. */
function withKnownKinds(module: ResourceModule, isKnown: (kind: KindReference) => boolean): ResourceModule {
  const subresources = module.subresources.filter(({ kind, connects }) => !kind || connects || isKnown(kind));
  return subresources.length === module.subresources.length ? module : { ...module, subresources };
}

/** How many versions the resource of a module has. */
function countVersions(modules: readonly ResourceModule[]): (module: ResourceModule) => number {
  const counts = new Map<string, number>();
  const keyOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;
  for (const module of modules) counts.set(keyOf(module), (counts.get(keyOf(module)) ?? 0) + 1);
  return (module) => counts.get(keyOf(module)) ?? 0;
}

function lookups(
  resources: readonly ServedResource[],
  virtualKinds: readonly ServedResource[],
  byPath: ReadonlyMap<string, ServedResource>,
  stored: ReadonlyMap<string, ServedResource>,
): Registry {
  const groups = new Set(resources.map(({ module }) => module.group));
  const versions = new Set(resources.map(({ apiVersion }) => apiVersion));
  const kinds = new Set<string>();
  for (const { apiVersion, module } of resources) {
    kinds.add(`${apiVersion} ${module.names.kind}`);
    kinds.add(`${apiVersion} ${module.names.listKind}`);
  }
  for (const { apiVersion, module } of virtualKinds) kinds.add(`${apiVersion} ${module.names.kind}`);
  return {
    resources,
    spokenKinds: virtualKinds.filter(({ module }) => module.verbs.length === 0),
    find: (group, version, plural) => byPath.get(`${formatGroupVersion(group, version)}/${plural}`),
    stored: (group, plural) => stored.get(`${group}/${plural}`),
    hasGroup: (group) => groups.has(group),
    hasVersion: (group, version) => versions.has(formatGroupVersion(group, version)),
    knowsKind: (apiVersion, kind) => kinds.has(`${apiVersion} ${kind}`),
  };
}

function addOnce(map: Map<string, ServedResource>, key: string, resource: ServedResource): void {
  if (map.has(key))
    throw new Error(`resource ${key} is defined twice; the second is from ${resource.module.source ?? 'code'}`);
  map.set(key, resource);
}
