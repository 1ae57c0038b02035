/** The stages for metadata: clear and set the server's own fields, and check the fields of clients. */
import type { ApiObject, Failure, FieldError, ObjectMeta, OwnerReference } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { forbidden, invalidValue, required, stringList, Verbatim } from '../../objects/field-error.js';
import { getOwn } from '../../objects/guards.js';
import {
  validateAnnotations,
  validateFinalizers,
  validateLabels,
  validateManagedFields,
  validateOwnerReferences,
  validateStandardFinalizers,
} from '../../objects/names/metadata-rules.js';
import { generateNameStem, nameFormat, objectNameProblems, pathSegment } from '../../objects/names/names.js';
import { quote } from '../../objects/printing.js';
import { badRequest } from '../../objects/status.js';
import type { ResourceNames, ServedResource, VersionCode } from '../../resource/served-resource.js';
import type { Attempt, CreateAttempt, UpdateAttempt, Write } from '../write.js';

type Written = Pick<Attempt, 'object' | 'write'>;

/** Removes the fields of a new object that a client cannot set. */
export function clearSystemFields({ object: { metadata: meta } }: Pick<Attempt, 'object'>): void {
  meta.uid = undefined;
  meta.creationTimestamp = undefined;
  meta.deletionTimestamp = undefined;
  meta.deletionGracePeriodSeconds = undefined;
  meta.selfLink = undefined;
}

/** Sets the server's fields of a new object. */
export function setSystemFields({ object, write }: Written): void {
  object.metadata.uid = write.services.newUid();
  object.metadata.creationTimestamp = write.now;
}

/** The longest prefix for generated names: with the generated characters, the name has the 63 of a label. */
const maxGeneratedPrefix = 58;

/** Names an object that only has a `generateName`. Returns whether it did. */
export function generateName(object: ApiObject, write: Write): boolean {
  const { name, generateName: prefix } = object.metadata;
  if (name || !prefix) return false;
  const random = write.resource.module.nameRule.generated !== 'nothing';
  object.metadata.name = random ? prefix.slice(0, maxGeneratedPrefix) + write.services.nameSuffix() : prefix;
  return true;
}

/**
 * Checks that an object has the name and namespace of the path. A replacement was already checked on arrival, before
 * the server looked for the stored object.
 */
export function placeObject({ object, write, plan: { verb } }: CreateAttempt | UpdateAttempt): Failure | undefined {
  if (verb === 'update') return undefined;
  const misnamed = verb === 'create' ? undefined : checkNameAgrees({ object, write });
  return misnamed ?? placeInNamespace({ object, write });
}

/** Checks the namespace again after mutating admission: plugins and webhooks may have changed or removed it. */
export const placeAdmitted = (attempt: Attempt): Failure | undefined => placeInNamespace(attempt);

/** Sets a missing namespace to the path's, and checks that both agree. Cluster-scoped objects have none. */
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

