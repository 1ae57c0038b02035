/** Finds the parts of stored objects that an earlier release would lose, and remembers which release wrote them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeJson } from '../codec/json.js';
import type {
  ApiObject,
  Entry,
  Failure,
  JsonValue,
  Key,
  NamedConversion,
  ResourceModule,
  Store,
} from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../objects/guards.js';
import type { Naming } from '../objects/names/naming.js';
import { compareReleases, type Release } from '../objects/release.js';
import { objectOf, type ServedResource } from '../resource/served-resource.js';
import { underNaming } from './module-naming.js';
import { buildRegistry, type Registry } from './registry.js';

/** The stored objects that would lose something in an earlier release. */
export interface Losses {
  /** The number of objects. */
  readonly count: number;
  /** The first objects, each with its losses: `services "a/b": spec.trafficDistribution`. */
  readonly first: readonly string[];
}

/** The kinds of a server, and all kinds that any release has. */
export interface StepBack {
  readonly store: Pick<Store, 'list'>;
  readonly naming: Naming;
  /** The modules of the release that the server emulates. */
  readonly modules: readonly ResourceModule[];
  /** The modules of the latest releases, for the resources to check. */
  readonly latest: readonly ResourceModule[];
  readonly conversions: readonly NamedConversion[];
  /** Returns whether the server makes the object again by itself, so that nothing is lost. */
  readonly isRemade: (object: ApiObject, resource: Pick<ServedResource, 'groupResource'>) => boolean;
}

/** Entries per page of a list. */
const PAGE = 500;

const EXAMPLES = 20;
const FIELDS = 10;

/**
 * Checks every stored object of the resources in `latest`. Keeps one page of entries and one object in memory at a
 * time. Ignores fields that no release has.
 */
export async function findLosses({ store, modules, latest, isRemade, ...names }: StepBack): Promise<Losses> {
  const earlier = registryOf(modules, names);
  const later = registryOf(latest, names);
  const first: string[] = [];
  let count = 0;
  let after: Key | undefined;
  do {
    const page = store.list('', { limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (typeof page === 'string') break;
    for (const entry of page.entries) {
      const [group = '', plural = ''] = entry.key.split('/', 2);
      const known = later.stored(group, plural);
      if (known === undefined) continue;
      await known.ready();
      const own = earlier.stored(group, plural);
      await own?.ready();
      const object = objectOf(entry);
      const lost = lossOf(object, known, own);
      if (lost === undefined || isRemade(object, known)) continue;
      count++;
      if (first.length < EXAMPLES) first.push(`${known.groupResource} ${JSON.stringify(nameIn(entry))}: ${lost}`);
    }
    after = page.more ? page.entries.at(-1)?.key : undefined;
    await nextTurn();
  } while (after !== undefined);
  return { count, first };
}

const registryOf = (
  modules: readonly ResourceModule[],
  { naming, conversions }: Pick<StepBack, 'naming' | 'conversions'>,
): Registry =>
  buildRegistry({
    modules: modules.map((module) => underNaming(module, naming)),
    handlers: [],
    plugins: [],
    featureEnabled: () => true,
    conversions,
    rename: naming.rename,
  });

/** Returns the loss of an object in words; `undefined` if it loses nothing. Changes the object. */
function lossOf(object: ApiObject, latest: ServedResource, own: ServedResource | undefined): string | undefined {
  if (own === undefined) return 'the kind';
  const { apiVersion } = object;
  const [known, left] = [latest, own].map((resource) => versionOf(resource, apiVersion));
  if (left === undefined) return `the version ${apiVersion}`;
  known?.functions.prune(object, () => undefined);
  const kept = clone(object);
  let isWhole = true;
  left.functions.prune(kept, () => {
    isWhole = false;
  });
  if (isWhole) return undefined;
  // A field that the later release would fill in again is not lost.
  known?.functions.applyDefaults(kept);
  const fields = new Set<string>();
  collectMissing(object, kept, '', (path) => void fields.add(path));
  if (fields.size === 0) return undefined;
  const more = fields.size - FIELDS;
  return [...fields].slice(0, FIELDS).join(', ') + (more > 0 ? ` and ${more} more fields` : '');
}

/**
 * Reports the fields that `kept` lacks, with `[]` for items. Ignores an observed generation, because a controller will
 * observe it again.
 */
function collectMissing(value: JsonValue, kept: JsonValue, path: string, report: (path: string) => void): void {
  if (isArray(value) && isArray(kept)) {
    for (const [index, item] of value.entries()) collectMissing(item, kept[index] ?? null, `${path}[]`, report);
  } else if (isObject(value) && isObject(kept)) {
    for (const [name, field] of Object.entries(value)) {
      const place = path === '' ? name : `${path}.${name}`;
      const left = getOwn(kept, name);
      if (left !== undefined) collectMissing(field ?? null, left, place, report);
      else if (name !== 'observedGeneration') report(place);
    }
  }
}

const versionOf = (resource: ServedResource, apiVersion: string): ServedResource | undefined =>
  apiVersion === resource.apiVersion ? resource : resource.sibling(apiVersion);

const nameIn = ({ key }: Entry): string => key.split('/').slice(2).join('/');

// The releases that wrote into a store: an object that no path serves.

/** The latest releases that have written into a store. */
export interface WrittenBy extends Pick<Release, 'name' | 'machinery'> {
  /** The release of the project; absent if it has everything in its definitions. */
  readonly project?: string | undefined;
}

/** No kind can have this key: groups of kinds have a dot, or are names of the API. */
const KEY: Key = 'kindforge-store/releases/written';

/** Returns the mark of a store; `undefined` if only servers that emulate no release have written into it. */
export function writtenBy(store: Pick<Store, 'get'>): WrittenBy | undefined {
  const entry = store.get(KEY);
  if (entry === undefined) return undefined;
  const written = objectAt(objectOf(entry), 'written');
  const project = stringAt(written, 'project') || undefined;
  return { name: stringAt(written, 'kinds'), machinery: stringAt(written, 'machinery'), project };
}

/** Returns whether one release may lack something that other releases have written. */
export const isStepBack = (to: WrittenBy, from: WrittenBy): boolean =>
  compareReleases(to.name, from.name) < 0 || compareReleases(to.machinery, from.machinery) < 0;

/** Returns whether a release of a project may lack something that its other releases have written. */
export const isProjectStepBack = ({ project: to }: Pick<WrittenBy, 'project'>, { project: from }: WrittenBy): boolean =>
  to !== undefined && (from === undefined || compareReleases(to, from) < 0);

/**
 * Marks a store. Writes nothing if the mark is already there. Resolves to a failure if the mark could not be written.
 */
export async function markWrittenBy(
  store: Pick<Store, 'get' | 'commit'>,
  { name, machinery, project }: WrittenBy,
): Promise<Failure | undefined> {
  const entry = store.get(KEY);
  const known = writtenBy(store);
  if (known?.name === name && known.machinery === machinery && known.project === project) return undefined;
  const head = '{"kind":"WrittenReleases","apiVersion":"kindforge-store/v1","metadata":{"resourceVersion":"';
  const text = `${head}","name":"written"},"written":${encodeJson({ kinds: name, machinery, ...(project === undefined ? {} : { project }) })}}`;
  const next = { text, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
  const commit = await store.commit({ key: KEY, expected: entry?.revision ?? 0, next });
  return commit.outcome === 'failed' ? commit.failure : undefined;
}
