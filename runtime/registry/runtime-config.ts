/** Reads `--runtime-config` and applies it: versions and resources are turned on or off. */
import type { ResourceModule, Result, Stability } from '../contract/index.js';
import { compareReleases } from '../objects/release.js';
import { listMembers } from '../objects/scan/media-types.js';
import { badRequest } from '../objects/status.js';
import { didYouMean } from '../objects/suggest.js';
import { parseSetting } from './feature-gates.js';
import { isRemoved, servedByDefault } from './served-versions.js';

/** The settings of whole classes of versions, of single versions, and of single resources in them. */
export interface RuntimeConfig {
  /** By `api/…`. */
  readonly classes: ReadonlyMap<string, boolean>;
  /** By `<group>/<version>`; the group is `api` for the core group. */
  readonly versions: ReadonlyMap<string, boolean>;
  /** By `<group>/<version>/<resource>`. */
  readonly resources: ReadonlyMap<string, boolean>;
}

/** The config without any setting. */
export const noRuntimeConfig: RuntimeConfig = { classes: new Map(), versions: new Map(), resources: new Map() };

type OfClass = (stability: Stability, module: ResourceModule) => boolean;

/** The versions in each class, in the order in which classes apply. Versions without a stability are in no class. */
const classes: ReadonlyMap<string, OfClass> = new Map<string, OfClass>([
  ['api/all', () => true],
  ['api/ga', ({ level }) => level === 'stable'],
  ['api/beta', ({ level }) => level === 'beta'],
  ['api/alpha', ({ level }) => level === 'alpha'],
  ['api/legacy', (_stability, { group }) => group === ''],
]);

/** Reads `<key>[=true|false],…`. If a key is repeated, the last value counts. Checks only the form of the text. */
export function readRuntimeConfig(text: string): Result<RuntimeConfig> {
  const found = {
    classes: new Map<string, boolean>(),
    versions: new Map<string, boolean>(),
    resources: new Map<string, boolean>(),
  };
  for (const part of listMembers(text)) {
    if (part === '') continue;
    const { key, value, written } = parseSetting(part);
    const kind = kindOfKey(key);
    if (kind === undefined) return refuse(`invalid key ${key === '' ? '(nothing)' : key}; ${adviceOn(key)}`);
    if (value === undefined && written !== undefined)
      return refuse(`invalid value of ${key}: ${JSON.stringify(written)}; use ${key}=true or ${key}=false`);
    found[kind].set(key === 'v1' ? 'api/v1' : key, value ?? true);
  }
  if (found.classes.get('api/all') === false && keysIn(found) === 1)
    return refuse('api/all=false alone leaves nothing to serve; add what to serve, such as api/v1=true');
  return { ok: true, value: found };
}

const keysIn = (config: RuntimeConfig): number => config.classes.size + config.versions.size + config.resources.size;

function kindOfKey(key: string): keyof RuntimeConfig | undefined {
  if (classes.has(key)) return 'classes';
  if (key === 'v1') return 'versions';
  const parts = key.split('/');
  if (parts.includes('') || parts.length < 2 || parts.length > 3) return undefined;
  // The core group has only versions, so any other word after `api/` is a misspelt class.
  if (parts[0] === 'api' && !/^v\d/.test(parts[1] ?? '')) return undefined;
  return parts.length === 2 ? 'versions' : 'resources';
}

const adviceOn = (key: string): string =>
  didYouMean(key, classes.keys()) ??
  `use <group>/<version>, <group>/<version>/<resource>, or ${[...classes.keys()].join(', ')}`;

/**
 * Returns a check whether a config serves a module. Its entries override the defaults: classes first, then versions,
 * then resources. Refuses groups, versions and resources that no module has, by name. Also refuses to turn on a version
 * that the release does not have. `later` are modules that only later releases have. Modules have their served names.
 */
export function applyRuntimeConfig(
  config: RuntimeConfig,
  modules: readonly ResourceModule[],
  release: string,
  later: readonly ResourceModule[] = [],
): Result<(module: ResourceModule) => boolean> {
  const mistake = findEarly(config, modules, later) ?? findMistake(config, modules, release);
  if (mistake !== undefined) return refuse(mistake);
  const byDefault = servedByDefault(modules);
  const serves = (module: ResourceModule): boolean =>
    config.resources.get(resourceKey(module)) ??
    config.versions.get(versionKey(module)) ??
    byClass(config, module) ??
    byDefault(module);
  return { ok: true, value: (module) => module.served && !isRemoved(module, release) && serves(module) };
}

