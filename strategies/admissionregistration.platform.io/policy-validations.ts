/** The validations of a policy, and its audit annotations. */
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../../generated/types/admissionregistration/v1alpha1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { checkExpression, expressionErrors } from './policy-expressions.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;
const maxAnnotations = 20;
const maxValueBytes = 5 * 1024;

/** Checks the expressions of a policy one by one; what is found is kept for those who ask for its errors. */
export function* checkExpressions(spec: Draft<ValidatingAdmissionPolicySpec>): Generator<undefined> {
  const params = spec.paramKind !== undefined;
  for (const { expression = '', messageExpression = '' } of spec.validations ?? []) {
    if (expression.trim() !== '') checkExpression(expression, { params, authorizer: true });
    if (messageExpression.trim() !== '') checkExpression(messageExpression, { params, authorizer: false });
    yield;
  }
}

/** Errors of the validations and audit annotations of a policy, which has to have at least one of either. */
export function policyErrors(policyName: string, spec: Draft<ValidatingAdmissionPolicySpec>): readonly FieldError[] {
  const { validations = [], auditAnnotations: annotations = [] } = spec;
  if (validations.length === 0 && annotations.length === 0) {
    const rule = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', rule), required('spec.auditAnnotations', rule)];
  }
  const params = spec.paramKind !== undefined;
  const path = 'spec.auditAnnotations';
  return [
    ...validations.flatMap((one, i) => validationErrors(one, `spec.validations[${i}]`, params)),
    ...(annotations.length > maxAnnotations
      ? [invalidValue(path, [...annotations], `must not have more than ${maxAnnotations} auditAnnotations`)]
      : []),
    ...annotationErrors(policyName, annotations, path, params),
  ];
}

function validationErrors(
  { expression: text = '', message = '', messageExpression = '', reason }: Draft<Validation>,
  field: string,
  params: boolean,
): readonly FieldError[] {
  const sees = { params, authorizer: true, yields: ['bool'] } as const;
  return [
    ...(text.trim() === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : expressionErrors(text, `${field}.expression`, sees)),
    ...messageExpressionErrors(messageExpression, `${field}.messageExpression`, params),
    ...messageErrors(message, `${field}.message`),
    ...reasonErrors(reason, `${field}.reason`),
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

function reasonErrors(reason: string | undefined, field: string): readonly FieldError[] {
  if (reason === undefined || reasons.some((known) => known === reason)) return [];
  return [notSupported(field, reason, reasons)];
}

function annotationErrors(
  policyName: string,
  annotations: readonly Draft<AuditAnnotation>[],
  path: string,
  params: boolean,
): readonly FieldError[] {
  const seen = new Set<string>();
  return annotations.flatMap(({ key = '', valueExpression = '' }, i) => {
    const again = seen.has(key) ? [duplicate(`${path}[${i}].key`, key)] : [];
    seen.add(key);
    return [
      ...keyErrors(policyName, key, `${path}[${i}].key`),
      ...valueErrors(valueExpression, `${path}[${i}].valueExpression`, params),
      ...again,
    ];
  });
}

/** The whole key of an audit annotation is the policy's name, a slash, and the key in the policy. */
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
