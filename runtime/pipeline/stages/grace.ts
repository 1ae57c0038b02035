/** The time that objects of some kinds have between their deletion and their end. */
import type { ApiObject, ObjectMeta } from '../../contract/index.js';
import { formatTime } from '../../objects/time/time.js';
import type { Write } from '../write.js';

/**
 * What a delete does to the time that an object has left: its kind gives none (`none`), it has just been set (`begun`),
 * or the object goes on as it does already (`pending`).
 */
export type Grace = 'none' | 'begun' | 'pending';

/** Sets when an object ends, in place. A time that has been set before can only become shorter. */
export function beginGrace(write: Write, asked: number | undefined, object: ApiObject): Grace {
  // Less than nothing is as short as can be without being at once.
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  const period = write.resource.strategy?.gracePeriod?.(object, wanted);
  if (period === undefined) return 'none';
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return shorten(metadata, wanted);
  setEnd(metadata, Date.parse(write.now), period);
  if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  return 'begun';
}

function shorten(metadata: ObjectMeta, wanted: number | undefined): Grace {
  const before = metadata.deletionGracePeriodSeconds;
  if (before === undefined) return 'none';
  if (wanted === undefined || wanted >= before) return 'pending';
  setEnd(metadata, Date.parse(metadata.deletionTimestamp ?? '') - before * 1000, wanted);
  return 'begun';
}

/** The last time that RFC 3339 can say, in milliseconds since the epoch. */
const endOfTime = Date.parse('9999-12-31T23:59:59Z');

function setEnd(metadata: ObjectMeta, start: number, seconds: number): void {
  metadata.deletionTimestamp = formatTime(Math.min(start + seconds * 1000, endOfTime));
  metadata.deletionGracePeriodSeconds = seconds;
}