function byClass(config: RuntimeConfig, module: ResourceModule): boolean | undefined {
  const { stability } = module;
  let said: boolean | undefined;
  if (stability === undefined) return said;
  for (const [name, includes] of classes) {
    const value = config.classes.get(name);
    if (value !== undefined && includes(stability, module)) said = value;
  }
  return said;
}

const groupKey = ({ group }: ResourceModule): string => (group === '' ? 'api' : group);
const versionKey = (module: ResourceModule): string => `${groupKey(module)}/${module.version}`;
const resourceKey = (module: ResourceModule): string => `${versionKey(module)}/${module.names.plural}`;

function findMistake(config: RuntimeConfig, modules: readonly ResourceModule[], release: string): string | undefined {
  const groups = new Set(modules.map(groupKey));
  const named = [...config.versions, ...config.resources];
  const unknownGroups = named.flatMap(([key]) => (groups.has(groupOf(key)) ? [] : [groupOf(key)]));
  if (unknownGroups.length > 0) {
    const names = [...new Set(unknownGroups)];
    return withSuggestion(`unknown api groups ${names.join(', ')}`, didYouMean(names[0] ?? '', groups));
  }
  const versions = namesOf(modules, versionKey);
  const resources = namesOf(modules, resourceKey);
  for (const [key, on] of named) {
    const [what, known] = config.versions.has(key) ? ['version', versions] : ['resource', resources];
    const meant = known.get(key);
    if (meant === undefined) {
      return withSuggestion(`unknown ${what} ${key}`, didYouMean(key, known.keys()) ?? inGroup(key, known));
    }
    if (on && meant.every((module) => isRemoved(module, release))) return goneSince(key, meant, release);
    if (on && meant.every(({ served }) => !served))
      return `${key} cannot be switched on: its definition says that it is not served`;
  }
  return undefined;
}

/** Finds a version or resource that only a later release has. */
function findEarly(
  config: RuntimeConfig,
  modules: readonly ResourceModule[],
  later: readonly ResourceModule[],
): string | undefined {
  if (later.length === 0) return undefined;
  for (const [keys, keyOf] of [
    [config.versions, versionKey],
    [config.resources, resourceKey],
  ] as const) {
    const known = namesOf(modules, keyOf);
    const toCome = namesOf(later, keyOf);
    for (const key of keys.keys()) {
      const first = known.has(key) ? undefined : firstRelease(toCome.get(key) ?? []);
      if (first !== undefined)
        return `${key} does not exist before release ${first}; the emulated version selects the release`;
    }
  }
  return undefined;
}

const firstRelease = (modules: readonly ResourceModule[]): string | undefined =>
  modules.flatMap(({ stability }) => stability?.introduced ?? []).sort(compareReleases)[0];

const groupOf = (key: string): string => key.slice(0, key.indexOf('/'));

function namesOf(
  modules: readonly ResourceModule[],
  keyOf: (module: ResourceModule) => string,
): ReadonlyMap<string, readonly ResourceModule[]> {
  const names = new Map<string, ResourceModule[]>();
  for (const module of modules) {
    const there = names.get(keyOf(module));
    if (there) there.push(module);
    else names.set(keyOf(module), [module]);
  }
  return names;
}

const withSuggestion = (problem: string, suggestion: string | undefined): string =>
  suggestion === undefined ? problem : `${problem}; ${suggestion}`;

function inGroup(key: string, known: ReadonlyMap<string, unknown>): string | undefined {
  const there = [...known.keys()].filter((name) => groupOf(name) === groupOf(key));
  return there.length === 0 ? undefined : `the group has ${there.join(', ')}`;
}

function goneSince(key: string, modules: readonly ResourceModule[], release: string): string {
  const removed = modules[0]?.stability?.removed ?? release;
  return `${key} cannot be switched on: it has not been served since ${removed}`;
}

const refuse = (message: string): { readonly ok: false; readonly failure: ReturnType<typeof badRequest> } => ({
  ok: false,
  failure: badRequest(message),
});
