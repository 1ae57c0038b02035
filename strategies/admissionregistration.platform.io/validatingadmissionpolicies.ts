/** ValidatingAdmissionPolicy: the rules of its spec and status, and how tables show it. */
import { defineValidatingAdmissionPolicyHandlers } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicies/handlers.js';
import type { ValidatingAdmissionPolicy } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicies/types.js';
import type {
  AuditAnnotation,
  ExpressionWarning,
  Validation,
} from '../../generated/types/admissionregistration/v1/types.js';
import type { ValidatingAdmissionPolicySpec } from '../../generated/types/admissionregistration/v1alpha1/types.js';
import type { Visible } from '../../runtime/cel/index.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { byteLength, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { compileJsonPath } from '../../runtime/objects/selectors/json-path.js';
import { checkedConditionFields, conditionErrors } from '../shared/conditions.js';
import {
  checkExpression,
  checkVariables,
  expressionErrors,
  functionsIn,
  matchConditionErrors,
  type Seen,
} from './policy-expressions.js';
import { constraintErrors, failureErrors, paramKindErrors, paramKindText } from './policy-specs.js';

type Policy = DraftObject<ValidatingAdmissionPolicy>;

export function defineValidatingAdmissionPolicies(release: Release = emulate()): KindHandlers {
  const later = release.does('laterPolicies');
  const functions = functionsIn(release);
  return defineValidatingAdmissionPolicyHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    errorOrder: ['status.typeChecking', ...checkedConditionFields('status.conditions')],
    prepareChecks: (policy, old, { subresource }) => {
      if (subresource === 'status') return [];
      functions.keep(policy, old);
      return checkExpressions(policy.spec ?? {}, { later, ...functions.of(policy) });
    },
    validate: (policy, { subresource }) =>
      subresource === 'status' ? statusErrors(policy) : specErrors(policy, { later, ...functions.of(policy) }),
    columns: {
      Validations: ({ spec }) => spec?.validations?.length ?? 0,
      ParamKind: ({ spec }) => paramKindText(spec?.paramKind),
    },
  });
}

/** The release of the functions and variables of expressions. */
type Released = Pick<Seen, 'later' | 'narrow' | 'kept'>;

function specErrors({ metadata, spec = {} }: Policy, released: Released): readonly FieldError[] {
  const { later = false } = released;
  const { paramKind, matchConstraints, matchConditions } = spec;
  const sees = { params: paramKind !== undefined, authorizer: true, ...released };
  const variables = checkVariables(later ? spec.variables : undefined, 'spec.variables', sees);
  return [
    ...failureErrors(spec.failurePolicy),
    ...paramKindErrors(paramKind),
    ...constraintErrors(matchConstraints, later),
    ...matchConditionErrors(matchConditions, 'spec.matchConditions', { ...sees, yields: ['bool'] }),
    ...variables.errors,
    ...policyErrors(metadata.name ?? '', spec, variables.visible),
  ];
}

function statusErrors({ status }: Policy): readonly FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? [];
  return [
    ...warnings.flatMap((warning, i) => warningErrors(warning, `status.typeChecking.expressionWarnings[${i}]`)),
    ...conditionErrors(status?.conditions, 'status.conditions'),
  ];
}

