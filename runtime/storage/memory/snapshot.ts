/** Lists: the state under a prefix, now or at an earlier revision. */
import type { Entry, EntryFilter, Key, ListOptions, Revision, Snapshot } from '../../contract/index.js';
import { compareKeys, rangeOf } from '../keys.js';
import { mergeByKey, type OrderedIndex } from '../ordered-index.js';
import { type History, type PastKey, type PastVersions, versionAt } from './history.js';
import type { AttributeIndexes, FoundList, ListCache } from './lookups.js';
import type { StoredEntry } from './stored-entry.js';

/** The entries for lists. */
export interface Versions {
  readonly live: OrderedIndex<StoredEntry>;
  readonly past: PastVersions;
  readonly history: History;
  readonly indexes: AttributeIndexes;
  readonly lists: ListCache;
}

/**
 * Lists the present state, which is at `revision`. A repeated list without changes in between costs nothing. Other
 * lists cost their result, and a filtered list costs the entries that it must test.
 */
export function listNow(versions: Versions, revision: Revision, prefix: string, options: ListOptions): Snapshot {
  const { only } = options;
  const { entries, remaining, repeated } = versions.lists.of(prefix, options, () =>
    only ? listMatches(versions, prefix, options, only) : listAll(versions, prefix, options),
  );
  return { revision, entries, more: remaining > 0, remaining, repeated };
}

function listAll({ live }: Versions, prefix: string, { after, limit }: ListOptions): FoundList {
  const { start, end } = positionsOf(live, prefix, after);
  const last = Math.min(end, start + (limit ?? Number.POSITIVE_INFINITY));
  return { entries: live.slice(start, last), remaining: end - last };
}

function listMatches(versions: Versions, prefix: string, options: ListOptions, only: EntryFilter): FoundList {
  const range = positionsOf(versions.live, prefix, options.after);
  const entries = firstMatches(candidates(versions, prefix, options, range), only, options.limit);
  const last = entries.length === options.limit ? entries.at(-1) : undefined;
  return { entries, remaining: last ? range.end - versions.live.rank(last.key) - 1 : 0 };
}

/**
 * Lists the state at an earlier revision in the history: merges the live entries with the past versions of changed
 * keys. It costs as much as the same list now, plus the recent changes of its keys. A chunk must also count the keys
 * that the resource has gained and lost since.
 */
export function listAt(versions: Versions, revision: Revision, prefix: string, options: ListOptions): Snapshot {
  const { live, past, history } = versions;
  if (!history.hasChanged(revision, prefix)) return listNow(versions, revision, prefix, options);
  const { only, limit = Number.POSITIVE_INFINITY } = options;
  const lives = itemsOf(candidates(versions, prefix, options, positionsOf(live, prefix, options.after)));
  const pasts = only ? changedSince(versions, revision, prefix, options.after) : pastKeys(past, prefix, options.after);
  const entries: Entry[] = [];
  for (const { left, right } of mergeByKey(lives, pasts)) {
    // If no index finds an entry now and it has not changed since then, it did not match then either.
    const version = versionAt(revision, right, left);
    if (version && (!only || only.matches(version))) entries.push(version);
    if (entries.length === limit) break;
  }
  const last = entries.length === limit ? entries.at(-1) : undefined;
  const remaining = last ? countAt(versions, revision, prefix, last.key) : 0;
  return { revision, entries, more: remaining > 0, remaining, repeated: false };
}

/**
 * Returns the keys under a prefix and after a key that have past versions, in order; at least all keys with a past
 * version at a revision. A filtered list goes through all these keys, so this uses the changes since the revision if
 * they are fewer than all keys in the history.
 */
function changedSince(
  { past, history }: Versions,
  revision: Revision,
  prefix: string,
  after: Key | undefined,
): Iterator<PastKey> {
  const { start, end } = positionsOf(past.keys, prefix, after);
  if (history.countAfter(revision, prefix) >= end - start) return pastKeys(past, prefix, after);
  const keys = new Set(history.after(revision, prefix).map(({ entry }) => entry.key));
  const sorted = [...keys].filter((key) => after === undefined || compareKeys(key, after) > 0).sort(compareKeys);
  return sorted.flatMap((key) => past.keys.get(key) ?? []).values();
}

const pastKeys = (past: PastVersions, prefix: string, after: Key | undefined): Iterator<PastKey> =>
  itemsOf(piecesOf(past.keys, positionsOf(past.keys, prefix, after)));

/** Yields live entries in key order, in pieces. They include every entry that the list can show. */
function candidates(
  { live, indexes }: Versions,
  prefix: string,
  { only, after }: ListOptions,
  range: Positions,
): Iterable<readonly StoredEntry[]> {
  const all = piecesOf(live, range);
  return only ? (indexes.narrow(prefix, after, only, range.end - range.start) ?? all) : all;
}

function firstMatches(
  pieces: Iterable<readonly StoredEntry[]>,
  only: EntryFilter,
  limit = Number.POSITIVE_INFINITY,
): StoredEntry[] {
  const entries: StoredEntry[] = [];
  for (const piece of pieces) {
    for (const entry of piece) {
      if (!only.matches(entry)) continue;
      entries.push(entry);
      if (entries.length === limit) return entries;
    }
  }
  return entries;
}

/** Counts the keys under a prefix. */
export function countNow({ live }: Versions, prefix: string): number {
  const { start, end } = positionsOf(live, prefix, undefined);
  return end - start;
}

/**
 * Counts the keys under a prefix after a key at a revision: the present keys, without the keys added since and with the
 * keys deleted since.
 */
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

/** Returns the positions that a prefix covers in an index, without positions up to the key `after`. */
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

const piecesOf = <T extends { readonly key: Key }>(index: OrderedIndex<T>, { start, end }: Positions) =>
  index.pieces(start, end);

function* itemsOf<T>(pieces: Iterable<readonly T[]>): Generator<T> {
  for (const piece of pieces) yield* piece;
}
