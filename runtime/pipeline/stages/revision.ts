/** The stages that look at the revision which an object names. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { invalidValue, Verbatim } from '../../objects/field-error.js';
import { badRequest, invalid } from '../../objects/status.js';
import type { Attempt, UpdateAttempt } from '../attempt.js';
import { modified } from './commit-update.js';

/** Refuses a new object that names a revision; `0` names none. */
export function refuseRevision({ object }: Pick<Attempt, 'object'>): Failure | undefined {
  const { resourceVersion } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (!resourceVersion || resourceVersion === '0') return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
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
