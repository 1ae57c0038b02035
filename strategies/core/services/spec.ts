/** Facts about a service that several rules need. */
import type { Service } from '../../../generated/core/v1/services/types.js';
import type { ServicePort, ServiceSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../../runtime/contract/index.js';
import type { Release } from '../../../runtime/objects/release.js';
import { addressWarnings, rangeWarnings } from '../../shared/addresses.js';

export type ServiceDraft = DraftObject<Service>;

export type SpecDraft = Draft<ServiceSpec>;
export type PortDraft = Draft<ServicePort>;

/** Replaces the address of a headless service: DNS returns the endpoints instead. */
export const NONE = 'None';

export const typeOf = ({ spec }: ServiceDraft): string => spec?.type ?? '';

export const clusterIPOf = ({ spec }: ServiceDraft): string => spec?.clusterIP ?? '';

export const policyOf = ({ spec }: ServiceDraft): string => spec?.ipFamilyPolicy ?? '';

export const clusterIPsOf = ({ spec }: ServiceDraft): readonly string[] => spec?.clusterIPs ?? [];

export const familiesOf = ({ spec }: ServiceDraft): readonly string[] => spec?.ipFamilies ?? [];

export const portsOf = ({ spec }: ServiceDraft): readonly PortDraft[] => spec?.ports ?? [];

export const healthCheckPortOf = ({ spec }: ServiceDraft): number => spec?.healthCheckNodePort ?? 0;

export const isHeadless = (service: ServiceDraft): boolean => {
  const addresses = clusterIPsOf(service);
  return addresses.length === 1 && addresses[0] === NONE;
};

/** Returns whether a service is headless and only its writer knows the endpoints. */
export const isHeadlessWithoutSelector = (service: ServiceDraft): boolean =>
  clusterIPOf(service) === NONE && Object.keys(service.spec?.selector ?? {}).length === 0;

/** Returns whether a service has an address or `None`. */
export const needsClusterIP = (service: ServiceDraft): boolean => typeOf(service) !== 'ExternalName';

export const isLoadBalancer = (service: ServiceDraft): boolean => typeOf(service) === 'LoadBalancer';

/** Returns whether a service may have node ports. */
export const mayHaveNodePorts = (service: ServiceDraft): boolean =>
  typeOf(service) === 'NodePort' || isLoadBalancer(service);

/** Returns whether each port of a service gets a node port. */
export const needsNodePorts = (service: ServiceDraft): boolean =>
  mayHaveNodePorts(service) && !(isLoadBalancer(service) && service.spec?.allocateLoadBalancerNodePorts === false);

/** Returns whether load balancers ask nodes if they have endpoints of the service. */
export const needsHealthCheck = (service: ServiceDraft): boolean =>
  isLoadBalancer(service) && service.spec?.externalTrafficPolicy === 'Local';

/** Returns the node ports of a service. */
export const nodePortsOf = (service: ServiceDraft): readonly number[] =>
  portsOf(service).flatMap(({ nodePort }) => nodePort || []);

export const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, i) => text === other[i]);

/** The annotations that keep traffic close to its origin: the deprecated one and the current one. */
export interface TopologyAnnotations {
  readonly deprecated: string;
  readonly current: string;
}

/** Warns about fields of a service that have no effect, are deprecated, or have odd spellings. */
export function serviceWarnings(
  service: ServiceDraft,
  topology: TopologyAnnotations,
  release: Release,
): readonly string[] {
  const { metadata, spec = {} } = service;
  const { deprecated, current } = topology;
  const { externalIPs, loadBalancerIP } = spec;
  const hasAddress = clusterIPOf(service) !== '' && clusterIPOf(service) !== NONE;
  const ofAddress = (text: string, path: string) => addressWarnings(text, path, release);
  const isAnnotated = metadata.annotations?.[deprecated] !== undefined;
  return [
    ...(isAnnotated ? [`annotation ${deprecated} is deprecated, please use ${current} instead`] : []),
    ...(hasAddress ? eachAt('spec.clusterIPs', spec.clusterIPs, ofAddress) : []),
    ...(release.does('vainFieldsOfServices') ? headlessWarnings(service) : []),
    ...eachAt('spec.externalIPs', externalIPs, ofAddress),
    ...(release.does('externalAddressesDeprecated') ? externalWarnings(service) : []),
    ...(loadBalancerIP ? ofAddress(loadBalancerIP, 'spec.loadBalancerIP') : []),
    ...eachAt('spec.loadBalancerSourceRanges', spec.loadBalancerSourceRanges, (text, path) =>
      rangeWarnings(text, path, release),
    ),
    ...(release.does('vainFieldsOfServices') ? externalNameWarnings(service) : []),
    ...(release.does('trafficToSameZone') ? distributionWarnings(spec) : []),
  ];
}

/** A headless service has no address that others could use. */
function headlessWarnings(service: ServiceDraft): readonly string[] {
  const { loadBalancerIP, externalIPs = [], sessionAffinity } = service.spec ?? {};
  if (typeOf(service) !== 'ClusterIP' || clusterIPOf(service) !== NONE) return [];
  return [
    ...(loadBalancerIP ? ['spec.loadBalancerIP is ignored for headless services'] : []),
    ...(externalIPs.length > 0 ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ];
}

function externalWarnings(service: ServiceDraft): readonly string[] {
  const isUsed = service.spec?.externalIPs?.length && needsClusterIP(service) && clusterIPOf(service) !== NONE;
  return isUsed ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'] : [];
}

function externalNameWarnings(service: ServiceDraft): readonly string[] {
  const { externalIPs = [], externalName } = service.spec ?? {};
  if (needsClusterIP(service)) {
    return externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : [];
  }
  return externalIPs.length > 0 ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
}

const distributionWarnings = ({ trafficDistribution }: SpecDraft): readonly string[] =>
  trafficDistribution === 'PreferClose'
    ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
    : [];

const eachAt = (
  path: string,
  texts: readonly string[] = [],
  warnings: (text: string, path: string) => readonly string[],
): readonly string[] => texts.flatMap((text, i) => warnings(text, `${path}[${i}]`));
