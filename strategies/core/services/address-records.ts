/** IPAddress objects that record which Service has an address. Each is named by its address. */
import type { IPAddress } from '../../../generated/networking.platform.io/v1alpha1/ipaddresses/types.js';
import type { ParentReference } from '../../../generated/types/networking/v1alpha1/types.js';
import type { AllocationRecords, ApiObject, Draft, DraftObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { addressOfValue } from './ranges.js';

/** The gate under which Services have such objects. */
export const addressRecordsGate = 'MultiCIDRServiceAllocator';

type AddressRecord = DraftObject<IPAddress>;

/** The objects, and how they differ from those of others. */
export interface AddressRecords extends AllocationRecords<AddressRecord> {
  /** Whether an IPAddress is one that the server keeps for a Service. */
  isOwn(record: AddressRecord): boolean;
}

export function addressRecords({ rename }: Naming): AddressRecords {
  const familyLabel = rename('ipaddress.platform.io/ip-family');
  const managedByLabel = rename('ipaddress.platform.io/managed-by');
  const allocator = rename('ipallocator.platform.io');
  const isOwn = ({ metadata }: AddressRecord): boolean => metadata.labels?.[managedByLabel] === allocator;
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
    names: (record, service) => isOwn(record) && isParent(record.spec?.parentRef, service),
  };
}

const parentOf = ({ metadata: { namespace = '', name = '', uid = '' } }: ApiObject) =>
  ({ resource: 'services', namespace, name, uid }) as const;

/** Whether a reference names this very Service, not an earlier one of the same name. */
function isParent(parent: Draft<ParentReference> = {}, service: ApiObject): boolean {
  const { resource, namespace, name, uid } = parentOf(service);
  return (
    !parent.group &&
    parent.resource === resource &&
    (parent.namespace ?? '') === namespace &&
    (parent.name ?? '') === name &&
    (parent.uid ?? '') === uid
  );
}
