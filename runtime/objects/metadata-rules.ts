/** Field errors of the maps and lists in an object's metadata: labels, annotations, finalizers, managed fields. */
import type { FieldError, ManagedFieldsEntry } from '../contract/index.js';
import { invalidValue, stringList, tooLong } from './field-error.js';
import { isPlainManager, validateFieldManager } from './field-manager.js';
import { annotationKey, labelValue, qualifiedNameCheck } from './names/key-names.js';
import { unqualifiedFinalizer } from './names/names.js';
import { byteLength } from './printing.js';

/** So many errors of one map or list are told; nobody reads more, and each costs memory. */
const maxTold = 1000;

/** The most bytes that all annotations of an object may have together, keys and values. */
export const maxAnnotationBytes = 256 * 1024;

/** Errors of labels, or of a selector's `matchLabels`; all are reported at the map itself. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (errors.length >= maxTold) break;
    for (const problem of qualifiedNameCheck(key)) errors.push(invalidValue(field, key, problem));
    for (const problem of labelValue(value)) errors.push(invalidValue(field, value, problem));
  }
  return errors;
}

/** Errors of annotations: their keys, and the size of all together. */
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

/** Errors of finalizers, told at the list. */
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

/** Errors of finalizers without a domain that are none of the standard ones, told at the item. */
export function validateStandardFinalizers(finalizers: readonly string[], field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of finalizers.entries()) {
    const problem = errors.length < maxTold ? unqualifiedFinalizer(name) : undefined;
    if (problem !== undefined) errors.push(invalidValue(`${field}[${index}]`, name, problem));
  }
  return errors;
}

/** The most bytes that the name of a subresource may have in an entry of managed fields. */
const maxSubresourceBytes = 256;

/** Errors of entries of managed fields whose field sets could be read. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { manager, subresource }] of entries.entries()) {
    if (errors.length >= maxTold) break;
    // Nearly all entries are plain, and need no path that errors would have.
    if (manager && !isPlainManager(manager)) {
      errors.push(...validateFieldManager(manager, `${field}[${index}].manager`));
    }
    if (subresource && byteLength(subresource) > maxSubresourceBytes) {
      errors.push(tooLong(`${field}[${index}].subresource`, maxSubresourceBytes));
    }
  }
  return errors;
}
