/** Writes every object of a server again, through its API: those that were stored in an earlier version really are. */
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
import { connectionTo, openSource, type RunningServerFlags } from './open-stores.js';
import type { Positions } from './storage-jobs.js';

export interface Rewritten {
  /** Objects that were looked at. */
  readonly seen: number;
  /** Those of them that came to have another revision. */
  readonly written: number;
  /** One line for each definition from whose `storedVersions` versions were taken out. */
  readonly pruned: readonly string[];
  /** One line for each object that could not be written. */
  readonly problems: readonly string[];
}

/** Is told how many objects were looked at, and the plural of the resource of the latest. */
export type Tell = (done: number, resource: string) => void;

export interface RewriteParts {
  /** Objects per second; no limit where absent. */
  readonly rate?: number | undefined;
  readonly tell: Tell;
  /** Where an earlier run ended, and where this one is to go on; from the beginning where absent. */
  readonly positions?: Positions | undefined;
  /** Ends the run; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Rejects where the server cannot be reached. What others write in the meantime is never lost. */
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

/** Says that nothing is stored in some versions of a resource any more. */
export const prunedLine = ({ plural, group }: DiscoveredResource, versions: readonly string[]): string =>
  `${plural}.${group}: nothing is stored in ${versions.join(', ')} any more`;

// Finds definitions whose objects nobody can reach through the API, and that may be stored in an earlier version.

/** One line for each definition that has no served version, and that has had objects stored in another one. */
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
    return [`${name}: objects may be stored in ${others.join(', ')}, and no version is served to migrate them by`];
  });
}

/** A resource whose objects are wanted. */
export interface WantedResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/** The objects as they are stored. Rejects with a `FlagError`, or with an error of the store. */
export async function readStoredObjects(
  flag: string,
  text: string,
  wanted: readonly WantedResource[],
): Promise<readonly JsonObject[]> {
  const { store } = await openSource(flag, text, 'serve-rest');
  try {
    return wanted.flatMap(({ group, plural }) => {
      const snapshot = store.list(`${group}/${plural}/`);
      if (typeof snapshot === 'string') return [];
      return snapshot.entries.map(({ bytes }) => parseJson<JsonObject>(Buffer.from(bytes).toString('utf8')));
    });
  } finally {
    await store.close();
  }
}

/** The objects as a server serves them, in the version that it prefers. Rejects with an error of the connection. */
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
