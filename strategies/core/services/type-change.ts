/** What a Service loses when it changes its type: fields that no longer make sense, and that the writer left alone. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  isExternal,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  policyOf,
  sameTexts,
  specOf,
  typeOf,
} from './spec.js';

/** Takes out what the new type does not have. What the writer has changed stays, for validation to refuse. */
export function dropFieldsOfOldType(service: ApiObject, old: ApiObject): void {
  const spec = objectAt(service, 'spec');
  if (!spec) return;
  const ends = (has: (one: ApiObject) => boolean): boolean => has(old) && !has(service);
  if (ends(needsClusterIP)) dropAddresses(spec, service, old);
  if (ends(mayHaveNodePorts) && nodePortsOf(service).every((port) => nodePortsOf(old).includes(port))) {
    for (const port of isArray(spec.ports) ? spec.ports : []) if (isObject(port)) delete port.nodePort;
  }
  if (ends(needsHealthCheck)) dropUnchanged(spec, old, 'healthCheckNodePort');
  if (ends(isLoadBalancer)) {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
  if (ends(isExternal)) dropUnchanged(spec, old, 'externalTrafficPolicy');
  // The balancer may take a while to go, but that is nothing that concerns users of the Service.
  if (!isLoadBalancer(service)) service.status = { ...objectAt(service, 'status'), loadBalancer: {} };
}

const isLoadBalancer = (service: ApiObject): boolean => typeOf(service) === 'LoadBalancer';

function dropAddresses(spec: JsonObject, service: ApiObject, old: ApiObject): void {
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

function dropUnchanged(spec: JsonObject, old: ApiObject, field: string): void {
  if (spec[field] === specOf(old)[field]) delete spec[field];
}
