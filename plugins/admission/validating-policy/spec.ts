/** Reads validating policies and compiles their expressions. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Steps } from '../../../runtime/objects/turns.js';
import { type Compiled, compile, compileVariables, type NamedExpression } from '../shared/expressions.js';
import { itemsAt } from '../shared/matching.js';
import { type PolicySpec, policySpecOf } from '../shared/policy-spec.js';

export interface ValidatingPolicySpec extends PolicySpec {
  readonly validations: readonly Validation[];
  readonly notes: readonly { readonly key: string; readonly expression: string }[];
}

export interface Validation {
  readonly expression: string;
  /** Empty if missing, as all texts here. */
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
}

export function validatingPolicySpecOf(object: ApiObject): ValidatingPolicySpec {
  const spec = objectAt(object, 'spec');
  return {
    ...policySpecOf(object),
    validations: itemsAt(spec, 'validations').map((validation) => ({
      expression: stringAt(validation, 'expression'),
      message: stringAt(validation, 'message'),
      messageExpression: stringAt(validation, 'messageExpression'),
      reason: stringAt(validation, 'reason'),
    })),
    notes: itemsAt(spec, 'auditAnnotations').map((note) => ({
      key: stringAt(note, 'key'),
      expression: stringAt(note, 'valueExpression'),
    })),
  };
}

/** A validation and its message; `undefined` means that the message has no expression. */
export interface CompiledValidation {
  readonly validation: Validation;
  readonly test: Compiled;
  readonly message: Compiled | undefined;
}

export interface CompiledPolicy {
  readonly conditions: readonly Compiled[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly CompiledValidation[];
  readonly notes: readonly { readonly key: string; readonly value: Compiled }[];
}

/** Compiles the expressions step by step: there may be thousands. `later`: with the features of releases after 1.27. */
export function* compilePolicy(spec: ValidatingPolicySpec, later = false): Steps<CompiledPolicy> {
  const { conditions, paramKind, validations, notes } = spec;
  const params = paramKind !== undefined;
  const seen = { params, authorizer: true, later };
  const { named, visible } = compileVariables(later ? spec.variables : [], seen);
  const compiled: CompiledValidation[] = [];
  for (const validation of validations) {
    const { expression, messageExpression } = validation;
    const message =
      messageExpression === '' ? undefined : compile(messageExpression, { ...visible, authorizer: false });
    compiled.push({ validation, test: compile(expression, visible), message });
    yield;
  }
  return {
    // Conditions are decided before the variables.
    conditions: conditions.map((text) => compile(text, seen)),
    variables: named,
    validations: compiled,
    notes: notes.map(({ key, expression }) => ({ key, value: compile(expression, visible) })),
  };
}
