/** The variables of expressions for one request. */
import { type Ask, authorizerValue, resourceCheckValue } from '../../../runtime/cel/index.js';
import type { AdmissionAttributes, ApiObject } from '../../../runtime/contract/index.js';
import type { Variables } from './evaluate-expressions.js';
import { namespaceOf, requestValue } from './request.js';

/** The states of an object in the version that a policy is about. */
export interface SeenObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

export function variablesOf(
  attributes: AdmissionAttributes,
  { object, oldObject }: SeenObjects,
  params: ApiObject | undefined,
  ask: Ask,
): Variables {
  const { resource, subresource, name, user } = attributes;
  const asked = {
    group: resource.group,
    resource: resource.names.plural,
    subresource,
    namespace: namespaceOf(attributes),
    name,
  };
  return {
    object: object ?? null,
    oldObject: oldObject ?? null,
    params: params ?? null,
    request: requestValue(attributes),
    authorizer: authorizerValue(user, ask),
    'authorizer.requestResource': resourceCheckValue(user, ask, asked),
  };
}
