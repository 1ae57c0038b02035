/** The stages that look at the revision which an object names. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { invalidValue, Verbatim } from '../../objects/field-error.js';
import { badRequest, invalid } from '../../objects/status.js';
import type { CreateAttempt, UpdateAttempt } from '../attempt.js';
import { modified } from './commit-update.js';

/**
 * Refuses a new object that names a revision, where it is about to be stored: a dry run shows what was sent. What names
 * none is passed over: `0`, and text that is no number. Updates and configurations create whatever they name.
 */
export function refuseRevision({ object, write, plan }: CreateAttempt): Failure | undefined {
  if (write.dryRun) return undefined;
  const { resourceVersion = '' } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (plan.verb !== 'create' || !namesRevision(resourceVersion)) return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
}

const maxRevision = 2n ** 64n - 1n;

/** Zeros before a number do not count; one of more than 20 other digits is too large, and is not read. */
function namesRevision(text: string): boolean {
  const [, digits] = /^0*(\d{1,20})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) <= maxRevision;
}

/** Whether an object names the revision that it is meant to follow. */
export const isPinned = ({ metadata: { resourceVersion } }: ApiObject): boolean =>
  resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0';

/** Refuses an update of another revision than the stored one; an object that names none gets that. */
export function checkRevision({ write, object, entry }: UpdateAttempt): Failure | undefined {
  const current = String(entry.revision);
  const { module } = write.resource;
  if (!isPinned(object)) {
    if (!module.unconditionalUpdate) {
      const error = invalidValue('metadata.resourceVersion', new Verbatim('0x0'), 'must be specified for an update');
      return invalid(module.group, module.names.plural, write.name, [error]);
    }
    object.metadata.resourceVersion = current;
    return undefined;
  }
  return object.metadata.resourceVersion === current ? undefined : modified(write);
}
