/** Reads the objects of some resources out of a store or a server, for jobs that try something on them. */
import { createResourceClient, discoverResources } from '../../client/index.js';
import { parseJson } from '../../client/json.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/index.js';
import { openSource } from './open-stores.js';
import { connectionTo, type RunningServerFlags } from './running-server.js';

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
