/** DenyServiceExternalIPs: Services get no further external addresses, which would lead traffic of others to them. */
import type { AdmissionPlugin, ApiObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, objectAt } from '../../../runtime/objects/guards.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

export function defineDenyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    handles: handlesObjects('', 'services', 'CREATE', 'UPDATE'),
    validate(attributes) {
      const { object, oldObject } = attributes;
      const before = addressesOf(oldObject);
      if (addressesOf(object).every((address) => before.includes(address))) return undefined;
      return refuse(attributes, 'Use of external IPs is denied by admission control');
    },
  };
}

function addressesOf(service: ApiObject | undefined): readonly JsonValue[] {
  const addresses = objectAt(service, 'spec')?.externalIPs;
  return isArray(addresses) ? addresses : [];
}
