/** Defaults of a Service that depend on its type; the others are in the definition. */
import { isExternal, isLoadBalancer, type PortDraft, type ServiceDraft, type SpecDraft, typeOf } from './spec.js';

/** Seconds for which a client stays with an endpoint. */
const affinitySeconds = 10_800;

/** Fills in the defaults, in place. */
export function setDefaults(service: ServiceDraft): void {
  const { spec } = service;
  if (!spec) return;
  setAffinity(spec);
  for (const port of spec.ports ?? []) setTargetPort(port);
  if (isExternal(service)) spec.externalTrafficPolicy ??= 'Cluster';
  if (['ClusterIP', 'LoadBalancer', 'NodePort'].includes(typeOf(service))) spec.internalTrafficPolicy ??= 'Cluster';
  if (isLoadBalancer(service)) spec.allocateLoadBalancerNodePorts ??= true;
}

/** Affinity to clients has a timeout, no affinity has no settings. */
function setAffinity(spec: SpecDraft): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
}

/** The target port is the port itself. */
function setTargetPort(port: PortDraft): void {
  if (port.port !== undefined) port.targetPort ||= port.port;
}
