/** What expressions of webhooks and policies see: the object, the request, parameters, and who may do what. */

import { bool, dyn, list, map, object, opaque, string } from '../../runtime/cel/check/types.js';
import {
  baseEnvironment,
  Environment,
  type FunctionDeclaration,
  type Library,
  type ObjectType,
  type Type,
} from '../../runtime/cel/index.js';

/** Which of the optional variables there are. */
export interface Visible {
  readonly params: boolean;
  readonly authorizer: boolean;
}

const fieldsOf = (name: string, fields: Readonly<Record<string, Type>>): ObjectType => ({ name, fields });

const kindType = fieldsOf('kubernetes.GroupVersionKind', { group: string, version: string, kind: string });
const resourceType = fieldsOf('kubernetes.GroupVersionResource', { group: string, version: string, resource: string });
const userType = fieldsOf('kubernetes.UserInfo', {
  username: string,
  uid: string,
  groups: list(string),
  extra: map(string, list(string)),
});
const requestType = fieldsOf('kubernetes.AdmissionRequest', {
  kind: object(kindType.name),
  resource: object(resourceType.name),
  subResource: string,
  requestKind: object(kindType.name),
  requestResource: object(resourceType.name),
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: object(userType.name),
  dryRun: bool,
  options: dyn,
});

const types = [kindType, resourceType, userType, requestType];

const authorizer = opaque('kubernetes.authorization.Authorizer');
const pathCheck = opaque('kubernetes.authorization.PathCheck');
const groupCheck = opaque('kubernetes.authorization.GroupCheck');
const resourceCheck = opaque('kubernetes.authorization.ResourceCheck');
const decision = opaque('kubernetes.authorization.Decision');

type Signature = readonly [id: string, params: readonly Type[], result: Type];

/** A function that is called on its first parameter. */
const member = (name: string, ...signatures: readonly Signature[]): FunctionDeclaration => ({
  name,
  overloads: signatures.map(([id, params, result]) => ({ id, member: true, params, result })),
});

/** Questions to the authorizer, put together step by step. */
const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    member('path', ['authorizer_path', [authorizer, string], pathCheck]),
    member('group', ['authorizer_group', [authorizer, string], groupCheck]),
    member('serviceAccount', ['authorizer_serviceaccount', [authorizer, string, string], authorizer]),
    member('resource', ['groupcheck_resource', [groupCheck, string], resourceCheck]),
    member('subresource', ['resourcecheck_subresource', [resourceCheck, string], resourceCheck]),
    member('namespace', ['resourcecheck_namespace', [resourceCheck, string], resourceCheck]),
    member('name', ['resourcecheck_name', [resourceCheck, string], resourceCheck]),
    member(
      'check',
      ['pathcheck_check', [pathCheck, string], decision],
      ['resourcecheck_check', [resourceCheck, string], decision],
    ),
    member('allowed', ['decision_allowed', [decision], bool]),
    member('reason', ['decision_reason', [decision], string]),
  ],
};

const known = new Map<string, Environment>();

/** The environment of release 1.27; made once for each choice of variables. */
export function policyEnvironment({ params, authorizer: mayAsk }: Visible): Environment {
  const key = `${params} ${mayAsk}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = new Environment({
    libraries: [...baseEnvironment.libraries, authorizerLibrary],
    types,
    variables: {
      object: { type: dyn },
      oldObject: { type: dyn },
      request: { type: object(requestType.name) },
      ...(params ? { params: { type: dyn } } : {}),
      ...(mayAsk ? { authorizer: { type: authorizer }, 'authorizer.requestResource': { type: resourceCheck } } : {}),
    },
  });
  known.set(key, made);
  return made;
}
