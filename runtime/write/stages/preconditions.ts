/** The stages that look at the revision which an object names. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { invalidValue, Verbatim } from '../../objects/field-error.js';
import { badRequest, conflict, forbiddenObject, invalid } from '../../objects/status.js';
import type { CreateAttempt, DeleteAttempt, UpdateAttempt, Write } from '../write.js';
import { modified } from './commit.js';

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

/**
 * The uid that a replacement names, where it does, must be the stored object's. In a patch it is a field like others.
 */
export const checkUid = ({ write, plan: { uid }, old }: UpdateAttempt): Failure | undefined =>
  !uid || uid === old.metadata.uid ? undefined : uidConflict(write, uid, old.metadata.uid ?? '');

/** The conflict of a uid that the object does not have; `found` is empty where there is no object. */
export function uidConflict(write: Write, uid: string, found: string): Failure {
  const { group, names } = write.resource.module;
  const path = [group, names.plural, write.namespace, write.name].filter((part) => part !== '').join('/');
  return conflict(
    group,
    names.plural,
    write.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}

export function checkDeletePreconditions({ write, plan, old }: DeleteAttempt): Failure | undefined {
  const { uid, resourceVersion } = plan.preconditions;
  const { group, names } = write.resource.module;
  const asStore = write.resource.handlers?.marksFirst !== undefined;
  const refuse = (what: string, wanted: string, found: string): Failure =>
    conflict(
      group,
      asStore ? names.plural : names.kind,
      write.name,
      asStore
        ? `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
        : `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${what === 'UID' ? 'deleted and then recreated' : 'modified'}`,
    );
  if (uid !== undefined && uid !== old.metadata.uid) return refuse('UID', uid, old.metadata.uid ?? '');
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    return refuse('ResourceVersion', resourceVersion, old.metadata.resourceVersion ?? '');
  }
  return undefined;
}

export const authorizeCreate = ({ write, plan }: CreateAttempt): Promise<Failure | undefined> | undefined =>
  plan.verb === 'create' ? undefined : mayCreate(write);

async function mayCreate({ resource, namespace, name, user, services }: Write): Promise<Failure | undefined> {
  const { group, names } = resource.module;
  const asked = { user, verb: 'create', group, resource: names.plural, namespace, name };
  const { decision, reason = '' } = await services.authorizer.decide(asked);
  return decision === 'allow' ? undefined : forbiddenObject(group, names.plural, name, reason);
}
