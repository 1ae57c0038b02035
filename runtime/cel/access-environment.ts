/** The variables of expressions about access: the claims of a token, the user made from them, and an access review. */
import { fields, text, texts, userInfo } from './admission-environment.js';
import { dyn, list, map, string } from './check/types.js';
import { Environment } from './environment.js';
import { laterEnvironment } from './releases.js';
import { type DataType, dynamicData } from './schema/data-type.js';

/** The only variable of an expression. An access review has selectors only as `request with selectors`. */
export type AccessVariable = 'claims' | 'user' | 'request' | 'request with selectors';

const claims: DataType = { shape: 'map', type: map(string, dyn), nullable: false, values: dynamicData };

const requirement = fields('kubernetes.SelectorRequirement', { key: text, operator: text, values: texts });
const selector = (name: string): DataType =>
  fields(name, {
    rawSelector: text,
    requirements: { shape: 'list', type: list(requirement.type), nullable: false, items: requirement },
  });

const resource = { namespace: text, verb: text, group: text, version: text, resource: text, subresource: text };
const selectors = {
  fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
  labelSelector: selector('kubernetes.LabelSelectorAttributes'),
};

const review = (hasSelectors: boolean): DataType =>
  fields('kubernetes.SubjectAccessReviewSpec', {
    resourceAttributes: fields('kubernetes.ResourceAttributes', {
      ...resource,
      name: text,
      ...(hasSelectors ? selectors : {}),
    }),
    nonResourceAttributes: fields('kubernetes.NonResourceAttributes', { path: text, verb: text }),
    user: text,
    groups: texts,
    extra: { shape: 'map', type: map(string, list(string)), nullable: false, values: texts },
    uid: text,
  });

const makers: Readonly<Record<AccessVariable, () => Readonly<Record<string, DataType>>>> = {
  claims: () => ({ claims }),
  user: () => ({ user: userInfo }),
  request: () => ({ request: review(false) }),
  'request with selectors': () => ({ request: review(true) }),
};

const made = new Map<AccessVariable, Environment>();

/** Returns the environment of a variable. Makes it once. */
export function accessEnvironment(variable: AccessVariable): Environment {
  const known = made.get(variable) ?? makeEnvironment(variable);
  made.set(variable, known);
  return known;
}

function makeEnvironment(variable: AccessVariable): Environment {
  const variables = Object.entries(makers[variable]()).map(([name, data]) => [name, { type: data.type, data }]);
  return new Environment({ ...laterEnvironment, variables: Object.fromEntries(variables) });
}