/** Checks that an object has the name in the path. */
export function checkNameAgrees({ object, write }: Written): Failure | undefined {
  const { name } = object.metadata;
  if (!name) {
    return badRequest(`the name of the object (${write.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name === write.name) return undefined;
  return badRequest(`the name of the object (${name}) does not match the name on the URL (${write.name})`);
}

/** Restores the fields that no update may change: identity, creation, and a deletion in progress. */
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

// Counts `metadata.generation`: the changes of the desired state, not of metadata or of a status with its own
// subresource.

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

/** Counts a change of an existing object. `keepSystemFields` has already set the old value. */
export function countGeneration({ write: { resource }, object, old }: Counted & { readonly old: ApiObject }): void {
  const { generation, subresources } = resource.module;
  if (generation === 'none') return;
  const apart = subresources.some(({ name }) => name === 'status') ? withStatus : undesired;
  if (sameDesiredState(object, old, apart)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** The fields that are not desired state. Without its own subresource, the status is a field like any other. */
const undesired: ReadonlySet<string> = new Set(['metadata', 'apiVersion']);
const withStatus: ReadonlySet<string> = new Set([...undesired, 'status']);

/** Compares field by field, because that is faster than comparing copies without the other fields. */
function sameDesiredState(object: ApiObject, old: ApiObject, apart: ReadonlySet<string>): boolean {
  for (const field in object) {
    if (!apart.has(field) && !equal(getOwn(object, field), getOwn(old, field))) return false;
  }
  for (const field in old) {
    if (!apart.has(field) && getOwn(object, field) === undefined && getOwn(old, field) !== undefined) return false;
  }
  return true;
}

/** Removes repeats in place. `when` is a part of the warning: empty, or ` after mutating admission happens`. */
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

/** Returns a text that only equal references share. */
const identityOf = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);

/** Drops repeated references from a client. A replacement has already lost them on arrival. */
export function dropRepeatedOwners({ write, object, plan }: CreateAttempt): void {
  if (plan.verb !== 'update') dedupOwnerReferences(object, write.warn);
}

/** Drops references that plugins have repeated in mutating admission. */
export const dropRepeatedOwnersAgain = ({ write, object }: Attempt): void =>
  dedupOwnerReferences(object, write.warn, ' after mutating admission happens');

/** Returns all errors in the metadata of a new object. */
export function validateMetadata(resource: ResourceNames & VersionCode, object: ApiObject): FieldError[] {
  const { metadata } = object;
  const errors: FieldError[] = [];
  const { name, generateName } = metadata;
  if (generateName) {
    for (const problem of nameProblems(resource, generateName, true)) {
      errors.push(invalidValue('metadata.generateName', generateName, problem));
    }
  }
  if (!name) errors.push(required('metadata.name', 'name or generateName is required'));
  else
    for (const problem of nameProblems(resource, name, false))
      errors.push(invalidValue('metadata.name', name, problem));
  errors.push(...namespaceErrors(resource, metadata), ...formErrors(metadata, sharedErrors(metadata)));
  errors.push(...standardFinalizerErrors(resource, metadata));
  return errors;
}

/** The errors of metadata in an update, by the checks that find them. */
interface MetadataErrors {
  /** Errors from checks of every kind. */
  readonly common: readonly FieldError[];
  /** Errors from the check `metadata`. */
  readonly alone: readonly FieldError[];
  /** Errors from the check `metadata changes`. */
  readonly changes: readonly FieldError[];
}

const noErrors: MetadataErrors = { common: [], alone: [], changes: [] };

/** Returns all errors in the metadata of an update. Several checks find the same errors. */
export function validateMetadataUpdate(
  resource: ResourceNames & VersionCode,
  object: ApiObject,
  old: ApiObject,
): MetadataErrors {
  const { metadata } = object;
  const shared = sharedErrors(metadata);
  const form = formErrors(metadata, shared);
  const finalizers = standardFinalizerErrors(resource, metadata);
  const changed = changeErrors(metadata, old.metadata);
  if (form.length + finalizers.length + changed.length === 0) return noErrors;
  return {
    common: [...form, ...changed, ...shared],
    alone: [...form, ...finalizers],
    changes: [...changed, ...shared, ...finalizers],
  };
}

/** Returns the errors of changes that no update may make to metadata. */
function changeErrors(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (before.deletionTimestamp !== undefined) errors.push(...newFinalizers(metadata, before));
  if (!metadata.resourceVersion) {
    errors.push(
      invalidValue('metadata.resourceVersion', metadata.resourceVersion ?? '', 'must be specified for an update'),
    );
  }
  if ((metadata.generation ?? 0) < (before.generation ?? 0)) {
    errors.push(invalidValue('metadata.generation', metadata.generation ?? 0, 'must not be decremented'));
  }
  for (const field of immutableFields) {
    const value = metadata[field];
    if (equal(value, before[field])) continue;
    const printed = field.endsWith('Timestamp') && typeof value === 'string' ? timeText(value) : value;
    errors.push(invalidValue(`metadata.${field}`, printed, 'field is immutable'));
  }
  return errors;
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Returns a time as error messages print it. */
const timeText = (time: string): Verbatim =>
  new Verbatim(`${time.replace('T', ' ').replace(/\.\d+/, '').replace('Z', '')} +0000 UTC`, quote(time));

/** Returns the problems of a name. `prefix` is true for the start of generated names. */
function nameProblems(resource: ResourceNames & VersionCode, name: string, prefix: boolean): readonly string[] {
  const validate = resource.handlers?.validateName;
  if (validate) return validate(name, prefix);
  const { format, maxLength } = resource.module.nameRule;
  const check = nameFormat(format) ?? pathSegment;
  const problems = objectNameProblems(check, prefix ? generateNameStem(name) : name);
  if (problems.length > 0 || maxLength === undefined || name.length <= maxLength) return problems;
  return [...problems, `must be no more than ${maxLength} characters`];
}

function namespaceErrors(resource: ResourceNames, { namespace }: ObjectMeta): FieldError[] {
  if (resource.module.scope === 'Cluster') {
    return namespace ? [forbidden('metadata.namespace', 'not allowed on this type')] : [];
  }
  if (!namespace) return [required('metadata.namespace')];
  const problems = nameFormat('dns-1123-label')?.(namespace) ?? [];
  return problems.map((problem) => invalidValue('metadata.namespace', namespace, problem));
}

/** Returns the errors of metadata by itself. `shared` are the errors that the check of changes reports, too. */
function formErrors(metadata: ObjectMeta, shared: readonly FieldError[]): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.generation !== undefined && metadata.generation < 0) {
    errors.push(invalidValue('metadata.generation', metadata.generation, 'must be greater than or equal to 0'));
  }
  errors.push(...shared);
  if (metadata.finalizers) errors.push(...validateFinalizers(metadata.finalizers, 'metadata.finalizers'));
  return errors;
}

function sharedErrors(metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.labels) errors.push(...validateLabels(metadata.labels, 'metadata.labels'));
  if (metadata.annotations) errors.push(...validateAnnotations(metadata.annotations, 'metadata.annotations'));
  if (metadata.ownerReferences) errors.push(...validateOwnerReferences(metadata.ownerReferences));
  if (metadata.managedFields) errors.push(...validateManagedFields(metadata.managedFields, 'metadata.managedFields'));
  return errors;
}

/** Checks that finalizers without a domain are standard ones, for most built-in kinds. */
function standardFinalizerErrors(
  { module, handlers }: ResourceNames & VersionCode,
  { finalizers }: ObjectMeta,
): readonly FieldError[] {
  if (!finalizers || module.decoding !== 'typed' || handlers?.metadataChecks) return [];
  return validateStandardFinalizers(finalizers, 'metadata.finalizers');
}

function newFinalizers(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  const known = new Set(before.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${stringList(added).text}`;
  return [forbidden('metadata.finalizers', detail)];
}
