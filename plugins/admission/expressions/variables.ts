/** The variables of expressions for one request. */
import { type Ask, authorizerValue, resourceCheckValue } from '../../../runtime/cel/index.js';
import type { AdmissionAttributes, ApiObject } from '../../../runtime/contract/index.js';
import { namespaceOf, requestValue, shownObject } from '../matching/request.js';
import type { SeenObjects } from '../matching/seen-objects.js';
import type { Variables } from './evaluate.js';

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
    object: object ? shownObject(attributes.operation, object) : null,
    oldObject: oldObject ?? null,
    params: params ?? null,
    request: requestValue(attributes),
    authorizer: authorizerValue(user, ask),
    'authorizer.requestResource': resourceCheckValue(user, ask, asked),
  };
}
