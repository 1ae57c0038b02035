/** Field errors of the maps and lists in an object's metadata: labels, annotations, finalizers, managed fields. */
import type { FieldError, ManagedFieldsEntry } from '../contract/index.js';
import { invalidValue, stringList, tooLong } from './field-error.js';
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

/** The most bytes that the name of a field manager may have. */
export const maxManagerBytes = 128;

/** Letters, marks, numbers, punctuation, symbols and the plain space. */
export const isPrintable = (character: string): boolean =>
  character === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character);

/** Whether a manager has the name of nearly all: ASCII that can be printed, and not too long. */
export const isPlainManager = (manager: string): boolean => /^[ -~]{0,128}$/.test(manager);

/** Everything that is wrong with a manager's name: its length, and each character that cannot be printed. */
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
