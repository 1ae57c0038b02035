/** What a Service keeps in an update that does not speak of it: values that it has been given. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import {
  clusterIPOf,
  clusterIPsOf,
  needsClusterIP,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  numberAt,
  portsOf,
  sameTexts,
  specOf,
} from './spec.js';

/**
 * Takes over the addresses and ports of the old Service where the new one leaves them out and needs them, so that
 * whoever writes the same again that a Service was made of changes nothing.
 */
export function keepAssignedValues(service: ApiObject, old: ApiObject): void {
  const spec = objectAt(service, 'spec');
  if (!spec) return;
  const stay = (needs: (one: ApiObject) => boolean): boolean => needs(old) && needs(service);
  if (stay(needsClusterIP)) {
    if (clusterIPOf(service) === '' && clusterIPOf(old) !== '') spec.clusterIP = clusterIPOf(old);
    if (clusterIPsOf(service).length === 0 && clusterIPsOf(old).length > 0) spec.clusterIPs = [...clusterIPsOf(old)];
  }
  if (stay(needsNodePorts)) keepNodePorts(service, old);
  if (stay(needsHealthCheck) && numberAt(spec, 'healthCheckNodePort') === 0) {
    const before = numberAt(specOf(old), 'healthCheckNodePort');
    if (before !== 0) spec.healthCheckNodePort = before;
  }
}

/** Ports are told apart by their names; a port on the nodes that another port has asked for is not given twice. */
function keepNodePorts(service: ApiObject, old: ApiObject): void {
  const asked = new Set(nodePortsOf(service));
  const byName = new Map(portsOf(old).map((port) => [stringAt(port, 'name'), numberAt(port, 'nodePort')]));
  const { ports } = specOf(service);
  for (const port of isArray(ports) ? ports : []) {
    if (!isObject(port) || numberAt(port, 'nodePort') !== 0) continue;
    const before = byName.get(stringAt(port, 'name')) ?? 0;
    if (before !== 0 && !asked.has(before)) port.nodePort = before;
  }
}

/** Brings `clusterIPs` in line with `clusterIP`, for writers who know only the latter. */
export function matchAddresses(service: ApiObject, old: ApiObject | undefined): void {
  const spec = objectAt(service, 'spec');
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