function warningErrors(
  { fieldRef = '', warning = '' }: Draft<ExpressionWarning>,
  field: string,
): readonly FieldError[] {
  const reference = fieldRef.trim();
  const silent = warning === '' ? [required(`${field}.warning`)] : [];
  if (reference === '') return [...silent, required(`${field}.fieldRef`)];
  const path = reference.startsWith('.') ? reference : `.${reference}`;
  const read = compileJsonPath(path);
  if (read.ok) return silent;
  const problem = read.failure.message.replace(` ${quote(path)}`, '');
  return [...silent, invalidValue(`${field}.fieldRef`, reference, problem)];
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;
const maxAnnotations = 20;
const maxValueBytes = 5 * 1024;

/** Checks the expressions of a policy step by step; the results are kept for `policyErrors`. */
function* checkExpressions(spec: Draft<ValidatingAdmissionPolicySpec>, released: Released): Generator<undefined> {
  const params = spec.paramKind !== undefined;
  // With variables, results are not kept.
  if (spec.variables?.length) return;
  for (const { expression = '', messageExpression = '' } of spec.validations ?? []) {
    if (expression.trim() !== '') checkExpression(expression, { params, authorizer: true, ...released });
    if (messageExpression.trim() !== '') checkExpression(messageExpression, { params, authorizer: false, ...released });
    yield;
  }
}

/** A policy has at least one validation or audit annotation. */
function policyErrors(
  policyName: string,
  spec: Draft<ValidatingAdmissionPolicySpec>,
  visible: Visible,
): readonly FieldError[] {
  const { validations = [], auditAnnotations: annotations = [] } = spec;
  if (validations.length === 0 && annotations.length === 0) {
    const rule = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', rule), required('spec.auditAnnotations', rule)];
  }
  const path = 'spec.auditAnnotations';
  return [
    ...validations.flatMap((one, i) => validationErrors(one, `spec.validations[${i}]`, visible)),
    ...(annotations.length > maxAnnotations
      ? [invalidValue(path, [...annotations], `must not have more than ${maxAnnotations} auditAnnotations`)]
      : []),
    ...annotationErrors(policyName, annotations, path, visible),
  ];
}

function validationErrors(
  { expression: text = '', message = '', messageExpression = '', reason }: Draft<Validation>,
  field: string,
  visible: Visible,
): readonly FieldError[] {
  return [
    ...(text.trim() === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : expressionErrors(text, `${field}.expression`, { ...visible, yields: ['bool'] })),
    ...messageExpressionErrors(messageExpression, `${field}.messageExpression`, visible),
    ...messageErrors(message, `${field}.message`, visible.later === true),
    ...reasonErrors(reason, `${field}.reason`),
  ];
}

function messageExpressionErrors(text: string, field: string, visible: Visible): readonly FieldError[] {
  if (text === '') return [];
  if (text.trim() === '') return [invalidValue(field, text, 'must be non-empty if specified')];
  return expressionErrors(text, field, { ...visible, authorizer: false, yields: ['string'] });
}

function messageErrors(text: string, field: string, later: boolean): readonly FieldError[] {
  if (text === '') return [];
  const subject = later ? '' : 'message ';
  const trimmed = text.trim();
  if (trimmed === '') return [invalidValue(field, text, `${subject}must be non-empty if specified`)];
  return /[\n\r]/.test(trimmed) ? [invalidValue(field, text, `${subject}must not contain line breaks`)] : [];
}

function reasonErrors(reason: string | undefined, field: string): readonly FieldError[] {
  if (reason === undefined || reasons.some((known) => known === reason)) return [];
  return [notSupported(field, reason, reasons)];
}

function annotationErrors(
  policyName: string,
  annotations: readonly Draft<AuditAnnotation>[],
  path: string,
  visible: Visible,
): readonly FieldError[] {
  const seen = new Set<string>();
  return annotations.flatMap(({ key = '', valueExpression = '' }, i) => {
    const again = seen.has(key) ? [duplicate(`${path}[${i}].key`, key)] : [];
    seen.add(key);
    return [
      ...keyErrors(policyName, key, `${path}[${i}].key`),
      ...valueErrors(valueExpression, `${path}[${i}].valueExpression`, visible),
      ...again,
    ];
  });
}

/** The key of an audit annotation in the log is the policy's name, a slash, and the key in the policy. */
function keyErrors(policyName: string, key: string, field: string): readonly FieldError[] {
  if (policyName === '') return [invalidValue(field, key, 'requires metadata.name be non-empty')];
  const whole = `${policyName}/${key}`;
  return qualifiedNameCheck(whole).map((problem) => invalidValue(field, whole, problem));
}

function valueErrors(text: string, field: string, visible: Visible): readonly FieldError[] {
  const trimmed = text.trim();
  if (trimmed === '') return [required(field, 'valueExpression is not specified')];
  if (byteLength(trimmed) > maxValueBytes) return [required(field, `must not exceed ${maxValueBytes} bytes in length`)];
  return expressionErrors(trimmed, field, { ...visible, yields: ['string', 'null_type'] });
}
