/** Reads mutating policies and compiles their expressions. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Steps } from '../../../runtime/objects/turns.js';
import { type Compiled, compile, compileVariables, type NamedExpression } from '../shared/expressions.js';
import { itemsAt } from '../shared/matching.js';
import { type PolicySpec, policySpecOf } from '../shared/policy-spec.js';

export interface MutatingPolicySpec extends PolicySpec {
  readonly mutations: readonly Mutation[];
  /** Whether the policy is used again if others change the object after it. */
  readonly isReinvoked: boolean;
}

/** One change of a policy. */
export interface Mutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

export function mutatingPolicySpecOf(object: ApiObject): MutatingPolicySpec {
  const spec = objectAt(object, 'spec');
  return {
    ...policySpecOf(object),
    mutations: itemsAt(spec, 'mutations').map(mutationOf),
    isReinvoked: stringAt(spec, 'reinvocationPolicy') === 'IfNeeded',
  };
}

function mutationOf(mutation: JsonObject): Mutation {
  const isPatch = stringAt(mutation, 'patchType') === 'JSONPatch';
  const patch = objectAt(mutation, isPatch ? 'jsonPatch' : 'applyConfiguration');
  return { type: isPatch ? 'JSONPatch' : 'ApplyConfiguration', expression: stringAt(patch, 'expression') };
}

export interface CompiledMutatingPolicy {
  readonly conditions: readonly Compiled[];
  readonly variables: readonly NamedExpression[];
  readonly mutations: readonly CompiledMutation[];
}

export interface CompiledMutation {
  readonly type: Mutation['type'];
  readonly patch: Compiled;
}

/** Compiles the expressions step by step: there may be many. */
export function* compileMutatingPolicy(spec: MutatingPolicySpec): Steps<CompiledMutatingPolicy> {
  const seen = { params: spec.paramKind !== undefined, authorizer: true, later: true };
  const { named, visible } = compileVariables(spec.variables, seen);
  const mutations: CompiledMutation[] = [];
  for (const { type, expression } of spec.mutations) {
    mutations.push({ type, patch: compile(expression, { ...visible, patches: true }) });
    yield;
  }
  // Conditions are decided before the variables.
  return { conditions: spec.conditions.map((text) => compile(text, seen)), variables: named, mutations };
}
