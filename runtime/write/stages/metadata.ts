/** Metadata that belongs to the server: cleared from what clients send, and set when an object is created. */
import type { ApiObject, Failure, OwnerReference } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { getOwn } from '../../objects/guards.js';
import { badRequest } from '../../objects/status.js';
import type { ServedResource } from '../../resource/served-resource.js';
import type { Attempt, CreateAttempt, UpdateAttempt, Write } from '../write.js';

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

export function nameObject(attempt: CreateAttempt): void {
  const { write, object } = attempt;
  attempt.generated = generateName(object, write);
  // Defaults may depend on the name.
  if (attempt.generated) write.resource.handlers?.canonicalize?.(object);
}

// Counts `metadata.generation`: changes of the desired state, not of metadata, nor of a status with its own subresource.

/** The part of an attempt that it looks at. */
interface Counted {
  readonly write: { readonly resource: Pick<ServedResource, 'module'> };
  readonly object: ApiObject;
}

/** Sets the first generation of a new object. */
export function startGeneration({ write: { resource }, object }: Counted): void {
  const rule = resource.module.generation;
  if (rule === 'counted') object.metadata.generation = 1;
  else if (rule === 'after-change') object.metadata.generation = undefined;
}

/** Counts a change of an existing object; `keepSystemFields` has already taken over the old value. */
export function countGeneration({ write: { resource }, object, old }: Counted & { readonly old: ApiObject }): void {
  const { generation, subresources } = resource.module;
  if (generation === 'none') return;
  const apart = subresources.some(({ name }) => name === 'status') ? withStatus : undesired;
  if (sameDesiredState(object, old, apart)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Fields that say nothing of what is wanted. Without a subresource of its own, the status is a field like any. */
const undesired: ReadonlySet<string> = new Set(['metadata', 'apiVersion']);
const withStatus: ReadonlySet<string> = new Set([...undesired, 'status']);

/** Looks at each field in its place: copies without the others would take longer. */
function sameDesiredState(object: ApiObject, old: ApiObject, apart: ReadonlySet<string>): boolean {
  for (const field in object) {
    if (!apart.has(field) && !equal(getOwn(object, field), getOwn(old, field))) return false;
  }
  for (const field in old) {
    if (!apart.has(field) && getOwn(object, field) === undefined && getOwn(old, field) !== undefined) return false;
  }
  return true;
}

/** Removes repeats in place. `when` is added to the warning: empty, or ` after mutating admission happens`. */
export function dedupOwnerReferences(object: ApiObject, warn: (text: string) => void, when = ''): void {
  const references = object.metadata.ownerReferences;
  if (!references || references.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const reference of references) {
    const identity = identityOf(reference);
    if (kept.has(identity)) repeated.add(reference.uid);
    else kept.set(identity, reference);
  }
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = [...kept.values()];
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  );
}

/** Tells references apart by all that they say. */
const identityOf = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);

/** Drops repeated references that a client has sent. A replacement has lost them when it arrived. */
export function dropRepeatedOwners({ write, object, plan }: CreateAttempt): void {
  if (plan.verb !== 'update') dedupOwnerReferences(object, write.warn);
}

/** Drops references that repeat others since mutating admission. */
export const dropRepeatedOwnersAgain = ({ write, object }: Attempt): void =>
  dedupOwnerReferences(object, write.warn, ' after mutating admission happens');
