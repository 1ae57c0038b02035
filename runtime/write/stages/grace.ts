/** The stage of a delete that gives an object of some kinds time until it ends. */
import type { ObjectMeta } from '../../contract/index.js';
import { formatTime } from '../../objects/time/time.js';
import type { DeleteAttempt, StageAnswer } from '../attempt.js';

/** A time that was set before and stays as it is; one that has just been set; or none, of kinds that give none. */
type Grace = 'none' | 'begun' | 'pending';

/** Sets when the object ends. A delete that leaves the time as it was set before ends here. */
export function beginGrace(attempt: DeleteAttempt): StageAnswer {
  const { object, entry } = attempt;
  const grace = graceOf(attempt);
  attempt.graceBegun = grace === 'begun';
  return grace === 'pending' ? { outcome: { object, entry, created: false, removed: false } } : undefined;
}

/** Sets the end of an object, in place. A time that has been set before can only become shorter. */
function graceOf({ write, object, plan: { gracePeriodSeconds: asked } }: DeleteAttempt): Grace {
  // Less than nothing is as short as can be without being at once.
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  const period = write.resource.handlers?.gracePeriod?.(object, wanted);
  if (period === undefined) return 'none';
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return shorten(metadata, wanted);
  setEnd(metadata, Date.parse(write.now), period);
  if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  return 'begun';
}

function shorten(metadata: ObjectMeta, wanted: number | undefined): Grace {
  const before = metadata.deletionGracePeriodSeconds;
  // One whose time is over and that nothing holds was marked by a delete that came no further.
  if (before === undefined || (before === 0 && !metadata.finalizers?.length)) return 'none';
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
