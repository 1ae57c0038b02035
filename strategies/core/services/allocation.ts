/** Assigns addresses and node ports to services. */
import type { Allocation, AllocationRecords, Claims, Failure, FieldError } from '../../../runtime/contract/index.js';
import { invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import {
  type IpNumber,
  type IpRange,
  ipNumber,
  ipRangeText,
  ipText,
  isInRange,
} from '../../../runtime/objects/ip-address.js';
import { internalFailure, invalid } from '../../../runtime/objects/status.js';
import { type Blocks, blocksIn } from './blocks.js';
import { chooseFamilies } from './families.js';
import { assignHealthCheckPort, assignNodePorts, type Refusal } from './node-ports.js';
import { addressValue, familiesIn, isUsable, portValue, type ServiceRanges, takeAddress } from './ranges.js';
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  healthCheckPortOf,
  isHeadless,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  portsOf,
  type ServiceDraft,
  sameTexts,
} from './spec.js';

/** `records` are the objects of addresses; the blocks are objects of the same group. */
export function defineServiceAllocation(ranges: ServiceRanges, records: AllocationRecords): Allocation<ServiceDraft> {
  return {
    holds,
    records,
    async assign(service, old, claims) {
      if (old) keepAssignedValues(service, old);
      matchAddresses(service, old);
      const mistakes = chooseFamilies(service, old, familiesIn(ranges));
      if (mistakes.length > 0) return failureOf(service, { errors: mistakes });
      const blocks = await blocksIn(ranges, () => claims.objectsOf(records.group, 'servicecidrs'));
      const refusal =
        (await assignAddresses(service, old, blocks, claims)) ??
        (await assignNodePorts(service, old, ranges.nodePorts, claims)) ??
        (await assignHealthCheckPort(service, old, ranges.nodePorts, claims));
      return refusal && failureOf(service, refusal);
    },
  };
}

/** Returns the addresses of a service in canonical form. */
export const addressesHeld = (service: ServiceDraft): readonly string[] =>
  addressNumbers(service).map((address) => ipText(address));

const addressNumbers = (service: ServiceDraft): readonly IpNumber[] =>
  clusterIPsOf(service).flatMap((text) => ipNumber(text) ?? []);

function holds(service: ServiceDraft): readonly string[] {
  const ports = mayHaveNodePorts(service) ? nodePortsOf(service) : [];
  const healthCheck = needsHealthCheck(service) ? healthCheckPortOf(service) : 0;
  return [
    ...addressNumbers(service).map(addressValue),
    ...[...ports, ...(healthCheck === 0 ? [] : [healthCheck])].map(portValue),
  ];
}

function failureOf(service: ServiceDraft, refusal: Refusal): Failure {
  if ('errors' in refusal) return invalid('', 'Service', service.metadata.name ?? '', refusal.errors);
  return internalFailure(`failed to allocate a ${refusal.usedUp}: range is full`);
}

/** Claims the addresses that a service asks for, and assigns one for each family without an address. */
async function assignAddresses(
  service: ServiceDraft,
  old: ServiceDraft | undefined,
  blocks: Blocks,
  claims: Claims,
): Promise<Refusal | undefined> {
  const { spec } = service;
  const first = firstToAssign(service, old);
  if (!spec || first === undefined) return undefined;
  for (const [i, family] of familiesOf(service).entries()) {
    const own = blocks.ranges.filter((one) => one.family === family);
    if (i < first || (own.length === 0 && !blocks.areObjects)) continue;
    const asked = clusterIPsOf(service)[i];
    const given = asked ?? (await takeFirst(own, claims));
    if (given === undefined) return { usedUp: 'serviceIP' };
    if (asked !== undefined) {
      const problem = await claimProblem(asked, blocks, claims);
      if (problem) return { errors: [addressError(service, `failed to allocate IP ${asked}: ${problem}`)] };
    }
    spec.clusterIPs = [...clusterIPsOf(service).slice(0, i), given, ...clusterIPsOf(service).slice(i + 1)];
    if (i === 0) spec.clusterIP = given;
  }
  return undefined;
}

