/** What the parts of a Service's spec say, however little of it is there. */
import type { ApiObject, JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject, isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';

/** In place of an address: the Service has none, and DNS answers with its endpoints. */
export const NONE = 'None';

const empty: JsonObject = Object.freeze({});

export const specOf = (service: ApiObject): JsonObject => objectAt(service, 'spec') ?? empty;

export const typeOf = (service: ApiObject): string => stringAt(specOf(service), 'type');

export const clusterIPOf = (service: ApiObject): string => stringAt(specOf(service), 'clusterIP');

export const policyOf = (service: ApiObject): string => stringAt(specOf(service), 'ipFamilyPolicy');

/** The strings of a list of the spec; none where it is no such list. */
export function textsOf(service: ApiObject, field: string): readonly string[] {
  const list = specOf(service)[field];
  return isStringArray(list) ? list : [];
}

export const clusterIPsOf = (service: ApiObject): readonly string[] => textsOf(service, 'clusterIPs');

export const familiesOf = (service: ApiObject): readonly string[] => textsOf(service, 'ipFamilies');

/** The ports; what is no object among them reads as an empty one. */
export function portsOf(service: ApiObject): readonly JsonObject[] {
  const { ports } = specOf(service);
  return isArray(ports) ? ports.map((port) => (isObject(port) ? port : empty)) : [];
}

/** A number of an object, 0 where it has none. */
export function numberAt(object: JsonObject, field: string): number {
  const value: JsonValue | undefined = object[field];
  return typeof value === 'number' ? value : 0;
}

export const isHeadless = (service: ApiObject): boolean => {
  const addresses = clusterIPsOf(service);
  return addresses.length === 1 && addresses[0] === NONE;
};

/** Headless, and nobody but its writer knows its endpoints. */
export const isHeadlessWithoutSelector = (service: ApiObject): boolean =>
  clusterIPOf(service) === NONE && Object.keys(objectAt(specOf(service), 'selector') ?? {}).length === 0;

/** Whether the Service has an address, be it `None`. */
export const needsClusterIP = (service: ApiObject): boolean => typeOf(service) !== 'ExternalName';

/** Whether a port may be open for it on each node. */
export const mayHaveNodePorts = (service: ApiObject): boolean =>
  typeOf(service) === 'NodePort' || typeOf(service) === 'LoadBalancer';

/** Whether each of its ports gets one on the nodes. */
export const needsNodePorts = (service: ApiObject): boolean =>
  mayHaveNodePorts(service) &&
  !(typeOf(service) === 'LoadBalancer' && specOf(service).allocateLoadBalancerNodePorts === false);

/** Whether load balancers ask the nodes if they have endpoints of it. */
export const needsHealthCheck = (service: ApiObject): boolean =>
  typeOf(service) === 'LoadBalancer' && stringAt(specOf(service), 'externalTrafficPolicy') === 'Local';

/** Whether traffic comes to it from outside the cluster. */
export const isExternal = (service: ApiObject): boolean =>
  mayHaveNodePorts(service) || (typeOf(service) === 'ClusterIP' && textsOf(service, 'externalIPs').length > 0);

/** The ports on the nodes that its ports have. */
export const nodePortsOf = (service: ApiObject): readonly number[] =>
  portsOf(service).flatMap((port) => (numberAt(port, 'nodePort') === 0 ? [] : [numberAt(port, 'nodePort')]));

export const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, i) => text === other[i]);
