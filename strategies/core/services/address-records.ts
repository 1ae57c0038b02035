/** IPAddress objects, each of which says which Service has the address that it is named by. */
import type { AllocationRecords, ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { addressOfValue } from './ranges.js';

/** The gate under which Services have such objects. */
export const addressRecordsGate = 'MultiCIDRServiceAllocator';

/** The objects, and how they are told from those of others. */
export interface AddressRecords extends AllocationRecords {
  /** Whether an IPAddress is one that the server keeps for a Service. */
  isOwn(record: ApiObject): boolean;
}

export function addressRecords({ rename }: Naming): AddressRecords {
  const familyLabel = rename('ipaddress.platform.io/ip-family');
  const managedByLabel = rename('ipaddress.platform.io/managed-by');
  const allocator = rename('ipallocator.platform.io');
  const isOwn = ({ metadata }: ApiObject): boolean => metadata.labels?.[managedByLabel] === allocator;
  return {
    group: rename('networking.platform.io'),
    plural: 'ipaddresses',
    featureGate: addressRecordsGate,
    nameOf: addressOfValue,
    recordOf: (name, service) => ({
      metadata: {
        name,
        labels: { [familyLabel]: name.includes(':') ? 'IPv6' : 'IPv4', [managedByLabel]: allocator },
      },
      spec: { parentRef: parentOf(service) },
    }),
    isOwn,
    names: (record, service) => isOwn(record) && isParent(objectAt(record, 'spec'), service),
  };
}

const parentOf = ({ metadata: { namespace = '', name = '', uid = '' } }: ApiObject): JsonObject => ({
  resource: 'services',
  namespace,
  name,
  uid,
});

/** A Service that was made anew under the same name is another one. */
function isParent(spec: JsonObject | undefined, service: ApiObject): boolean {
  const parent = objectAt(spec, 'parentRef');
  const wanted = parentOf(service);
  return (
    stringAt(parent, 'group') === '' && Object.keys(wanted).every((field) => stringAt(parent, field) === wanted[field])
  );
}
