/** A collection for tests of followers. It lists and watches by a script. */
import type { ApiObjectLike, Listed, ListOf, WatchEvent, WatchOptions } from '../../client/index.js';

/** A watch: its events and its end. The watch continues without events if `rest` is `silence`. */
export interface ScriptedWatch {
  readonly events?: readonly WatchEvent<ApiObjectLike>[];
  readonly rest?: 'silence' | Error;
}

export interface ScriptedCollection {
  readonly client: Listed<ApiObjectLike>;
  /** The options of the watches so far, without their signals. */
  readonly watches: Omit<WatchOptions, 'signal'>[];
  /** How many lists followers have requested. */
  lists: number;
}

export const thing = (name: string, resourceVersion: string, labels: Record<string, string> = {}): ApiObjectLike => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion, uid: `uid of ${name}`, labels },
});

export const bookmark = (resourceVersion: string, annotations: Record<string, string> = {}) =>
  ({
    type: 'BOOKMARK',
    object: { ...thing('', resourceVersion), metadata: { resourceVersion, annotations } },
  }) as const;

/** Makes a collection with the same list each time. Watches follow the script, and then repeat its last watch. */
export function scriptedCollection(
  list: readonly ApiObjectLike[],
  revision: string,
  script: readonly ScriptedWatch[],
): ScriptedCollection {
  const collection: ScriptedCollection = {
    watches: [],
    lists: 0,
    client: {
      list: async (): Promise<ListOf<ApiObjectLike>> => {
        collection.lists++;
        return { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: revision }, items: [...list] };
      },
      watch: async function* ({ signal, ...options }: WatchOptions = {}) {
        const { events = [], rest } = script[Math.min(collection.watches.length, script.length - 1)] ?? {};
        collection.watches.push(options);
        for (const event of events) yield event as WatchEvent<ApiObjectLike> & { type: 'ADDED' };
        if (rest instanceof Error) throw rest;
        if (rest === 'silence') await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
      },
    },
  };
  return collection;
}
