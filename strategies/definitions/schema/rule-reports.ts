/** What a rule may say of the error that is told when it is broken. */
import { fieldPathIn } from '../../../runtime/cel/index.js';
import type { Schema, ValidationRule } from '../../../runtime/contract/index.js';
import { invalidValue, notSupported } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../parts/field-checks.js';

/** Reasons that rules may name. */
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with the reason and the field that a rule of a schema names. */
export function* reportErrors({ reason, fieldPath = '' }: ValidationRule, schema: Schema, path: string): FieldErrors {
  if (reason !== undefined && !reasons.includes(reason)) yield notSupported(`${path}.reason`, reason, reasons);
  if (fieldPath !== '' && fieldPathIn(schema, fieldPath) === '') {
    yield invalidValue(`${path}.fieldPath`, fieldPath, 'must be the path of a field of the schema');
  }
}
