/** What policies demand, and the notes that they leave. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { hasAt, objectsAt } from '../shared/reading.js';
import { expressionErrors } from './policy-expressions.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;
const maxAnnotations = 20;
const maxValueBytes = 5 * 1024;

/** What is wrong with the demands and notes of a policy, of which there has to be something. */
export function policyErrors(policyName: string, spec: JsonObject): readonly FieldError[] {
  const validations = objectsAt(spec, 'validations');
  const annotations = objectsAt(spec, 'auditAnnotations');
  if (validations.length === 0 && annotations.length === 0) {
    const rule = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', rule), required('spec.auditAnnotations', rule)];
  }
  const params = hasAt(spec, 'paramKind');
  const path = 'spec.auditAnnotations';
  return [
    ...validations.flatMap((one, i) => validationErrors(one, `spec.validations[${i}]`, params)),
    ...(annotations.length > maxAnnotations
      ? [invalidValue(path, [...annotations], `must not have more than ${maxAnnotations} auditAnnotations`)]
      : []),
    ...annotationErrors(policyName, annotations, path, params),
  ];
}

function validationErrors(validation: JsonObject, field: string, params: boolean): readonly FieldError[] {
  const text = stringAt(validation, 'expression');
  const sees = { params, authorizer: true, yields: ['bool'] } as const;
  return [
    ...(text.trim() === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : expressionErrors(text, `${field}.expression`, sees)),
    ...messageExpressionErrors(stringAt(validation, 'messageExpression'), `${field}.messageExpression`, params),
    ...messageErrors(stringAt(validation, 'message'), `${field}.message`),
    ...reasonErrors(validation, `${field}.reason`),
  ];
}

function messageExpressionErrors(text: string, field: string, params: boolean): readonly FieldError[] {
  if (text === '') return [];
  if (text.trim() === '') return [invalidValue(field, text, 'must be non-empty if specified')];
  return expressionErrors(text, field, { params, authorizer: false, yields: ['string'] });
}

function messageErrors(text: string, field: string): readonly FieldError[] {
  if (text === '') return [];
  const trimmed = text.trim();
  if (trimmed === '') return [invalidValue(field, text, 'message must be non-empty if specified')];
  return /[\n\r]/.test(trimmed) ? [invalidValue(field, text, 'message must not contain line breaks')] : [];
}

function reasonErrors(validation: JsonObject, field: string): readonly FieldError[] {
  const reason = stringAt(validation, 'reason');
  if (!hasAt(validation, 'reason') || reasons.some((known) => known === reason)) return [];
  return [notSupported(field, reason, reasons)];
}

function annotationErrors(
  policyName: string,
  annotations: readonly JsonObject[],
  path: string,
  params: boolean,
): readonly FieldError[] {
  const seen = new Set<string>();
  return annotations.flatMap((annotation, i) => {
    const key = stringAt(annotation, 'key');
    const again = seen.has(key) ? [duplicate(`${path}[${i}].key`, key)] : [];
    seen.add(key);
    return [
      ...keyErrors(policyName, key, `${path}[${i}].key`),
      ...valueErrors(stringAt(annotation, 'valueExpression'), `${path}[${i}].valueExpression`, params),
      ...again,
    ];
  });
}

/** The key of a note is the policy's name, a slash, and what the policy calls it. */
function keyErrors(policyName: string, key: string, field: string): readonly FieldError[] {
  if (policyName === '') return [invalidValue(field, key, 'requires metadata.name be non-empty')];
  const whole = `${policyName}/${key}`;
  return qualifiedNameCheck(whole).map((problem) => invalidValue(field, whole, problem));
}

function valueErrors(text: string, field: string, params: boolean): readonly FieldError[] {
  const trimmed = text.trim();
  if (trimmed === '') return [required(field, 'valueExpression is not specified')];
  if (byteLength(trimmed) > maxValueBytes) return [required(field, `must not exceed ${maxValueBytes} bytes in length`)];
  return expressionErrors(trimmed, field, { params, authorizer: true, yields: ['string', 'null'] });
}
