/** Ports on the nodes: of a Service's ports, and for the health check of load balancers. */
import type { ApiObject, Claims, JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import type { Refusal } from './allocation.js';
import { type PortRange, portValue, takePort } from './ranges.js';
import { mayHaveNodePorts, needsHealthCheck, needsNodePorts, nodePortsOf, numberAt, specOf } from './spec.js';

/** Claims the ports that a Service asks for, and gives it those that it lacks. */
export async function assignNodePorts(
  service: ApiObject,
  old: ApiObject | undefined,
  range: PortRange,
  claims: Claims,
): Promise<Refusal | undefined> {
  if (!mayHaveNodePorts(service)) return undefined;
  const kept = new Set(old && mayHaveNodePorts(old) ? nodePortsOf(old) : []);
  const { ports } = specOf(service);
  const list = isArray(ports) ? ports.filter(isObject) : [];
  // In a new Service, ports of the same number (over TCP and over UDP, say) get the same port on the nodes.
  const byNumber = old ? undefined : new Map<number, number>();
  for (const [i, port] of list.entries()) {
    if (numberAt(port, 'nodePort') === 0 && !needsNodePorts(service)) continue;
    const asked = numberAt(port, 'nodePort') || (byNumber && askedFor(port, list, byNumber)) || 0;
    const given = asked || (await takePort(range, claims));
    if (given === undefined) return { usedUp: 'nodePort' };
    const isAgain = byNumber !== undefined && isGivenToOther(asked, port, byNumber);
    const problem = asked === 0 || kept.has(asked) ? undefined : await claimProblem(asked, range, claims, isAgain);
    if (problem) return { errors: [invalidValue(`spec.ports[${i}].nodePort`, asked, problem)] };
    port.nodePort = given;
    byNumber?.set(numberAt(port, 'port'), given);
  }
  return undefined;
}

/** What a port of the same number has been given, or asks for; 0 for nothing. */
function askedFor(port: JsonObject, list: readonly JsonObject[], given: ReadonlyMap<number, number>): number {
  const number = numberAt(port, 'port');
  const other = list.find((one) => numberAt(one, 'port') === number && numberAt(one, 'nodePort') !== 0);
  return given.get(number) ?? (other ? numberAt(other, 'nodePort') : 0);
}

function isGivenToOther(asked: number, port: JsonObject, given: ReadonlyMap<number, number>): boolean {
  return [...given].some(([number, nodePort]) => nodePort === asked && number !== numberAt(port, 'port'));
}

/** Does the same for the port at which load balancers ask for the health of endpoints. */
export async function assignHealthCheckPort(
  service: ApiObject,
  old: ApiObject | undefined,
  range: PortRange,
  claims: Claims,
): Promise<Refusal | undefined> {
  const spec = objectAt(service, 'spec');
  if (!spec || !needsHealthCheck(service) || (old && needsHealthCheck(old))) return undefined;
  const asked = numberAt(spec, 'healthCheckNodePort');
  const given = asked || (await takePort(range, claims));
  if (given === undefined) return { usedUp: 'HealthCheck NodePort' };
  const problem = asked === 0 ? undefined : await claimProblem(asked, range, claims);
  if (problem) return { errors: [invalidValue('spec.healthCheckNodePort', asked, problem)] };
  spec.healthCheckNodePort = given;
  return undefined;
}

async function claimProblem(
  port: number,
  { first, last }: PortRange,
  claims: Claims,
  isAgain = false,
): Promise<string | undefined> {
  if (port < first || port > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  const isClaimed = !isAgain && (await claims.take(portValue(port)));
  return isClaimed ? undefined : 'provided port is already allocated';
}
