/** The rules of a service, checked in the order of the reference. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { validateLabels } from '../../../runtime/objects/names/metadata-rules.js';
import { dns1123Subdomain, qualifiedNameCheck } from '../../../runtime/objects/names/name-checks.js';
import { ipAddress, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { specialAddressErrors } from '../../shared/addresses.js';
import { addressErrors, sourceRangeErrors } from './address-errors.js';
import { nodeAgentPortErrors, nodePortErrors, portErrors, repeatedPortErrors } from './ports.js';
import {
  clusterIPsOf,
  familiesOf,
  healthCheckPortOf,
  isHeadless,
  isLoadBalancer,
  mayHaveNodePorts,
  needsHealthCheck,
  policyOf,
  portsOf,
  type ServiceDraft,
  type TopologyAnnotations,
  typeOf,
} from './spec.js';

/** Checks the spec. `sourceRanges` is the annotation that means the same as `loadBalancerSourceRanges`. */
export function serviceErrors(
  service: ServiceDraft,
  sourceRanges: string,
  topology: TopologyAnnotations,
  release: Release,
): readonly FieldError[] {
  return [
    ...topologyErrors(service, topology),
    ...(portsOf(service).length > 0 || isHeadless(service) || typeOf(service) === 'ExternalName'
      ? []
      : [required('spec.ports')]),
    ...typeErrors(service, release),
    ...portErrors(service),
    ...validateLabels(service.spec?.selector ?? {}, 'spec.selector'),
    ...affinityErrors(service),
    ...addressErrors(service),
    ...externalIPErrors(service),
    ...nodePortErrors(service),
    ...repeatedPortErrors(service),
    ...sourceRangeErrors(service, sourceRanges, release),
    ...balancerErrors(service),
    ...loadBalancerClassErrors(service),
    ...trafficErrors(service, release),
    ...healthCheckErrors(service),
    ...distributionErrors(service, release),
  ];
}

/** Annotations with the same meaning are equal. */
function topologyErrors(
  { metadata: { annotations = {} } }: ServiceDraft,
  { deprecated, current }: TopologyAnnotations,
): readonly FieldError[] {
  const [before, now] = [getOwn(annotations, deprecated), getOwn(annotations, current)];
  if (before === undefined || now === undefined || before === now) return [];
  const rule = `must match annotations[${deprecated}] when both are specified`;
  return [invalidValue(`metadata.annotations[${current}]`, now, rule)];
}

/** A type with addresses is not headless; `ExternalName` has a name outside the cluster. */
function typeErrors(service: ServiceDraft, release: Release): readonly FieldError[] {
  const type = typeOf(service);
  if (type === 'ExternalName') return externalNameErrors(service);
  const exposed = type === 'LoadBalancer' && !release.does('nodeAgentPortsExposed') ? nodeAgentPortErrors(service) : [];
  if (!isHeadless(service) || (type !== 'LoadBalancer' && type !== 'NodePort')) return exposed;
  const headless = `may not be set to 'None' for ${type} services`;
  return [...exposed, invalidValue('spec.clusterIPs[0]', 'None', headless)];
}

function externalNameErrors(service: ServiceDraft): readonly FieldError[] {
  const rule = 'may not be set for ExternalName services';
  // The final dot marks a complete name.
  const name = (service.spec?.externalName ?? '').replace(/\.$/, '');
  return [
    ...(clusterIPsOf(service).length > 0 ? [forbidden('spec.clusterIPs', rule)] : []),
    ...(familiesOf(service).length > 0 ? [forbidden('spec.ipFamilies', rule)] : []),
    ...(policyOf(service) !== '' ? [forbidden('spec.ipFamilyPolicy', rule)] : []),
    ...(name === '' ? [required('spec.externalName')] : []),
    ...(name === '' ? [] : dns1123Subdomain(name)).map((problem) => invalidValue('spec.externalName', name, problem)),
  ];
}

const maxAffinitySeconds = 86_400;

