/** The ranges from which services get addresses and node ports. */
import { randomInt } from 'node:crypto';
import type { IPAddress } from '../../../generated/networking.platform.io/v1alpha1/ipaddresses/types.js';
import type { ParentReference } from '../../../generated/types/networking/v1alpha1/types.js';
import type { AllocationRecords, ApiObject, Claims, Draft, DraftObject } from '../../../runtime/contract/index.js';
import {
  type IpFamily,
  type IpNumber,
  type IpRange,
  ipText,
  isInRange,
  parseIpRange,
} from '../../../runtime/objects/ip-address.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { Release } from '../../../runtime/objects/release.js';

export interface ServiceRanges {
  /** One block, or one of each family. By default, services get an address of the first. */
  readonly addresses: readonly IpRange[];
  readonly nodePorts: PortRange;
}

/** Both ends are included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const defaultServiceRanges: ServiceRanges = {
  addresses: ['10.0.0.0/16'].flatMap((text) => parseIpRange(text) ?? []),
  nodePorts: { first: 30_000, last: 32_767 },
};

/** The most addresses that are assigned from an IPv6 block: its first ones. */
const maxIPv6 = 65_536;

/** Returns the assignable addresses of a block: without the network address and the broadcast address of IPv4. */
function usable({ family, first, size }: IpRange): { readonly first: bigint; readonly count: number } {
  const count = family === 'IPv4' ? Number(size) - 2 : Math.min(Number(size), maxIPv6) - 1;
  return { first: first + 1n, count: Math.max(count, 0) };
}

/** Returns whether an address can be assigned. */
export function isUsable(range: IpRange, address: IpNumber): boolean {
  const { first, count } = usable(range);
  return isInRange(range, address) && address.value >= first && address.value < first + BigInt(count);
}

/** Returns how many addresses at the start of a block are assigned last, so that services can ask for them. */
function reserved(range: IpRange): number {
  const size = Number(range.size);
  return size <= 16 ? 0 : Math.min(Math.max(Math.floor(size / 16), 16), 256);
}

const addressPool = 'clusterIPs/';

/** Returns the name of an address in claims. */
export const addressValue = (address: IpNumber): string => addressPool + ipText(address);

/** Returns the address of a claim in canonical form; `undefined` for other claims. */
export const addressOfValue = (value: string): string | undefined =>
  value.startsWith(addressPool) ? value.slice(addressPool.length) : undefined;

export const portValue = (port: number): string => `nodePorts/${port}`;

/** Claims a free address of a block; `undefined` if there is none. */
export async function takeAddress(range: IpRange, claims: Claims): Promise<string | undefined> {
  const { first, count } = usable(range);
  const at = (i: number): IpNumber => ({ family: range.family, value: first + BigInt(i) });
  const low = Math.min(reserved(range), count);
  const valueAt = (i: number): string => addressValue(at(i));
  const i = (await takeBetween(low, count, valueAt, claims)) ?? (await takeBetween(0, low, valueAt, claims));
  return i === undefined ? undefined : ipText(at(i));
}

/** Claims a free port; `undefined` if there is none. */
export function takePort({ first, last }: PortRange, claims: Claims): Promise<number | undefined> {
  return takeBetween(first, last + 1, portValue, claims);
}

/** Claims the first free value from a random one on, wrapping around at the end. */
async function takeBetween(
  from: number,
  to: number,
  valueAt: (i: number) => string,
  claims: Claims,
): Promise<number | undefined> {
  const count = to - from;
  const start = count > 0 ? randomInt(count) : 0;
  for (let step = 0; step < count; step++) {
    const i = from + ((start + step) % count);
    if (!claims.isTaken(valueAt(i)) && (await claims.take(valueAt(i)))) return i;
  }
  return undefined;
}

/** Returns the families of a cluster, the preferred one first. */
export const familiesIn = ({ addresses }: ServiceRanges): readonly IpFamily[] => addresses.map(({ family }) => family);

/** The feature gate of IPAddress objects for services. */
export const addressRecordsGate = 'MultiCIDRServiceAllocator';

type AddressRecord = DraftObject<IPAddress>;

/** The IPAddress objects of services, and how they differ from others. */
interface AddressRecords extends AllocationRecords<AddressRecord> {
  /** Returns whether the server keeps an IPAddress for a service. */
  isOwn(record: AddressRecord): boolean;
}

export function addressRecords({ rename }: Naming, release: Release): AddressRecords {
  const hasUid = !release.does('addressParentsByName');
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
      spec: { parentRef: parentOf(service, hasUid) },
    }),
    isOwn,
    names: (record, service) => isOwn(record) && isParent(record.spec?.parentRef, service, hasUid),
  };
}

function parentOf({ metadata: { namespace = '', name = '', uid = '' } }: ApiObject, hasUid: boolean) {
  const parent = { resource: 'services', namespace, name } as const;
  return hasUid ? { ...parent, uid } : parent;
}

/** Returns whether a reference names this service. If `hasUid`, an earlier service of the same name does not count. */
function isParent(parent: Draft<ParentReference> = {}, service: ApiObject, hasUid: boolean): boolean {
  const { namespace = '', name = '', uid = '' } = service.metadata;
  return (
    !parent.group &&
    parent.resource === 'services' &&
    (parent.namespace ?? '') === namespace &&
    (parent.name ?? '') === name &&
    (!hasUid || (parent.uid ?? '') === uid)
  );
}
