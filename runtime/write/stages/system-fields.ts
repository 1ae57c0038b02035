/** Metadata that belongs to the server: cleared from what clients send, and set when an object is created. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { badRequest } from '../../objects/status.js';
import type { Attempt, CreateAttempt, UpdateAttempt } from '../attempt.js';
import type { Write } from '../write.js';

type Written = Pick<Attempt, 'object' | 'write'>;

/** Removes what a client cannot say of a new object. */
export function clearSystemFields({ object: { metadata: meta } }: Pick<Attempt, 'object'>): void {
  meta.uid = undefined;
  meta.creationTimestamp = undefined;
  meta.deletionTimestamp = undefined;
  meta.deletionGracePeriodSeconds = undefined;
  meta.selfLink = undefined;
}

/** Fills in what the server says of a new object. */
export function setSystemFields({ object, write }: Written): void {
  object.metadata.uid = write.services.newUid();
  object.metadata.creationTimestamp = write.now;
}

/** Longest prefix that leaves room for the generated characters within a label's 63. */
const maxGeneratedPrefix = 58;

/** Names an object that came with a `generateName` alone; says whether it did. */
export function generateName(object: ApiObject, write: Write): boolean {
  const { name, generateName: prefix } = object.metadata;
  if (name || !prefix) return false;
  const random = write.resource.module.nameRule.generated !== 'nothing';
  object.metadata.name = random ? prefix.slice(0, maxGeneratedPrefix) + write.services.nameSuffix() : prefix;
  return true;
}

/**
 * Brings an object to the place that the path names. A replacement was brought there when it arrived, before anybody
 * knew whether there is something to replace.
 */
export function placeObject({ object, write, plan: { verb } }: CreateAttempt | UpdateAttempt): Failure | undefined {
  if (verb === 'update') return undefined;
  const misnamed = verb === 'create' ? undefined : checkNameAgrees({ object, write });
  return misnamed ?? placeInNamespace({ object, write });
}

/** Checks the namespace again after mutating admission: plugins and webhooks may have changed or removed it. */
export const placeAdmitted = (attempt: Attempt): Failure | undefined => placeInNamespace(attempt);

/** Brings body and path to one namespace; cluster-scoped objects have none. */
export function placeInNamespace({ object, write }: Written): Failure | undefined {
  const { metadata } = object;
  if (write.resource.module.scope === 'Cluster') {
    metadata.namespace = undefined;
    return undefined;
  }
  if (!metadata.namespace) metadata.namespace = write.namespace;
  if (metadata.namespace === write.namespace) return undefined;
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Checks that an object has the name that the path says. */
export function checkNameAgrees({ object, write }: Written): Failure | undefined {
  const { name } = object.metadata;
  if (!name) {
    return badRequest(`the name of the object (${write.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name === write.name) return undefined;
  return badRequest(`the name of the object (${name}) does not match the name on the URL (${write.name})`);
}

/** Keeps what no update may change: identity, creation, and a deletion that has begun. */
export function keepSystemFields({ object, old }: Pick<UpdateAttempt, 'object' | 'old'>): void {
  const { metadata } = object;
  const before = old.metadata;
  metadata.generation = before.generation;
  metadata.uid ||= before.uid;
  metadata.creationTimestamp = before.creationTimestamp;
  metadata.selfLink = undefined;
  if (before.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp ??= before.deletionTimestamp;
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
}
