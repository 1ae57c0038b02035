/** The variables of expressions in webhooks and policies: the object, the request, parameters, and the authorizer. */
import { bool, dyn, list, map, object, string } from './check/types.js';
import { Environment, type Variable } from './environment.js';
import { authorizerType, resourceCheckType } from './library/authorizer.js';
import { baseEnvironment } from './releases.js';
import { type DataType, dynamicData } from './schema/data-type.js';

/** Whether each optional variable exists. */
export interface Visible {
  readonly params: boolean;
  readonly authorizer: boolean;
}

/** The types of variables; unknown ones are dynamic. */
export interface KnownTypes {
  /** Of `object` and `oldObject`. */
  readonly object?: DataType;
  readonly params?: DataType;
}

const text: DataType = { shape: 'text', type: string, nullable: false };
const flag: DataType = { shape: 'bool', type: bool, nullable: false };
const texts: DataType = { shape: 'list', type: list(string), nullable: false, items: text };

function fields(name: string, members: Readonly<Record<string, DataType>>): DataType {
  const known = new Map(Object.entries(members).map(([property, data]) => [property, { property, data }]));
  return { shape: 'object', type: object(name), nullable: false, fields: known };
}

const kind = fields('kubernetes.GroupVersionKind', { group: text, version: text, kind: text });
const resource = fields('kubernetes.GroupVersionResource', { group: text, version: text, resource: text });
const userInfo = fields('kubernetes.UserInfo', {
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

/** Returns the environment of release 1.27, with the known types of objects. */
export function typedAdmissionEnvironment({ params, authorizer }: Visible, knownTypes: KnownTypes): Environment {
  return new Environment({
    ...baseEnvironment,
    types,
    variables: {
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

const made = new Map<string, Environment>();

/** Returns the environment of release 1.27 with dynamic objects, made once for each choice of variables. */
export function admissionEnvironment(visible: Visible): Environment {
  const key = `${visible.params} ${visible.authorizer}`;
  const found = made.get(key) ?? typedAdmissionEnvironment(visible, {});
  made.set(key, found);
  return found;
}
