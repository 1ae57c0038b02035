/** Field errors of the maps and lists in an object's metadata: labels, annotations, finalizers, owners, managed fields. */
import type { FieldError, JsonObject, ManagedFieldsEntry, OwnerReference } from '../../contract/index.js';
import { invalidValue, stringList, tooLong, Verbatim } from '../field-error.js';
import { writeJson } from '../from-below.js';
import { byCodePoint, pointerSource, quote } from '../printing.js';
import { annotationKey, byteLength, labelValue, qualifiedNameCheck } from './name-checks.js';
import { unqualifiedFinalizer } from './names.js';

/** The most errors to report for one map or list. Nobody reads more, and each costs memory. */
const maxTold = 1000;

/** The most bytes that all annotations of an object may have together, keys and values. */
export const maxAnnotationBytes = 256 * 1024;

/** Checks labels, or the `matchLabels` of a selector. All errors are at the map itself. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (errors.length >= maxTold) break;
    for (const problem of qualifiedNameCheck(key)) errors.push(invalidValue(field, key, problem));
    for (const problem of labelValue(value)) errors.push(invalidValue(field, value, problem));
  }
  return errors;
}

/** Checks the keys of annotations, and the size of all annotations together. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>>,
  field: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    if (errors.length < maxTold)
      for (const problem of annotationKey(key)) errors.push(invalidValue(field, key, problem));
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes));
  return errors;
}

/** Checks finalizers. The errors are at the list. */
export function validateFinalizers(finalizers: readonly string[], field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of finalizers) {
    if (errors.length >= maxTold) break;
    for (const problem of qualifiedNameCheck(name)) errors.push(invalidValue(field, name, problem));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const problem = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalidValue(field, stringList(finalizers), problem));
  }
  return errors;
}

/** Checks that finalizers without a domain are standard ones. The errors are at the items. */
export function validateStandardFinalizers(finalizers: readonly string[], field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of finalizers.entries()) {
    const problem = errors.length < maxTold ? unqualifiedFinalizer(name) : undefined;
    if (problem !== undefined) errors.push(invalidValue(`${field}[${index}]`, name, problem));
  }
  return errors;
}

/** Returns warnings about finalizers of custom resources without a domain, except standard ones. */
export const finalizerAdvice = (finalizers: readonly string[], field: string): readonly string[] =>
  [...finalizers].sort(byCodePoint).flatMap((name) => {
    const place = `${field}: ${quote(name)}: `;
    const advice =
      'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
    const problems = qualifiedNameCheck(name).map((problem) => place + problem);
    return unqualifiedFinalizer(name) === undefined ? problems : [...problems, place + advice];
  });

/** The most bytes that the name of a subresource may have in an entry of managed fields. */
const maxSubresourceBytes = 256;

/** Checks entries of managed fields with readable field sets. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { manager, subresource }] of entries.entries()) {
    if (errors.length >= maxTold) break;
    // Only errors need paths, and nearly all entries have no errors.
    if (manager && !isPlainManager(manager)) {
      errors.push(...validateFieldManager(manager, `${field}[${index}].manager`));
    }
    if (subresource && byteLength(subresource) > maxSubresourceBytes) {
      errors.push(tooLong(`${field}[${index}].subresource`, maxSubresourceBytes));
    }
  }
  return errors;
}

/** The most bytes that the name of a field manager may have. */
export const maxManagerBytes = 128;

/** Returns whether a character is a letter, mark, number, punctuation mark, symbol or the plain space. */
export const isPrintable = (character: string): boolean =>
  character === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character);

/** Returns whether a manager's name is short, printable ASCII. Nearly all names are. */
export const isPlainManager = (manager: string): boolean => /^[ -~]{0,128}$/.test(manager);

/** Returns all errors of a manager's name: its length, and each character that cannot be printed. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  if (isPlainManager(manager)) return [];
  const errors = byteLength(manager) > maxManagerBytes ? [tooLong(field, maxManagerBytes)] : [];
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}

/** Checks the owners of an object. */
export function validateOwnerReferences(references: readonly OwnerReference[]): readonly FieldError[] {
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
        invalidValue(
          path,
          printedOwners(reference),
          `/${reference.apiVersion}, Kind=Event is disallowed from being an owner`,
        ),
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
        printedOwners(references.slice()),
        `Only one reference can have Controller set to true. Found "true" in references for ${first?.kind}/${first?.name} and ${other.kind}/${other.name}`,
      ),
    );
}

/** Prints owners. JSON has the fields in the order of the type. */
const printedOwners = (owners: OwnerReference | OwnerReference[]): Verbatim =>
  Array.isArray(owners)
    ? new Verbatim(`[]v1.OwnerReference{${owners.map(ownerSource).join(', ')}}`, writeJson(owners.map(inOrder)))
    : new Verbatim(ownerSource(owners), writeJson(inOrder(owners)));

function ownerSource({ apiVersion = '', kind = '', name = '', uid = '', ...more }: OwnerReference): string {
  const texts = Object.entries({ APIVersion: apiVersion, Kind: kind, Name: name, UID: uid });
  const flags = Object.entries({ Controller: more.controller, BlockOwnerDeletion: more.blockOwnerDeletion });
  const members = [
    ...texts.map(([key, text]) => `${key}:${quote(text)}`),
    ...flags.map(([key, flag]) => `${key}:${pointerSource('bool', flag !== undefined)}`),
  ];
  return `v1.OwnerReference{${members.join(', ')}}`;
}

function inOrder({ apiVersion = '', kind = '', name = '', uid = '', ...more }: OwnerReference): JsonObject {
  const { controller, blockOwnerDeletion } = more;
  const flags = { ...(controller === undefined ? {} : { controller }) };
  return { apiVersion, kind, name, uid, ...flags, ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }) };
}

/** Returns the version of an apiVersion; empty if the text is not an apiVersion. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}
