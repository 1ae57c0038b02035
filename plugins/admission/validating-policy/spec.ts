/** Policies and bindings as the plugin works with them. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { type MatchResources, objectsAt, ruleOf, selectorAt, stringsAt } from '../matching/match-resources.js';

/** The kind of objects that a policy takes its parameters from. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The spec of a policy as it is evaluated. */
export interface PolicySpec {
  readonly name: string;
  readonly match: MatchResources;
  readonly conditions: readonly string[];
  readonly paramKind: ParamKind | undefined;
  readonly validations: readonly Validation[];
  readonly notes: readonly { readonly key: string; readonly expression: string }[];
  /** Whether a mistake while evaluating lets requests pass. */
  readonly ignoresFailures: boolean;
}

export interface Validation {
  readonly expression: string;
  /** Empty where there is none, as all texts here. */
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
}

/** Where a policy applies, with which parameters and consequences. */
export interface BindingSpec {
  readonly name: string;
  readonly policyName: string;
  /** All that the policy is about where absent. */
  readonly match: MatchResources | undefined;
  readonly param: { readonly name: string; readonly namespace: string } | undefined;
  readonly actions: readonly string[];
}

export function policySpecOf(object: ApiObject): PolicySpec {
  const spec = objectAt(object, 'spec');
  const paramKind = objectAt(spec, 'paramKind');
  return {
    name: object.metadata.name ?? '',
    match: matchResourcesOf(objectAt(spec, 'matchConstraints')),
    conditions: objectsAt(spec, 'matchConditions').map((condition) => stringAt(condition, 'expression')),
    paramKind: paramKind && { apiVersion: stringAt(paramKind, 'apiVersion'), kind: stringAt(paramKind, 'kind') },
    validations: objectsAt(spec, 'validations').map((validation) => ({
      expression: stringAt(validation, 'expression'),
      message: stringAt(validation, 'message'),
      messageExpression: stringAt(validation, 'messageExpression'),
      reason: stringAt(validation, 'reason'),
    })),
    notes: objectsAt(spec, 'auditAnnotations').map((note) => ({
      key: stringAt(note, 'key'),
      expression: stringAt(note, 'valueExpression'),
    })),
    ignoresFailures: stringAt(spec, 'failurePolicy') === 'Ignore',
  };
}

export function bindingSpecOf(object: ApiObject): BindingSpec {
  const spec = objectAt(object, 'spec');
  const match = objectAt(spec, 'matchResources');
  const param = objectAt(spec, 'paramRef');
  return {
    name: object.metadata.name ?? '',
    policyName: stringAt(spec, 'policyName'),
    match: match && matchResourcesOf(match),
    param: param && { name: stringAt(param, 'name'), namespace: stringAt(param, 'namespace') },
    actions: stringsAt(spec, 'validationActions'),
  };
}

function matchResourcesOf(resources: JsonObject | undefined): MatchResources {
  return {
    rules: objectsAt(resources, 'resourceRules').map(ruleOf),
    exclude: objectsAt(resources, 'excludeResourceRules').map(ruleOf),
    equivalent: stringAt(resources, 'matchPolicy') === 'Equivalent',
    namespaces: selectorAt(resources, 'namespaceSelector'),
    objects: selectorAt(resources, 'objectSelector'),
  };
}
