/** Field errors of the maps and lists in an object's metadata: labels, annotations, finalizers. */
import type { FieldError } from '../contract/index.js';
import { invalidValue, stringList, tooLong } from './field-error.js';
import { annotationKey, labelValue, qualifiedNameCheck } from './key-names.js';
import { unqualifiedFinalizer } from './names.js';
import { byteLength } from './printing.js';

/** The most bytes that all annotations of an object may have together, keys and values. */
export const maxAnnotationBytes = 256 * 1024;

/** Errors of labels, or of a selector's `matchLabels`; all are reported at the map itself. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
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
    for (const problem of annotationKey(key)) errors.push(invalidValue(field, key, problem));
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(field, maxAnnotationBytes));
  return errors;
}

/**
 * Errors of finalizers. Built-in kinds (`standard`) also ask that a finalizer without a domain is one of the standard
 * ones; that error is at the item, the others at the list.
 */
export function validateFinalizers(
  finalizers: readonly string[],
  field: string,
  standard: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of finalizers) {
    for (const problem of qualifiedNameCheck(name)) errors.push(invalidValue(field, name, problem));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const problem = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalidValue(field, stringList(finalizers), problem));
  }
  if (!standard) return errors;
  finalizers.forEach((name, index) => {
    const problem = unqualifiedFinalizer(name);
    if (problem !== undefined) errors.push(invalidValue(`${field}[${index}]`, name, problem));
  });
  return errors;
}
