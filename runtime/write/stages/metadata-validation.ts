/** Checks the metadata of objects to be created and updated, as every kind shares it. */
import type { ApiObject, FieldError, ObjectMeta, OwnerReference } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { forbidden, invalidValue, required, stringList, Verbatim } from '../../objects/field-error.js';
import {
  validateAnnotations,
  validateFinalizers,
  validateLabels,
  validateManagedFields,
  validateStandardFinalizers,
} from '../../objects/metadata-rules.js';
import { generateNameStem, nameFormat, objectNameProblems, pathSegment } from '../../objects/names/names.js';
import type { ResourceNames, VersionCode } from '../../resource/served-resource.js';

/** Everything that is wrong with the metadata of a new object. */
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

/**
 * Everything that is wrong with the metadata of an update, as often as the reference tells it: what any object may get
 * wrong once, what a change may get wrong twice, and labels, annotations, owners and managers each time.
 */
export function validateMetadataUpdate(resource: ResourceNames, object: ApiObject, old: ApiObject): FieldError[] {
  const { metadata } = object;
  const shared = sharedErrors(metadata);
  const finalizers = standardFinalizerErrors(resource, metadata);
  const changed = changeErrors(metadata, old.metadata);
  if (shared.length + finalizers.length + changed.length === 0) return formErrors(metadata, shared);
  return [...formErrors(metadata, shared), ...changed, ...shared, ...changed, ...shared, ...finalizers];
}

/** Returns the errors of metadata by itself; kinds that check the whole object again in an update tell them twice. */
export function validateMetadataAgain(resource: ResourceNames, { metadata }: ApiObject): FieldError[] {
  return [...formErrors(metadata, sharedErrors(metadata)), ...standardFinalizerErrors(resource, metadata)];
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

/** A time as error messages print it. */
const timeText = (time: string): Verbatim =>
  new Verbatim(`${time.replace('T', ' ').replace(/\.\d+/, '').replace('Z', '')} +0000 UTC`);

/** Returns the problems of a name; `prefix` says that it is one for generated names. */
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

/** Returns the errors of metadata by itself; `shared` are those that are told of changes, too. */
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
  if (metadata.ownerReferences) errors.push(...ownerReferenceErrors(metadata.ownerReferences));
  if (metadata.managedFields) errors.push(...validateManagedFields(metadata.managedFields, 'metadata.managedFields'));
  return errors;
}

/** Built-in kinds ask that finalizers without a domain are standard ones. */
function standardFinalizerErrors({ module }: ResourceNames, { finalizers }: ObjectMeta): readonly FieldError[] {
  if (!finalizers || module.decoding !== 'typed') return [];
  return validateStandardFinalizers(finalizers, 'metadata.finalizers');
}

function newFinalizers(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  const known = new Set(before.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${stringList(added).text}`;
  return [forbidden('metadata.finalizers', detail)];
}

/** So many errors of owner references are told, or references printed in them. */
const maxTold = 1000;

function ownerReferenceErrors(references: readonly OwnerReference[]): FieldError[] {
  const errors: FieldError[] = [];
  const path = 'metadata.ownerReferences';
  for (const reference of references) {
    if (errors.length >= maxTold) break;
    const version = versionOf(reference.apiVersion ?? '');
    if (version === '')
      errors.push(invalidValue(`${path}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty'));
    if (!reference.kind) errors.push(invalidValue(`${path}.kind`, '', 'kind must not be empty'));
    if (!reference.name) errors.push(invalidValue(`${path}.name`, '', 'name must not be empty'));
    if (!reference.uid) errors.push(invalidValue(`${path}.uid`, '', 'uid must not be empty'));
    if (reference.kind === 'Event' && reference.apiVersion === 'v1') {
      errors.push(
        invalidValue(path, reference, `/${reference.apiVersion}, Kind=Event is disallowed from being an owner`),
      );
    }
  }
  errors.push(...controllerErrors(path, references));
  return errors;
}

function controllerErrors(path: string, references: readonly OwnerReference[]): FieldError[] {
  const controllers = references.filter((reference) => reference.controller === true);
  const [first] = controllers;
  return controllers
    .slice(1, 2 + maxTold / references.length)
    .map((other) =>
      invalidValue(
        path,
        references.slice(),
        `Only one reference can have Controller set to true. Found "true" in references for ${first?.kind}/${first?.name} and ${other.kind}/${other.name}`,
      ),
    );
}

/** The version part of an apiVersion; empty where the text is no apiVersion. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}
