/** Lists: the state under a prefix, now or at an earlier revision. */
import type { Entry, Key, ListOptions, Revision, Snapshot } from '../contract/index.js';
import type { History } from './history.js';
import { compareKeys, rangeOf } from './keys.js';
import type { OrderedIndex } from './ordered-index.js';
import { type PastKey, type PastVersions, versionAt } from './past-versions.js';
import type { StoredEntry } from './stored-entry.js';

/** What lists are made from. */
export interface Versions {
  readonly live: OrderedIndex<StoredEntry>;
  readonly past: PastVersions;
  readonly history: History;
}

/** The state now, which is at `revision`. The cost is that of the result. */
export function listNow({ live }: Versions, revision: Revision, prefix: string, options: ListOptions): Snapshot {
  const { start, end } = positionsOf(live, prefix, options.after);
  const last = Math.min(end, start + (options.limit ?? Number.POSITIVE_INFINITY));
  return { revision, entries: live.slice(start, last), more: last < end, remaining: end - last };
}

/**
 * The state at an earlier revision that history reaches back to: the live entries merged with the past versions of
 * what has changed. The cost is that of the result and of the recent changes among its keys; a chunk also counts
 * what the resource has gained and lost since.
 */
export function listAt(versions: Versions, revision: Revision, prefix: string, options: ListOptions): Snapshot {
  const { live, past, history } = versions;
  if (!history.hasChanged(revision, prefix)) return listNow(versions, revision, prefix, options);
  const liveRange = positionsOf(live, prefix, options.after);
  const pastRange = positionsOf(past.keys, prefix, options.after);
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const entries: Entry[] = [];
  let more = false;
  for (const pair of merge(bounded(live, liveRange), bounded(past.keys, pastRange))) {
    const version = versionAt(revision, pair.past, pair.live);
    if (!version) continue;
    more = entries.length === limit;
    if (more) break;
    entries.push(version);
  }
  const last = entries.at(-1);
  return { revision, entries, more, remaining: more && last ? countAt(versions, revision, prefix, last.key) : 0 };
}

/** How many keys there are under a prefix. */
export function countNow({ live }: Versions, prefix: string): number {
  const { start, end } = positionsOf(live, prefix, undefined);
  return end - start;
}

/** How many keys there were under a prefix behind a key: those of now, less what came, and what went, since then. */
function countAt({ live, history }: Versions, revision: Revision, prefix: string, after: Key): number {
  const { start, end } = positionsOf(live, prefix, after);
  let count = end - start;
  for (const { type, entry } of history.after(revision, prefix)) {
    if (type === 'MODIFIED' || compareKeys(entry.key, after) <= 0) continue;
    count += type === 'DELETED' ? 1 : -1;
  }
  return count;
}

interface Positions {
  readonly start: number;
  readonly end: number;
}

/** The positions that a prefix covers in an index, those up to the key `after` left out. */
function positionsOf<T extends { readonly key: Key }>(
  index: OrderedIndex<T>,
  prefix: string,
  after: Key | undefined,
): Positions {
  const range = rangeOf(prefix);
  const start = index.rank(range?.start ?? prefix);
  let end = index.length;
  if (!range) end = start + (index.get(prefix) ? 1 : 0);
  else if (range.end !== undefined) end = index.rank(range.end);
  if (after === undefined) return { start, end };
  const behind = index.rank(after) + (index.get(after) ? 1 : 0);
  return { start: Math.min(end, Math.max(start, behind)), end };
}

function* bounded<T extends { readonly key: Key }>(index: OrderedIndex<T>, { start, end }: Positions): Generator<T> {
  let position = start;
  if (position >= end) return;
  for (const item of index.from(start)) {
    yield item;
    if (++position === end) return;
  }
}

interface Pair {
  readonly live: StoredEntry | undefined;
  readonly past: PastKey | undefined;
}

/** Both sequences in one, by key. */
function* merge(entries: Iterator<StoredEntry>, pasts: Iterator<PastKey>): Generator<Pair> {
  let live = next(entries);
  let past = next(pasts);
  while (live || past) {
    const order = !live ? 1 : !past ? -1 : compareKeys(live.key, past.key);
    yield { live: order <= 0 ? live : undefined, past: order >= 0 ? past : undefined };
    if (order <= 0) live = next(entries);
    if (order >= 0) past = next(pasts);
  }
}

function next<T>(items: Iterator<T>): T | undefined {
  const step = items.next();
  return step.done ? undefined : step.value;
}