/** Returns the index of the first new address; `undefined` if there is none. */
function firstToAssign(service: ServiceDraft, old: ServiceDraft | undefined): number | undefined {
  if (!needsClusterIP(service) || isHeadless(service)) return undefined;
  if (!old || !needsClusterIP(old)) return 0;
  const isUpgraded = familiesOf(old).length === 1 && familiesOf(service).length === 2;
  return isUpgraded && !isHeadless(old) ? 1 : undefined;
}

/** Claims a free address of the first block that has one. */
async function takeFirst(ranges: readonly IpRange[], claims: Claims): Promise<string | undefined> {
  for (const range of ranges) {
    const began = performance.now();
    const given = await takeAddress(range, claims);
    const made = {
      pool: 'clusterIPs',
      block: ipRangeText(range),
      isAsked: false,
      isGiven: given !== undefined,
    } as const;
    claims.allocated?.(made, (performance.now() - began) / 1000);
    if (given !== undefined) return given;
  }
  return undefined;
}

/** Claims an address that a service asks for; returns why that fails. */
async function claimProblem(text: string, { ranges, areObjects }: Blocks, claims: Claims): Promise<string | undefined> {
  const address = ipNumber(text);
  const own = ranges.filter(({ family }) => family === address?.family);
  // Only blocks that are objects may leave gaps between them.
  const range = areObjects && address ? own.find((one) => isInRange(one, address)) : own[0];
  if (areObjects && !range) return 'the provided network does not match the current range';
  if (!address || !range) return `the provided IP (${text}) is not in any valid range`;
  if (!isUsable(range, address) && !own.some((one) => isUsable(one, address))) {
    return `the provided IP (${ipText(address)}) is not in the valid range. The range of valid IPs is ${ipRangeText(range)}`;
  }
  const isGiven = await claims.take(addressValue(address));
  claims.allocated?.({ pool: 'clusterIPs', block: ipRangeText(range), isAsked: true, isGiven }, 0);
  return isGiven ? undefined : 'provided IP is already allocated';
}

const addressError = (service: ServiceDraft, problem: string): FieldError =>
  invalidValue('spec.clusterIPs', stringList(clusterIPsOf(service)), problem);

/**
 * Takes over addresses and ports of the old service if the new one omits and needs them. So writing a service again as
 * it was created changes nothing.
 */
function keepAssignedValues(service: ServiceDraft, old: ServiceDraft): void {
  const { spec } = service;
  if (!spec) return;
  const stay = (needs: (one: ServiceDraft) => boolean): boolean => needs(old) && needs(service);
  if (stay(needsClusterIP)) {
    if (clusterIPOf(service) === '' && clusterIPOf(old) !== '') spec.clusterIP = clusterIPOf(old);
    if (clusterIPsOf(service).length === 0 && clusterIPsOf(old).length > 0) spec.clusterIPs = [...clusterIPsOf(old)];
  }
  if (stay(needsNodePorts)) keepNodePorts(service, old);
  if (stay(needsHealthCheck) && healthCheckPortOf(old) !== 0) spec.healthCheckNodePort ||= healthCheckPortOf(old);
}

/** Matches ports by name. A node port that another port asks for is not assigned twice. */
function keepNodePorts(service: ServiceDraft, old: ServiceDraft): void {
  const asked = new Set(nodePortsOf(service));
  const byName = new Map(portsOf(old).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    if (port.nodePort) continue;
    const before = byName.get(port.name ?? '') ?? 0;
    if (before !== 0 && !asked.has(before)) port.nodePort = before;
  }
}

/** Copies a change of `clusterIP` to `clusterIPs`, for writers that know only `clusterIP`. */
function matchAddresses(service: ServiceDraft, old: ServiceDraft | undefined): void {
  const { spec } = service;
  if (!spec) return;
  const single = clusterIPOf(service);
  const listed = clusterIPsOf(service);
  if (!old) {
    if (single !== '' && listed.length === 0) spec.clusterIPs = [single];
    return;
  }
  const before = clusterIPOf(old);
  if (single === before) {
    if (listed.length === 0 && clusterIPsOf(old).length > 0) spec.clusterIPs = [...clusterIPsOf(old)];
  } else if (sameTexts(listed, clusterIPsOf(old))) {
    if (single === '') delete spec.clusterIPs;
    else spec.clusterIPs = [single];
  }
}