/** Client affinity has a timeout. Without affinity, settings are not allowed. */
function affinityErrors({ spec = {} }: ServiceDraft): readonly FieldError[] {
  const path = 'spec.sessionAffinityConfig';
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  if (sessionAffinity === 'None') {
    return config ? [forbidden(path, 'must not be set when session affinity is None')] : [];
  }
  if (sessionAffinity !== 'ClientIP') return [];
  const needed = 'when session affinity type is ClientIP';
  if (!config?.clientIP) return [required(config ? `${path}.clientIP` : path, needed)];
  const { timeoutSeconds } = config.clientIP;
  const timeout = `${path}.clientIP.timeoutSeconds`;
  if (timeoutSeconds === undefined) return [required(timeout, needed)];
  if (timeoutSeconds > 0 && timeoutSeconds <= maxAffinitySeconds) return [];
  return [invalidValue(timeout, timeoutSeconds, `must be greater than 0 and less than ${maxAffinitySeconds}`)];
}

/** External addresses can receive traffic. */
function externalIPErrors({ spec }: ServiceDraft): readonly FieldError[] {
  return (spec?.externalIPs ?? []).flatMap((address, i) => {
    const path = `spec.externalIPs[${i}]`;
    const problems = ipAddress(address);
    return problems.length > 0
      ? problems.map((problem) => invalidValue(path, address, problem))
      : specialAddressErrors(address, path);
  });
}

/** Only load balancers say whether they need node ports. */
function balancerErrors(service: ServiceDraft): readonly FieldError[] {
  const isSet = service.spec?.allocateLoadBalancerNodePorts !== undefined;
  if (isLoadBalancer(service)) return isSet ? [] : [required('allocateLoadBalancerNodePorts')];
  if (!isSet) return [];
  return [forbidden('spec.allocateLoadBalancerNodePorts', "may only be used when `type` is 'LoadBalancer'")];
}

/** The class of a load balancer is a qualified name. */
export function loadBalancerClassErrors(service: ServiceDraft): readonly FieldError[] {
  const path = 'spec.loadBalancerClass';
  const name = service.spec?.loadBalancerClass;
  if (name === undefined) return [];
  if (!isLoadBalancer(service)) return [forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
  return qualifiedNameCheck(name).map((problem) => invalidValue(path, name, problem));
}

const trafficPolicies = ['Cluster', 'Local'] as const;

/** Only services that nodes or load balancers expose have a policy for traffic from outside. */
function trafficErrors(service: ServiceDraft, release: Release): readonly FieldError[] {
  const path = 'spec.externalTrafficPolicy';
  const policy = service.spec?.externalTrafficPolicy;
  if (mayHaveNodePorts(service)) {
    if (!policy) return [required(path)];
    return trafficPolicies.some((known) => known === policy) ? [] : [notSupported(path, policy, trafficPolicies)];
  }
  const isLater = release.does('externalPolicyOfAddresses');
  if (!policy || (isLater && service.spec?.externalIPs?.length)) return [];
  const rule = isLater ? 'for externally-accessible services' : "when `type` is 'NodePort' or 'LoadBalancer'";
  return [invalidValue(path, policy, `may only be set ${rule}`)];
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'] as const;

/** Checks the endpoints that a service prefers. */
function distributionErrors({ spec }: ServiceDraft, release: Release): readonly FieldError[] {
  const value = spec?.trafficDistribution;
  const known: readonly string[] = release.does('trafficToSameZone') ? distributions : distributions.slice(0, 1);
  if (value === undefined || known.includes(value)) return [];
  return [notSupported('spec.trafficDistribution', value, known)];
}

/** Only load balancers that check the health of endpoints have a health check port. */
function healthCheckErrors(service: ServiceDraft): readonly FieldError[] {
  const path = 'spec.healthCheckNodePort';
  const port = healthCheckPortOf(service);
  if (needsHealthCheck(service)) {
    if (port === 0) return [required(path)];
    return portNumberProblems(port).map((problem) => invalidValue(path, port, problem));
  }
  const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalidValue(path, port, rule)];
}
