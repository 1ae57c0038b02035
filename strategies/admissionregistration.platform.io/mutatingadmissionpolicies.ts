/** MutatingAdmissionPolicy: the rules of its spec, and how tables show it. */
import { defineMutatingAdmissionPolicyHandlers } from '../../generated/admissionregistration.platform.io/v1alpha1/mutatingadmissionpolicies/handlers.js';
import type { MutatingAdmissionPolicy } from '../../generated/admissionregistration.platform.io/v1alpha1/mutatingadmissionpolicies/types.js';
import type { Mutation, NamedRuleWithOperations } from '../../generated/types/admissionregistration/v1/types.js';
import type { MutatingAdmissionPolicySpec } from '../../generated/types/admissionregistration/v1alpha1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import {
  type Compiled,
  checkExpression,
  checkVariables,
  expressionErrors,
  functionsIn,
  matchConditionErrors,
  type Seen,
} from './policy-expressions.js';
import { constraintErrors, failureErrors, paramKindErrors, paramKindText } from './policy-specs.js';

type Spec = Draft<MutatingAdmissionPolicySpec>;

export function defineMutatingAdmissionPolicies(release: Release = emulate()): KindHandlers {
  const functions = functionsIn(release);
  return defineMutatingAdmissionPolicyHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    prepareChecks: (policy, old) => {
      functions.keep(policy, old);
      return checkMutations(policy.spec, functions.of(policy));
    },
    validate: (policy: DraftObject<MutatingAdmissionPolicy>) => specErrors(policy.spec ?? {}, functions.of(policy)),
    columns: {
      Mutations: ({ spec }) => spec?.mutations?.length ?? 0,
      ParamKind: ({ spec }) => paramKindText(spec?.paramKind),
    },
  });
}

type Released = Pick<Seen, 'narrow' | 'kept'>;

/** The variables that every expression of a policy may use. */
const seenBy = ({ paramKind }: Spec, released: Released): Seen => ({
  params: paramKind !== undefined,
  authorizer: true,
  later: true,
  ...released,
});

/** Checks the expressions step by step; the results are kept for `specErrors`. */
function* checkMutations(spec: Spec = {}, released: Released): Generator<undefined> {
  // With variables, results are not kept.
  if (spec.variables?.length) return;
  for (const { applyConfiguration, jsonPatch } of spec.mutations ?? []) {
    const text = (jsonPatch ?? applyConfiguration)?.expression?.trim() ?? '';
    if (text !== '') checkExpression(text, { ...seenBy(spec, released), patches: true });
    yield;
  }
}

function specErrors(spec: Spec, released: Released): readonly FieldError[] {
  const { paramKind, matchConstraints, matchConditions, mutations = [] } = spec;
  const sees = seenBy(spec, released);
  const variables = checkVariables(spec.variables, 'spec.variables', sees);
  const visible = { ...variables.visible, patches: true };
  return [
    ...failureErrors(spec.failurePolicy),
    ...paramKindErrors(paramKind),
    ...constraintErrors(matchConstraints, true),
    ...operationErrors(matchConstraints?.resourceRules, 'spec.matchConstraints.resourceRules'),
    ...matchConditionErrors(matchConditions, 'spec.matchConditions', { ...sees, yields: ['bool'] }),
    ...variables.errors,
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, i) => mutationErrors(mutation, `spec.mutations[${i}]`, visible)),
    ...reinvocationErrors(spec.reinvocationPolicy),
  ];
}

const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'] as const;

/** Checks the operations of rules, which cannot be deletes: a delete has nothing to change. */
export const operationErrors = (
  rules: readonly Draft<NamedRuleWithOperations>[] = [],
  field: string,
): readonly FieldError[] =>
  rules.flatMap(({ operations: matched = [] }) =>
    matched.flatMap((operation) =>
      operations.some((known) => known === operation)
        ? []
        : [notSupported(`${field}.operations`, operation, operations)],
    ),
  );

/** The fields with the expressions, and what these must yield. */
const patchTypes = {
  ApplyConfiguration: { field: 'applyConfiguration', yields: ['Object'] },
  JSONPatch: { field: 'jsonPatch', yields: ['list(JSONPatch)'] },
} as const satisfies Record<string, { readonly field: string; readonly yields: Compiled['yields'] }>;

const patchTypeNames = ['ApplyConfiguration', 'JSONPatch'] as const;

/** A mutation has the field of its type, and no other one. */
function mutationErrors(mutation: Draft<Mutation>, field: string, visible: Seen): readonly FieldError[] {
  const { patchType = '' } = mutation;
  if (patchType === '') return [required(`${field}.patchType`)];
  const type = patchTypeNames.find((known) => known === patchType);
  if (type === undefined) return [notSupported(`${field}.patchType`, patchType, patchTypeNames)];
  const { field: own, yields } = patchTypes[type];
  const other = own === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[own];
  const notOther = `must not be specified when patchType is ${type}`;
  return [
    ...(patch === undefined
      ? [required(`${field}.${own}`, `must be specified when patchType is ${type}`)]
      : patchErrors(patch.expression?.trim() ?? '', `${field}.${own}.expression`, { ...visible, yields })),
    ...(mutation[other] === undefined ? [] : [invalidValue(`${field}.${other}`, `{${other}}`, notOther)]),
  ];
}

const patchErrors = (text: string, field: string, compiled: Compiled): readonly FieldError[] =>
  text === '' ? [required(field)] : expressionErrors(text, field, compiled);

const reinvocations = ['IfNeeded', 'Never'] as const;

function reinvocationErrors(policy = ''): readonly FieldError[] {
  const field = 'spec.reinvocationPolicy';
  if (policy === '') return [required(field)];
  return reinvocations.some((known) => known === policy) ? [] : [notSupported(field, policy, reinvocations)];
}
