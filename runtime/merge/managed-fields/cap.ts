/** Keeps the number of managers bounded: the oldest updaters are folded into one per version. */
import { byCodePoint } from '../../objects/printing.js';
import { union } from '../fieldpath/set-algebra.js';
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
  const firstOfVersion = new Map<string, string>();
  for (const [key, record] of oldest) {
    if (excess <= 0) return;
    const first = firstOfVersion.get(record.apiVersion);
    if (first === undefined) firstOfVersion.set(record.apiVersion, key);
    else if (fold(managers, first, key)) excess--;
  }
}

function byAge([aKey, a]: [string, ManagerRecord], [bKey, b]: [string, ManagerRecord]): number {
  return byCodePoint(a.time ?? '', b.time ?? '') || byCodePoint(aKey, bKey);
}

/**
 * Folds an updater into its version's bucket, which the version's oldest updater becomes; the newer time stays.
 * Whether there is one updater less.
 */
function fold(managers: Managers, first: string, key: string): boolean {
  const record = managers.get(key);
  if (record === undefined) return false;
  const bucketKey = managerKey({ ...record, manager: BUCKET_NAME, subresource: '' });
  const bucket = managers.get(bucketKey) ?? managers.get(first);
  if (bucket === undefined || key === bucketKey) return false;
  if (!managers.has(bucketKey)) managers.delete(first);
  managers.delete(key);
  const { entry: _, encoded: __, ...folded } = record;
  const fields = union(record.fields, bucket.fields);
  managers.set(bucketKey, { ...folded, manager: BUCKET_NAME, subresource: '', fields });
  return true;
}
