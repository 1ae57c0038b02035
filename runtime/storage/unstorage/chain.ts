/** Finds out where the log ends. */
import type { WriterRecord } from './ownership-records.js';
import { newestOf, parseName, type SegmentName } from './segment-names.js';

/**
 * The name of the newest segment of the log; it may be missing. Undefined where there is no log. `writers` is what
 * writers say of themselves, by token. The last of those who got so far as to know behind what they write decides: it
 * ends with what that one has written last or, if nothing, with what it meant to write behind. What others have stored
 * beyond that came too late, and was not acknowledged.
 */
export function tailOf(
  names: readonly SegmentName[],
  writers: ReadonlyMap<string, WriterRecord>,
): SegmentName | undefined {
  const ready = [...writers].filter(([, { after }]) => after !== undefined);
  const [token, record] = ready.reduce<readonly [string, WriterRecord] | readonly []>(
    (last, one) => (one[1].epoch > (last[1]?.epoch ?? 0) ? one : last),
    [],
  );
  const newest = newestOf(names);
  if (!record) return newest;
  const own = newestOf(names.filter((name) => name.token === token));
  const known = parseName(record.tail ?? record.after ?? '');
  const tail = own && !(known && known.id > own.id) ? own : known;
  // Where the last one's own record is lost, its commits tell of it: they begin behind those of the one before.
  const isLater = newest && newest.epoch > record.epoch && newest.id >= (tail?.id ?? 0);
  return isLater ? newest : tail;
}
