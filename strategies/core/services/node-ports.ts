/** Assigns node ports to the ports of services, and health check ports to load balancers. */
import type { Claims, FieldError } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { type PortRange, portValue, takePort } from './ranges.js';
import {
  healthCheckPortOf,
  mayHaveNodePorts,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  type PortDraft,
  type ServiceDraft,
} from './spec.js';

/** Claims the ports that a service asks for, and assigns the missing ones. */
export async function assignNodePorts(
  service: ServiceDraft,
  old: ServiceDraft | undefined,
  range: PortRange,
  claims: Claims,
): Promise<Refusal | undefined> {
  if (!mayHaveNodePorts(service)) return undefined;
  const kept = new Set(old && mayHaveNodePorts(old) ? nodePortsOf(old) : []);
  const ports = service.spec?.ports ?? [];
  // In a new service, ports with the same number (over TCP and UDP, for example) get the same node port.
  const byNumber = old ? undefined : new Map<number, number>();
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(service)) continue;
    const asked = port.nodePort || (byNumber && askedFor(port, ports, byNumber)) || 0;
    const given = asked || (await takeAny(range, claims));
    if (given === undefined) return { usedUp: 'nodePort' };
    const isAgain = byNumber !== undefined && isGivenToOther(asked, port, byNumber);
    const problem = asked === 0 || kept.has(asked) ? undefined : await claimProblem(asked, range, claims, isAgain);
    if (problem) return { errors: [invalidValue(`spec.ports[${i}].nodePort`, asked, problem)] };
    port.nodePort = given;
    byNumber?.set(port.port ?? 0, given);
  }
  return undefined;
}

/** Returns the node port that a port of the same number has or asks for; 0 if none. */
function askedFor({ port = 0 }: PortDraft, ports: readonly PortDraft[], given: ReadonlyMap<number, number>): number {
  const other = ports.find((one) => (one.port ?? 0) === port && one.nodePort);
  return given.get(port) ?? other?.nodePort ?? 0;
}

function isGivenToOther(asked: number, { port = 0 }: PortDraft, given: ReadonlyMap<number, number>): boolean {
  return [...given].some(([number, nodePort]) => nodePort === asked && number !== port);
}

/** Claims or chooses the port where load balancers check the health of endpoints. */
export async function assignHealthCheckPort(
  service: ServiceDraft,
  old: ServiceDraft | undefined,
  range: PortRange,
  claims: Claims,
): Promise<Refusal | undefined> {
  const { spec } = service;
  if (!spec || !needsHealthCheck(service) || (old && needsHealthCheck(old))) return undefined;
  const asked = healthCheckPortOf(service);
  const given = asked || (await takeAny(range, claims));
  if (given === undefined) return { usedUp: 'HealthCheck NodePort' };
  const problem = asked === 0 ? undefined : await claimProblem(asked, range, claims);
  if (problem) return { errors: [invalidValue('spec.healthCheckNodePort', asked, problem)] };
  spec.healthCheckNodePort = given;
  return undefined;
}

/** Claims a free port. */
async function takeAny(range: PortRange, claims: Claims): Promise<number | undefined> {
  const given = await takePort(range, claims);
  claims.allocated?.({ pool: 'nodePorts', block: '', isAsked: false, isGiven: given !== undefined }, 0);
  return given;
}

/** Claims a port that a service asks for; returns why that fails. */
async function claimProblem(
  port: number,
  { first, last }: PortRange,
  claims: Claims,
  isAgain = false,
): Promise<string | undefined> {
  if (port < first || port > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  const isGiven = !isAgain && (await claims.take(portValue(port)));
  claims.allocated?.({ pool: 'nodePorts', block: '', isAsked: true, isGiven }, 0);
  return isGiven ? undefined : 'provided port is already allocated';
}

/** Mistakes of the writer, or an exhausted range. */
export type Refusal = { readonly errors: readonly FieldError[] } | { readonly usedUp: string };
