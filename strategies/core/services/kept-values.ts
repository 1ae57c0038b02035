/** Values that a Service was assigned, and keeps in an update that leaves them out. */
import {
  clusterIPOf,
  clusterIPsOf,
  healthCheckPortOf,
  needsClusterIP,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  portsOf,
  type ServiceDraft,
  sameTexts,
} from './spec.js';

/**
 * Takes over the addresses and ports of the old Service where the new one leaves them out and needs them, so that
 * writing a Service once more as it was created changes nothing.
 */
export function keepAssignedValues(service: ServiceDraft, old: ServiceDraft): void {
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
export function matchAddresses(service: ServiceDraft, old: ServiceDraft | undefined): void {
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
