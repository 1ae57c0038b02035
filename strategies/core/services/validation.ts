/** What is wrong with a Service by itself, in the order in which the API reports it. */
import type { ApiObject, FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { duplicate, forbidden, invalidValue, required, Verbatim } from '../../../runtime/objects/field-error.js';
import { isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { validateLabels } from '../../../runtime/objects/metadata-rules.js';
import { ipAddress, portNumberProblems } from '../../../runtime/objects/network-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import { specialAddressErrors } from '../../shared/special-addresses.js';
import { targetPortErrors } from '../../shared/target-port.js';
import { addressErrors } from './address-errors.js';
import { sourceRangeErrors } from './source-ranges.js';
import {
  clusterIPsOf,
  familiesOf,
  isExternal,
  isHeadless,
  needsHealthCheck,
  numberAt,
  policyOf,
  portsOf,
  specOf,
  textsOf,
  typeOf,
} from './spec.js';

/** Errors of the spec; `sourceRanges` is the annotation that says what `loadBalancerSourceRanges` does. */
export function serviceErrors(service: ApiObject, sourceRanges: string): readonly FieldError[] {
  return [
    ...(portsOf(service).length > 0 || isHeadless(service) || typeOf(service) === 'ExternalName'
      ? []
      : [required('spec.ports')]),
    ...typeErrors(service),
    ...portErrors(service),
    ...selectorErrors(service),
    ...affinityErrors(service),
    ...addressErrors(service),
    ...externalIPErrors(service),
    ...nodePortErrors(service),
    ...repeatedPortErrors(service),
    ...sourceRangeErrors(service, sourceRanges),
    ...balancerErrors(service),
    ...loadBalancerClassErrors(service),
    ...trafficErrors(service),
    ...healthCheckErrors(service),
  ];
}

function typeErrors(service: ApiObject): FieldError[] {
  const type = typeOf(service);
  if (type === 'ExternalName') return externalNameErrors(service);
  if (!isHeadless(service) || (type !== 'LoadBalancer' && type !== 'NodePort')) return [];
  return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
}

function externalNameErrors(service: ApiObject): FieldError[] {
  const rule = 'may not be set for ExternalName services';
  // The dot at the end marks a name as complete.
  const name = stringAt(specOf(service), 'externalName').replace(/\.$/, '');
  return [
    ...(clusterIPsOf(service).length > 0 ? [forbidden('spec.clusterIPs', rule)] : []),
    ...(familiesOf(service).length > 0 ? [forbidden('spec.ipFamilies', rule)] : []),
    ...(policyOf(service) !== '' ? [forbidden('spec.ipFamilyPolicy', rule)] : []),
    ...(name === '' ? [required('spec.externalName')] : []),
    ...(name === '' ? [] : dns1123Subdomain(name)).map((problem) => invalidValue('spec.externalName', name, problem)),
  ];
}

function portErrors(service: ApiObject): FieldError[] {
  const ports = portsOf(service);
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const path = `spec.ports[${i}]`;
    const name = stringAt(port, 'name');
    const again = names.has(name);
    names.add(name);
    const number = numberAt(port, 'port');
    const appProtocol = stringAt(port, 'appProtocol');
    return [
      ...(name === '' && ports.length > 1 ? [required(`${path}.name`)] : []),
      ...(name === '' ? [] : dns1123Label(name)).map((problem) => invalidValue(`${path}.name`, name, problem)),
      ...(name !== '' && again ? [duplicate(`${path}.name`, name)] : []),
      ...portNumberProblems(number).map((problem) => invalidValue(`${path}.port`, number, problem)),
      ...targetPortErrors(port.targetPort, `${path}.targetPort`),
      ...(port.appProtocol === undefined ? [] : qualifiedNameCheck(appProtocol)).map((problem) =>
        invalidValue(`${path}.appProtocol`, appProtocol, problem),
      ),
    ];
  });
}

function selectorErrors(service: ApiObject): readonly FieldError[] {
  const { selector } = specOf(service);
  return isStringMap(selector) ? validateLabels(selector, 'spec.selector') : [];
}

const maxAffinitySeconds = 86_400;

