/** Defaults of a Service that hang on its type. */
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import { isExternal, typeOf } from './spec.js';

/** Seconds for which a client stays with an endpoint. */
const affinitySeconds = 10_800;

/** Fills in the defaults, in place; those that hang on nothing are in the definition. */
export function setDefaults(service: ApiObject): void {
  const spec = objectAt(service, 'spec');
  if (!spec) return;
  setAffinity(spec);
  for (const port of isArray(spec.ports) ? spec.ports : []) if (isObject(port)) setTargetPort(port);
  if (isExternal(service)) spec.externalTrafficPolicy ??= 'Cluster';
  if (['ClusterIP', 'LoadBalancer', 'NodePort'].includes(typeOf(service))) spec.internalTrafficPolicy ??= 'Cluster';
  if (typeOf(service) === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function setAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const clientIP = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
  if (clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
}

function setTargetPort(port: JsonObject): void {
  const { targetPort } = port;
  const isUnset = targetPort === undefined || targetPort === 0 || targetPort === '';
  if (isUnset && port.port !== undefined) port.targetPort = port.port;
}
