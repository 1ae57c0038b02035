/** Rewrites every object of a server through its API. Only objects in an earlier version change. */
import {
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  discoverResources,
} from '../../client/index.js';
import { parseJson } from '../../client/json.js';
import { isMigratable } from '../../controllers/storage-migration/controller.js';
import { migrateResource } from '../../controllers/storage-migration/migrate-resource.js';
import { definePace, pageSizeAt, unlimited } from '../../controllers/storage-migration/pace.js';
import { patient } from '../../controllers/storage-migration/patient.js';
import { StoredVersions, storageVersionOf } from '../../controllers/storage-migration/stored-versions.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/index.js';
import { LockedStoreError } from '../../runtime/storage/index.js';
import { connectionTo, openSource, type RunningServerFlags } from './open-stores.js';
import type { Positions } from './storage-jobs.js';

export interface Rewritten {
  /** The number of objects read. */
  readonly seen: number;
  /** The number of objects with a new revision. */
  readonly written: number;
  /** One line for each definition with versions removed from its `storedVersions`. */
  readonly pruned: readonly string[];
  /** One line for each object that could not be written. */
  readonly problems: readonly string[];
}

/** Receives the number of objects read, and the plural of the current resource. */
export type ReportProgress = (done: number, resource: string) => void;

export interface RewriteParts {
  /** Objects per second. Default: no limit. */
  readonly rate?: number | undefined;
  readonly tell: ReportProgress;
  /** The position where an earlier run ended and this one continues. Default: the beginning. */
  readonly positions?: Positions | undefined;
  /** Ends the run, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Rejects if the server cannot be reached. Never overwrites concurrent writes of others. */
export async function rewriteAll(
  connection: ClientOptions,
  { rate, tell, positions, signal }: RewriteParts,
): Promise<Rewritten> {
  const client = patient(connection);
  const pace = rate === undefined ? { pace: unlimited } : { pace: definePace(rate), pageSize: pageSizeAt(rate) };
  const resources = await discoverResources(client, signal);
  const definitions = new StoredVersions(resources, client);
  const sum = { seen: 0, written: 0, pruned: [] as string[], problems: [] as string[] };
  for (const resource of resources.filter(isMigratable)) {
    const before = sum.seen;
    const { seen, written, problems, dropped } = await migrateResource(resource, {
      client,
      ...pace,
      definitions,
      ...(signal ? { signal } : {}),
      tell: (walked) => tell(before + walked.seen, resource.plural),
      ...(positions
        ? { position: positions.of(resource), save: (position) => positions.save(resource, position) }
        : {}),
    });
    sum.seen += seen;
    sum.written += written;
    sum.problems.push(...problems);
    if (dropped.length > 0) sum.pruned.push(prunedLine(resource, dropped));
  }
  sum.problems.push(...(await unreachedOf(definitions, resources, signal)));
  if (sum.problems.length === 0) await positions?.end();
  return sum;
}

/** Returns the line that some versions of a resource no longer have stored objects. */
export const prunedLine = ({ plural, group }: DiscoveredResource, versions: readonly string[]): string =>
  `${plural}.${group}: nothing is stored in ${versions.join(', ')} any more`;

// Finds definitions with objects that are not reachable through the API, and may be stored in an earlier version.

/**
 * Returns one line for each definition without a served version, if it had objects in other versions than the stored
 * one.
 */
async function unreachedOf(
  definitions: StoredVersions,
  resources: readonly DiscoveredResource[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const reached = new Set(resources.map(({ plural, group }) => `${plural}.${group}`));
  return (await definitions.list(signal)).flatMap((definition) => {
    const name = definition.metadata.name ?? '';
    const storage = storageVersionOf(definition);
    const others = (definition.status?.storedVersions ?? []).filter((version) => version !== storage);
    if (reached.has(name) || others.length === 0) return [];
    return [`${name}: objects may be stored in ${others.join(', ')}, but no served version can migrate them`];
  });
}

/** A resource to read. */
export interface WantedResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/** Reads the objects as stored. Rejects with a `FlagError`, or with an error of the store. */
export async function readStoredObjects(
  flag: string,
  text: string,
  wanted: readonly WantedResource[],
): Promise<readonly JsonObject[]> {
  const { store, damage } = await openSource(flag, text, 'serve-rest');
  try {
    const locked = damage.filter((found) => found.locked && wanted.some((one) => found.key.startsWith(prefixOf(one))));
    if (locked.length > 0) throw new LockedStoreError(locked, `${flag} ${text}`);
    return wanted.flatMap(({ group, plural }) => {
      const snapshot = store.list(prefixOf({ group, plural }));
      if (typeof snapshot === 'string') return [];
      return snapshot.entries.map(({ bytes }) => parseJson<JsonObject>(Buffer.from(bytes).toString('utf8')));
    });
  } finally {
    await store.close();
  }
}

const prefixOf = ({ group, plural }: WantedResource): string => `${group}/${plural}/`;

/** Reads the objects as served, in the preferred version. Rejects with an error of the connection. */
export async function readServedObjects(
  flags: RunningServerFlags,
  wanted: readonly WantedResource[],
): Promise<readonly JsonObject[]> {
  const connection = connectionTo(flags);
  const objects: JsonObject[] = [];
  for (const resource of await discoverResources(connection)) {
    const isWanted = wanted.some(({ group, plural }) => resource.group === group && resource.plural === plural);
    if (!isWanted || !resource.verbs.includes('list')) continue;
    for await (const object of createResourceClient(resource, connection).each()) {
      if (isObject(object)) objects.push(object);
    }
  }
  return objects;
}