function affinityErrors(service: ApiObject): FieldError[] {
  const path = 'spec.sessionAffinityConfig';
  const affinity = stringAt(specOf(service), 'sessionAffinity');
  const config = objectAt(specOf(service), 'sessionAffinityConfig');
  if (affinity === 'None') {
    return config ? [forbidden(path, 'must not be set when session affinity is None')] : [];
  }
  if (affinity !== 'ClientIP') return [];
  const clientIP = objectAt(config, 'clientIP');
  const needed = 'when session affinity type is ClientIP';
  if (!clientIP) return [required(config ? `${path}.clientIP` : path, needed)];
  const timeout = `${path}.clientIP.timeoutSeconds`;
  if (clientIP.timeoutSeconds === undefined) return [required(timeout, needed)];
  const seconds = numberAt(clientIP, 'timeoutSeconds');
  if (seconds > 0 && seconds <= maxAffinitySeconds) return [];
  return [invalidValue(timeout, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`)];
}

function externalIPErrors(service: ApiObject): FieldError[] {
  return textsOf(service, 'externalIPs').flatMap((address, i) => {
    const path = `spec.externalIPs[${i}]`;
    const problems = ipAddress(address);
    return problems.length > 0
      ? problems.map((problem) => invalidValue(path, address, problem))
      : specialAddressErrors(address, path);
  });
}

function nodePortErrors(service: ApiObject): FieldError[] {
  const ports = portsOf(service);
  const isUsed = (port: JsonObject): boolean => numberAt(port, 'nodePort') !== 0;
  const rule = "may not be used when `type` is 'ClusterIP'";
  const misplaced = ports.flatMap((port, i) =>
    typeOf(service) === 'ClusterIP' && isUsed(port) ? [forbidden(`spec.ports[${i}].nodePort`, rule)] : [],
  );
  const keyOf = (port: JsonObject): string => `${stringAt(port, 'protocol')} ${numberAt(port, 'nodePort')}`;
  const repeated = repeats(ports, keyOf).filter(({ port }) => isUsed(port));
  return [
    ...misplaced,
    ...repeated.map(({ port, i }) => duplicate(`spec.ports[${i}].nodePort`, numberAt(port, 'nodePort'))),
  ];
}

function repeatedPortErrors(service: ApiObject): FieldError[] {
  const keyOf = (port: JsonObject): string => `${stringAt(port, 'protocol')} ${numberAt(port, 'port')}`;
  return repeats(portsOf(service), keyOf).map(({ port, i }) => duplicate(`spec.ports[${i}]`, portText(port)));
}

/** A port as messages about repeats print it: protocol and number, and nothing of the rest. */
function portText(port: JsonObject): Verbatim {
  const unset = 'TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0';
  const protocol = quote(stringAt(port, 'protocol'));
  return new Verbatim(
    `core.ServicePort{Name:"", Protocol:${protocol}, AppProtocol:(*string)(nil), Port:${numberAt(port, 'port')}, ${unset}}`,
  );
}

function repeats(
  ports: readonly JsonObject[],
  keyOf: (port: JsonObject) => string,
): readonly { readonly port: JsonObject; readonly i: number }[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const again = seen.has(keyOf(port));
    seen.add(keyOf(port));
    return again ? [{ port, i }] : [];
  });
}

function balancerErrors(service: ApiObject): FieldError[] {
  const isSet = specOf(service).allocateLoadBalancerNodePorts !== undefined;
  const path = 'spec.allocateLoadBalancerNodePorts';
  if (typeOf(service) !== 'LoadBalancer') {
    return isSet ? [forbidden(path, "may only be used when `type` is 'LoadBalancer'")] : [];
  }
  return isSet ? [] : [required('allocateLoadBalancerNodePorts')];
}

/** Errors of `loadBalancerClass`. */
export function loadBalancerClassErrors(service: ApiObject): FieldError[] {
  const path = 'spec.loadBalancerClass';
  const name = specOf(service).loadBalancerClass;
  if (typeof name !== 'string') return [];
  if (typeOf(service) !== 'LoadBalancer') return [forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
  return qualifiedNameCheck(name).map((problem) => invalidValue(path, name, problem));
}

function trafficErrors(service: ApiObject): FieldError[] {
  const path = 'spec.externalTrafficPolicy';
  const policy = stringAt(specOf(service), 'externalTrafficPolicy');
  if (isExternal(service)) return policy === '' ? [required(path)] : [];
  return policy === '' ? [] : [invalidValue(path, policy, 'may only be set for externally-accessible services')];
}

function healthCheckErrors(service: ApiObject): FieldError[] {
  const path = 'spec.healthCheckNodePort';
  const port = numberAt(specOf(service), 'healthCheckNodePort');
  if (!needsHealthCheck(service)) {
    const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    return port === 0 ? [] : [invalidValue(path, port, rule)];
  }
  if (port === 0) return [required(path)];
  return portNumberProblems(port).map((problem) => invalidValue(path, port, problem));
}
