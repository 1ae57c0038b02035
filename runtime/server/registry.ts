/** Every served resource, found by the parts of a path, by kind, and in the order of discovery. */
import type { AdmissionPlugin, ResourceModule, Strategy } from '../contract/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import { apiRelease } from '../objects/release.js';
import { type EmulatedVersion, type ServedResource, serveResource } from '../pipeline/served-resource.js';
import { byName } from './by-name.js';
import { kindOf } from './named-modules.js';
import { applyRuntimeConfig, noRuntimeConfig, type RuntimeConfig } from './runtime-config.js';

/** What a registry is built from. */
export interface RegistrySources {
  /** Under the names that are served. */
  readonly modules: readonly ResourceModule[];
  readonly strategies: readonly Strategy[];
  readonly plugins: readonly AdmissionPlugin[];
  readonly featureEnabled: (gate: string) => boolean;
  /** Which versions and resources are on and off; as they are by default where absent. */
  readonly runtimeConfig?: RuntimeConfig;
  readonly emulatedVersion?: EmulatedVersion;
}

/** The served resources. */
export interface Registry {
  readonly resources: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** In the version that objects are stored in. */
  stored(group: string, plural: string): ServedResource | undefined;
  hasGroup(group: string): boolean;
  hasVersion(group: string, version: string): boolean;
  /** Whether there is such a kind, be it served or not. */
  knowsKind(apiVersion: string, kind: string): boolean;
}

/**
 * Builds the registry. Two modules for one resource and version, two stored versions, two strategies for a kind, or two
 * plugins of one name are an error of the caller, and so is a config that names what there is not.
 */
export function buildRegistry(sources: RegistrySources): Registry {
  const strategies = byName('strategies for', sources.strategies, ({ kind }) => kind);
  byName('admission plugins called', sources.plugins, ({ name }) => name);
  const isServed = servedModules(sources);
  const stored = new Map<string, ServedResource>();
  const byPath = new Map<string, ServedResource>();
  // Owners of fields may have written through a version that is not served any more.
  const known = new Map<string, ServedResource>();
  const versionsOf = countVersions(sources.modules);
  const serve = (module: ResourceModule, storedAs?: ServedResource): ServedResource =>
    serveResource(module, {
      ...(versionsOf(module) > 1 ? { sibling: (apiVersion) => known.get(`${apiVersion}/${module.names.plural}`) } : {}),
      strategy: strategies.get(kindOf(module)),
      plugins: sources.plugins,
      stored: storedAs,
      emulatedVersion: sources.emulatedVersion,
    });
  for (const module of sources.modules) {
    if (module.storage) addOnce(stored, `${module.group}/${module.names.plural}`, serve(module));
  }
  for (const module of sources.modules) {
    const storedAs = stored.get(`${module.group}/${module.names.plural}`);
    const resource = storedAs?.module === module ? storedAs : serve(module, storedAs);
    const path = `${resource.apiVersion}/${module.names.plural}`;
    addOnce(known, path, resource);
    if (isServed(module)) byPath.set(path, resource);
  }
  return lookups(byPath, stored, known);
}

/** Tells the modules that are served: by the config, and by their gates. */
function servedModules(sources: RegistrySources): (module: ResourceModule) => boolean {
  const release = sources.emulatedVersion ?? apiRelease;
  const configured = applyRuntimeConfig(sources.runtimeConfig ?? noRuntimeConfig, sources.modules, release);
  if (!configured.ok) throw new Error(configured.failure.message);
  return (module) =>
    configured.value(module) && (module.featureGate === undefined || sources.featureEnabled(module.featureGate));
}

/** How many versions the resource of a module has. */
function countVersions(modules: readonly ResourceModule[]): (module: ResourceModule) => number {
  const counts = new Map<string, number>();
  const keyOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;
  for (const module of modules) counts.set(keyOf(module), (counts.get(keyOf(module)) ?? 0) + 1);
  return (module) => counts.get(keyOf(module)) ?? 0;
}

function lookups(
  byPath: ReadonlyMap<string, ServedResource>,
  stored: ReadonlyMap<string, ServedResource>,
  known: ReadonlyMap<string, ServedResource>,
): Registry {
  const resources = [...byPath.values()];
  const groups = new Set(resources.map(({ module }) => module.group));
  const versions = new Set(resources.map(({ apiVersion }) => apiVersion));
  const kinds = new Set<string>();
  for (const { apiVersion, module } of known.values()) {
    kinds.add(`${apiVersion} ${module.names.kind}`);
    kinds.add(`${apiVersion} ${module.names.listKind}`);
  }
  return {
    resources,
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
