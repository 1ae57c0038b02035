/** Reads what the specs of policies share, and bindings. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { type LabelSelector, labelSelectorOf } from '../../../runtime/objects/selectors/labels.js';
import { itemsAt, type MatchResources, ruleOf, selectorAt, stringsAt } from './matching.js';

/** The part of a spec that policies of all kinds have. */
export interface PolicySpec {
  readonly name: string;
  readonly match: MatchResources;
  readonly conditions: readonly string[];
  readonly paramKind: ParamKind | undefined;
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** Whether requests pass if the evaluation fails. */
  readonly ignoresFailures: boolean;
}

/** The kind of a policy's parameters. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The use of a policy: its requests, its parameters and its actions. */
export interface BindingSpec {
  readonly name: string;
  readonly policyName: string;
  /** `undefined` to apply wherever the policy does. */
  readonly match: MatchResources | undefined;
  readonly param: ParamReference | undefined;
  /** Empty for mutating policies. */
  readonly actions: readonly string[];
}

/** The objects that a binding takes parameters from: one by name, or those with certain labels. */
export interface ParamReference {
  readonly name: string;
  readonly namespace: string;
  /** Absent if a name is given. */
  readonly selector: LabelSelector | undefined;
  /** Whether the request passes if there is no such object. `undefined` if the binding does not set it. */
  readonly allowsNone: boolean | undefined;
}

export function policySpecOf(object: ApiObject): PolicySpec {
  const spec = objectAt(object, 'spec');
  const paramKind = objectAt(spec, 'paramKind');
  return {
    name: object.metadata.name ?? '',
    match: matchResourcesOf(objectAt(spec, 'matchConstraints')),
    conditions: itemsAt(spec, 'matchConditions').map((condition) => stringAt(condition, 'expression')),
    paramKind: paramKind && { apiVersion: stringAt(paramKind, 'apiVersion'), kind: stringAt(paramKind, 'kind') },
    variables: itemsAt(spec, 'variables').map((variable) => ({
      name: stringAt(variable, 'name'),
      expression: stringAt(variable, 'expression'),
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
    param: param && paramReferenceOf(param),
    actions: stringsAt(spec, 'validationActions'),
  };
}

function paramReferenceOf(param: JsonObject): ParamReference {
  const selector = objectAt(param, 'selector');
  const read = selector && labelSelectorOf(selector);
  const action = stringAt(param, 'parameterNotFoundAction');
  return {
    name: stringAt(param, 'name'),
    namespace: stringAt(param, 'namespace'),
    selector: read?.ok ? read.value : undefined,
    allowsNone: action === '' ? undefined : action === 'Allow',
  };
}

function matchResourcesOf(resources: JsonObject | undefined): MatchResources {
  return {
    rules: itemsAt(resources, 'resourceRules').map(ruleOf),
    exclude: itemsAt(resources, 'excludeResourceRules').map(ruleOf),
    equivalent: stringAt(resources, 'matchPolicy') === 'Equivalent',
    namespaces: selectorAt(resources, 'namespaceSelector'),
    objects: selectorAt(resources, 'objectSelector'),
  };
}
