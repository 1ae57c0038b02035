/** The ranges from which Services get addresses and ports on nodes. */
import { randomInt } from 'node:crypto';
import type { Claims } from '../../../runtime/contract/index.js';
import {
  type IpFamily,
  type IpNumber,
  type IpRange,
  ipText,
  isInRange,
  parseIpRange,
} from '../../../runtime/objects/ip-address.js';

/** The ranges of a cluster. */
export interface ServiceRanges {
  /** One block, or one of each family; Services get an address of the first where they do not ask for another. */
  readonly addresses: readonly IpRange[];
  readonly nodePorts: PortRange;
}

/** Ports from the first to the last. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The ranges of a cluster that configures none. */
export const defaultServiceRanges: ServiceRanges = {
  addresses: ['10.0.0.0/16'].flatMap((text) => parseIpRange(text) ?? []),
  nodePorts: { first: 30_000, last: 32_767 },
};

/** Addresses of IPv6 blocks that are assigned at most: the first of them. */
const maxIPv6 = 65_536;

/** The addresses of a block that may be assigned: not the network's own, nor the broadcast address of IPv4. */
function usable({ family, first, size }: IpRange): { readonly first: bigint; readonly count: number } {
  const count = family === 'IPv4' ? Number(size) - 2 : Math.min(Number(size), maxIPv6) - 1;
  return { first: first + 1n, count: Math.max(count, 0) };
}

/** Whether an address may be assigned. */
export function isUsable(range: IpRange, address: IpNumber): boolean {
  const { first, count } = usable(range);
  return isInRange(range, address) && address.value >= first && address.value < first + BigInt(count);
}

/** How many addresses at the beginning of a block are kept for Services that ask for one, while others are free. */
function reserved(range: IpRange): number {
  const size = Number(range.size);
  return size <= 16 ? 0 : Math.min(Math.max(Math.floor(size / 16), 16), 256);
}

const addressPool = 'clusterIPs/';

/** The name of an address in claims. */
export const addressValue = (address: IpNumber): string => addressPool + ipText(address);

/** The address that a claim is about, in canonical form; `undefined` for other claims. */
export const addressOfValue = (value: string): string | undefined =>
  value.startsWith(addressPool) ? value.slice(addressPool.length) : undefined;

export const portValue = (port: number): string => `nodePorts/${port}`;

/** Claims a free address of a block; `undefined` where there is none. */
export async function takeAddress(range: IpRange, claims: Claims): Promise<string | undefined> {
  const { first, count } = usable(range);
  const at = (i: number): IpNumber => ({ family: range.family, value: first + BigInt(i) });
  const low = Math.min(reserved(range), count);
  const valueAt = (i: number): string => addressValue(at(i));
  const i = (await takeBetween(low, count, valueAt, claims)) ?? (await takeBetween(0, low, valueAt, claims));
  return i === undefined ? undefined : ipText(at(i));
}

/** Claims a free port; `undefined` where there is none. */
export function takePort({ first, last }: PortRange, claims: Claims): Promise<number | undefined> {
  return takeBetween(first, last + 1, portValue, claims);
}

/** Claims the first value that is free from a random one on, beginning again at the end. */
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

/** The families of a cluster, the preferred one first. */
export const familiesIn = ({ addresses }: ServiceRanges): readonly IpFamily[] => addresses.map(({ family }) => family);
