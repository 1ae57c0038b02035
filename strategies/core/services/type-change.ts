/** Fields that a Service loses when it changes its type: those that the new type does not have and the writer left alone. */
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  isExternal,
  isLoadBalancer,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  policyOf,
  type ServiceDraft,
  type SpecDraft,
  sameTexts,
} from './spec.js';

/** Drops the fields that the new type does not have. A field that the writer has changed stays, for validation to refuse. */
export function dropFieldsOfOldType(service: ServiceDraft, old: ServiceDraft): void {
  const { spec } = service;
  if (!spec) return;
  const ends = (has: (one: ServiceDraft) => boolean): boolean => has(old) && !has(service);
  if (ends(needsClusterIP)) dropAddresses(spec, service, old);
  if (ends(mayHaveNodePorts) && nodePortsOf(service).every((port) => nodePortsOf(old).includes(port))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (ends(needsHealthCheck)) dropUnchanged(spec, old, 'healthCheckNodePort');
  if (ends(isLoadBalancer)) {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
  if (ends(isExternal)) dropUnchanged(spec, old, 'externalTrafficPolicy');
  // The balancer may take a while to go, but that does not concern users of the Service.
  if (!isLoadBalancer(service)) service.status = { ...service.status, loadBalancer: {} };
}

function dropAddresses(spec: SpecDraft, service: ServiceDraft, old: ServiceDraft): void {
  const sameAddresses =
    clusterIPOf(service) === clusterIPOf(old) && sameTexts(clusterIPsOf(service), clusterIPsOf(old));
  const sameFamilies = sameTexts(familiesOf(service), familiesOf(old));
  const samePolicy = policyOf(service) === policyOf(old);
  if (sameAddresses) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameFamilies) delete spec.ipFamilies;
  if (samePolicy) delete spec.ipFamilyPolicy;
}

function dropUnchanged(spec: SpecDraft, old: ServiceDraft, field: keyof SpecDraft): void {
  if (spec[field] === old.spec?.[field]) delete spec[field];
}
