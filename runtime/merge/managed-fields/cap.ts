/** Keeps the number of managers bounded: the oldest updaters are folded into one per version. */
import { byCodePoint } from '../../objects/printing.js';
import { unionAll } from '../fieldpath/set-algebra.js';
import { type ManagerRecord, type Managers, managerKey } from './managers.js';

/** The most updaters that are told apart. Appliers are not counted. */
export const MAX_UPDATERS = 10;

/** The manager that what the oldest updaters owned is folded into. */
const BUCKET_NAME = 'ancient-changes';

/** Folds the oldest updaters, in place, until there are no more than `MAX_UPDATERS`, one bucket for each version. */
export function capUpdaters(managers: Managers): void {
  let excess = -MAX_UPDATERS;
  for (const record of managers.values()) if (record.operation === 'Update') excess++;
  if (excess <= 0) return;
  const oldest = [...managers.entries()].filter(([, { operation }]) => operation === 'Update').sort(byAge);
  const buckets = new Map<string, Bucket>();
  for (const [key, record] of oldest) {
    if (excess <= 0) break;
    const bucketKey = managerKey({ ...record, manager: BUCKET_NAME, subresource: '' });
    const bucket = buckets.get(bucketKey) ?? openBucket(managers, bucketKey);
    buckets.set(bucketKey, bucket);
    if (key === bucketKey) continue;
    // The version's oldest updater becomes its bucket, which makes no updater less; each later one does.
    if (bucket.folded.length > 0) excess--;
    bucket.folded.push([key, record]);
  }
  for (const [bucketKey, bucket] of buckets) if (bucket.folded.length > 1) fold(managers, bucketKey, bucket);
}

/** The fields of the oldest updaters of one version: those of the bucket that there is, and of those that join it. */
interface Bucket {
  readonly folded: [key: string, record: ManagerRecord][];
}

function openBucket(managers: Managers, bucketKey: string): Bucket {
  const there = managers.get(bucketKey);
  return { folded: there === undefined ? [] : [[bucketKey, there]] };
}

function byAge([aKey, a]: [string, ManagerRecord], [bKey, b]: [string, ManagerRecord]): number {
  return byCodePoint(a.time ?? '', b.time ?? '') || byCodePoint(aKey, bKey);
}

/** Puts the bucket in the place of the updaters that it takes in, with the time of the newest. */
function fold(managers: Managers, bucketKey: string, { folded }: Bucket): void {
  for (const [key] of folded) managers.delete(key);
  const newest = folded.at(-1)?.[1];
  if (newest === undefined) return;
  const { entry: _, encoded: __, ...record } = newest;
  const fields = unionAll(folded.map(([, { fields: owned }]) => owned));
  managers.set(bucketKey, { ...record, manager: BUCKET_NAME, subresource: '', fields });
}
