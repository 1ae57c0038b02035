/** The variables of expressions in webhooks and policies: the object, the request, parameters, and the authorizer. */

import { memoizeByObject } from '../objects/memoize.js';
import { bool, dyn, list, map, object, string, type Type } from './check/types.js';
import { Environment, type EnvironmentOptions, type Variable } from './environment.js';
import { authorizerType, resourceCheckType } from './library/authorizer.js';
import { namespaceType, namespaceTypes } from './library/namespaces.js';
import { patchOptions } from './library/patches.js';
import { baseEnvironment, laterEnvironment } from './releases.js';
import { type DataType, dynamicData } from './schema/data-type.js';

/** The optional variables, functions and types that expressions may use. */
export interface Visible {
  readonly params: boolean;
  readonly authorizer: boolean;
  /**
   * Whether the libraries and variables added after release 1.27 exist. The variables are `namespaceObject` and
   * `variables`.
   */
  readonly later?: boolean;
  /** The libraries that new expressions may use; stored expressions may use all. Only with `later`. */
  readonly narrow?: EnvironmentOptions | undefined;
  /** Whether expressions can make patches: values of the types `Object` and `JSONPatch`. */
  readonly patches?: boolean;
  /** The types of a policy's own variables, by name. */
  readonly variables?: ReadonlyMap<string, Type>;
}

/** The type of `variables`. */
export const variablesTypeName = 'kubernetes.variables';

/** The types of variables. A variable without a type is dynamic. */
export interface KnownTypes {
  /** The type of `object` and `oldObject`. */
  readonly object?: DataType;
  readonly params?: DataType;
}

export const text: DataType = { shape: 'text', type: string, nullable: false };
const flag: DataType = { shape: 'bool', type: bool, nullable: false };
export const texts: DataType = { shape: 'list', type: list(string), nullable: false, items: text };

export function fields(name: string, members: Readonly<Record<string, DataType>>): DataType {
  const known = new Map(Object.entries(members).map(([property, data]) => [property, { property, data }]));
  return { shape: 'object', type: object(name), nullable: false, fields: known };
}

const kind = fields('kubernetes.GroupVersionKind', { group: text, version: text, kind: text });
const resource = fields('kubernetes.GroupVersionResource', { group: text, version: text, resource: text });
export const userInfo = fields('kubernetes.UserInfo', {
  username: text,
  uid: text,
  groups: texts,
  extra: { shape: 'map', type: map(string, list(string)), nullable: false, values: texts },
});
const request = fields('kubernetes.AdmissionRequest', {
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo,
  dryRun: flag,
  options: dynamicData,
});

/** Types that expressions can name. */
const types = [kind, resource, userInfo, request].map((data) => ({
  name: 'name' in data.type ? data.type.name : '',
  fields: Object.fromEntries([...(data.fields ?? [])].map(([name, field]) => [name, field.data.type])),
}));
const laterTypes = [...types, ...namespaceTypes];

/** Returns an environment with the known types of objects. */
export function typedAdmissionEnvironment(
  { params, authorizer, later = false, narrow = laterEnvironment, patches = false, variables }: Visible,
  knownTypes: KnownTypes,
): Environment {
  const own = variables && { name: variablesTypeName, fields: Object.fromEntries(variables) };
  const base = later ? narrow : baseEnvironment;
  return new Environment({
    ...base,
    ...(patches ? patchOptions(base.libraries) : {}),
    types: [...(later ? laterTypes : types), ...(own ? [own] : [])],
    variables: {
      ...(later ? { namespaceObject: { type: namespaceType } } : {}),
      ...(own ? { variables: { type: object(own.name) } } : {}),
      object: typed(knownTypes.object),
      oldObject: typed(knownTypes.object),
      request: typed(request),
      ...(params ? { params: typed(knownTypes.params) } : {}),
      ...(authorizer
        ? { authorizer: { type: authorizerType }, 'authorizer.requestResource': { type: resourceCheckType } }
        : {}),
    },
  });
}

const typed = (data: DataType | undefined): Variable =>
  data === undefined ? { type: dyn, data: dynamicData } : { type: data.type, data };

const environments = memoizeByObject((_options: EnvironmentOptions) => new Map<string, Environment>());

/**
 * Returns an environment with dynamic objects. Makes it once for each choice, unless a policy has variables of its own.
 */
export function admissionEnvironment(visible: Visible): Environment {
  if (visible.variables) return typedAdmissionEnvironment(visible, {});
  const key = `${visible.params} ${visible.authorizer} ${visible.later === true} ${visible.patches === true}`;
  const made = environments(visible.narrow ?? laterEnvironment);
  const found = made.get(key) ?? typedAdmissionEnvironment(visible, {});
  made.set(key, found);
  return found;
}
