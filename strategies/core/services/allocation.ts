/** Gives Services their addresses and their ports on nodes. */
import type { Allocation, AllocationRecords, Claims, Failure, FieldError } from '../../../runtime/contract/index.js';
import { invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import { type IpNumber, ipNumber, ipRangeText, ipText } from '../../../runtime/objects/ip-address.js';
import { internalFailure, invalid } from '../../../runtime/objects/status.js';
import { chooseFamilies } from './families.js';
import { assignHealthCheckPort, assignNodePorts } from './node-ports.js';
import { addressValue, familiesIn, isUsable, portValue, type ServiceRanges, takeAddress } from './ranges.js';
import type { Refusal } from './refusal.js';
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

export function defineServiceAllocation(ranges: ServiceRanges, records: AllocationRecords): Allocation<ServiceDraft> {
  return {
    holds,
    records,
    async assign(service, old, claims) {
      if (old) keepAssignedValues(service, old);
      matchAddresses(service, old);
      const mistakes = chooseFamilies(service, old, familiesIn(ranges));
      if (mistakes.length > 0) return failureOf(service, { errors: mistakes });
      const refusal =
        (await assignAddresses(service, old, ranges, claims)) ??
        (await assignNodePorts(service, old, ranges.nodePorts, claims)) ??
        (await assignHealthCheckPort(service, old, ranges.nodePorts, claims));
      return refusal && failureOf(service, refusal);
    },
  };
}

/** The addresses of a Service, in canonical form. */
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

/** Claims the addresses that a Service asks for, and gives it those of its families that it has none of. */
async function assignAddresses(
  service: ServiceDraft,
  old: ServiceDraft | undefined,
  ranges: ServiceRanges,
  claims: Claims,
): Promise<Refusal | undefined> {
  const { spec } = service;
  const first = firstToAssign(service, old);
  if (!spec || first === undefined) return undefined;
  for (const [i, family] of familiesOf(service).entries()) {
    const range = ranges.addresses.find((one) => one.family === family);
    if (i < first || !range) continue;
    const asked = clusterIPsOf(service)[i];
    const given = asked ?? (await takeAddress(range, claims));
    if (given === undefined) return { usedUp: 'serviceIP' };
    if (asked !== undefined) {
      const problem = await claimProblem(asked, ranges, claims);
      if (problem) return { errors: [addressError(service, `failed to allocate IP ${asked}: ${problem}`)] };
    }
    spec.clusterIPs = [...clusterIPsOf(service).slice(0, i), given, ...clusterIPsOf(service).slice(i + 1)];
    if (i === 0) spec.clusterIP = given;
  }
  return undefined;
}

/** The place of the first address that is new; `undefined` where there is none. */
function firstToAssign(service: ServiceDraft, old: ServiceDraft | undefined): number | undefined {
  if (!needsClusterIP(service) || isHeadless(service)) return undefined;
  if (!old || !needsClusterIP(old)) return 0;
  const isUpgraded = familiesOf(old).length === 1 && familiesOf(service).length === 2;
  return isUpgraded && !isHeadless(old) ? 1 : undefined;
}

/** Claims an address that a Service asks for; returns why that fails. */
async function claimProblem(text: string, { addresses }: ServiceRanges, claims: Claims): Promise<string | undefined> {
  const address = ipNumber(text);
  const range = addresses.find(({ family }) => family === address?.family);
  if (!address || !range) return `the provided IP (${text}) is not in any valid range`;
  if (!isUsable(range, address)) {
    return `the provided IP (${ipText(address)}) is not in the valid range. The range of valid IPs is ${ipRangeText(range)}`;
  }
  return (await claims.take(addressValue(address))) ? undefined : 'provided IP is already allocated';
}

const addressError = (service: ServiceDraft, problem: string): FieldError =>
  invalidValue('spec.clusterIPs', stringList(clusterIPsOf(service)), problem);

/**
 * Takes over the addresses and ports of the old Service where the new one leaves them out and needs them, so that
 * writing a Service once more as it was created changes nothing.
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

/** Ports are matched by their names; a port on the nodes that another port has asked for is not given twice. */
function keepNodePorts(service: ServiceDraft, old: ServiceDraft): void {
  const asked = new Set(nodePortsOf(service));
  const byName = new Map(portsOf(old).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    if (port.nodePort) continue;
    const before = byName.get(port.name ?? '') ?? 0;
    if (before !== 0 && !asked.has(before)) port.nodePort = before;
  }
}

/** Brings `clusterIPs` in line with `clusterIP`, for writers who know only the latter. */
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
