/** The stage that ends an update which changes nothing: nothing is stored. */
import { equal } from '../../objects/equality.js';
import { isOutdated } from '../../resource/versions.js';
import type { UpdateAttempt } from '../attempt.js';
import type { StageAnswer } from '../run-stages.js';

/** An object that was stored in an earlier version is written again even so. */
export const endUnchanged = ({ write, object, old, entry }: UpdateAttempt): StageAnswer =>
  equal(object, old) && !isOutdated(write.resource.stored, entry)
    ? { outcome: { object: old, entry, created: false, removed: false } }
    : undefined;
