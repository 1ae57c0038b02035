/** Follows the changes of a collection over connections that break. */
import { isConnectionError, isGone } from '../../client/index.js';
import { readWatch } from '../../client/watch.js';
import type { Sender } from './requests.js';
import { fieldsOf, textOf } from './values.js';

export interface Followed {
  readonly path: string;
  readonly accept: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The revision after which changes are told; where absent, the present state comes first. */
  readonly from: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Told of events as they come, and of a history that has gone: what follows then is the present state. */
export interface Followers {
  readonly onEvent: (type: string, object: unknown) => void;
  readonly onGone: () => void;
}

/** Pauses before a watch that broke off begins again, in ms; no answer after the last one is an error. */
const pauses = [100, 500, 2000, 5000, 10_000];

/** Resolves once the signal ends it. Rejects as requests do. */
export async function follow(
  send: Sender,
  { path, accept, query, from, signal }: Followed,
  to: Followers,
): Promise<void> {
  let revision = from;
  for (let broken = 0; !signal.aborted; ) {
    const open = () =>
      send.open({
        method: 'GET',
        path,
        accept,
        signal,
        query: { ...query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: revision },
      });
    try {
      for await (const { type, object } of readWatch<unknown>(open, true)) {
        broken = 0;
        revision = revisionOf(object) ?? revision;
        if (type !== 'BOOKMARK') to.onEvent(type, object);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        to.onGone();
        revision = undefined;
        continue;
      }
      const pause = isConnectionError(error) && revision !== undefined ? pauses[broken++] : undefined;
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** The revision of an object or a list, or of the object in the row of a Table. */
export function revisionOf(object: unknown): string | undefined {
  const { metadata, rows } = fieldsOf(object);
  const own = textOf(fieldsOf(metadata).resourceVersion);
  if (own !== '') return own;
  const [row] = Array.isArray(rows) ? rows : [];
  return textOf(fieldsOf(fieldsOf(fieldsOf(row).object).metadata).resourceVersion) || undefined;
}
