/** The reason and the field that a rule gives the error of an object that breaks it. */
import { fieldPathIn } from '../../../../runtime/cel/index.js';
import type { Schema, ValidationRule } from '../../../../runtime/contract/index.js';
import { invalidValue, notSupported } from '../../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../../shared/field-checks.js';

/** Reasons that rules may name. */
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Errors of the reason and the field that a rule of a schema names. */
export function* reportErrors({ reason, fieldPath = '' }: ValidationRule, schema: Schema, path: string): FieldErrors {
  if (reason !== undefined && !reasons.includes(reason)) yield notSupported(`${path}.reason`, reason, reasons);
  yield* pathErrors(fieldPath, schema, `${path}.fieldPath`);
}

function* pathErrors(text: string, schema: Schema, path: string): FieldErrors {
  if (text === '') return;
  if (text.trim() === '') yield invalidValue(path, text, 'fieldPath must be non-empty if specified');
  if (/[\n\r]/.test(text)) yield invalidValue(path, text, 'fieldPath must not contain line breaks');
  const found = fieldPathIn(schema, text);
  if (!found.ok) yield invalidValue(path, text, `fieldPath is not valid: ${found.problem}`);
}
