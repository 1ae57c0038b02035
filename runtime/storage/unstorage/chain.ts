/** Finds out which of the stored segments make up the log. */
import type { OwnerRecord, WriterRecord } from './ownership-records.js';
import { newestOf, parseName, type SegmentName } from './segment-names.js';

/** What writers have left behind. */
export interface Traces {
  readonly names: readonly SegmentName[];
  /** The last owner. */
  readonly owner: OwnerRecord | undefined;
  /** What writers say of themselves, by token. */
  readonly writers: ReadonlyMap<string, WriterRecord>;
}

/**
 * The name of the newest segment of the log; it may be missing. Undefined where there is no log. What an owner has
 * written counts; where it came to nothing, what it meant to write behind, and before it has even looked, what the owner
 * before it has written. Where the records are lost, the newest writer's newest segment is the best that can be had.
 */
export function tailOf({ names, owner, writers }: Traces): SegmentName | undefined {
  for (const token of [owner?.token, owner?.previous]) {
    if (token === undefined) continue;
    const record = writers.get(token);
    const own = newestOf(names.filter((name) => name.token === token));
    const known = record && parseName(record.tail ?? record.after ?? '');
    if (own && known) return own.id < known.id ? known : own;
    if (own ?? known) return own ?? known;
    if (record?.after === '') return undefined;
  }
  const noted = [...writers.values()].flatMap(({ tail }) => (tail === undefined ? [] : (parseName(tail) ?? [])));
  return newestOf([...names, ...noted]);
}
