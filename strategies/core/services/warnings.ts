/** Warnings about Services: fields that have no effect, and addresses in unusual forms. */
import { addressWarnings, rangeWarnings } from '../../shared/address-warnings.js';
import { clusterIPOf, NONE, type ServiceDraft } from './spec.js';

/** The annotations that keep traffic close to where it begins: the deprecated one and the current one. */
export interface TopologyAnnotations {
  readonly deprecated: string;
  readonly current: string;
}

export function serviceWarnings(service: ServiceDraft, topology: TopologyAnnotations): readonly string[] {
  const { metadata, spec = {} } = service;
  const { deprecated, current } = topology;
  const { type, externalIPs, loadBalancerIP, externalName } = spec;
  const hasAddress = clusterIPOf(service) !== '' && clusterIPOf(service) !== NONE;
  const isAnnotated = metadata.annotations?.[deprecated] !== undefined;
  return [
    ...(isAnnotated ? [`annotation ${deprecated} is deprecated, please use ${current} instead`] : []),
    ...(hasAddress ? eachAt('spec.clusterIPs', spec.clusterIPs, addressWarnings) : []),
    ...eachAt('spec.externalIPs', externalIPs, addressWarnings),
    ...(loadBalancerIP ? addressWarnings(loadBalancerIP, 'spec.loadBalancerIP') : []),
    ...eachAt('spec.loadBalancerSourceRanges', spec.loadBalancerSourceRanges, rangeWarnings),
    ...(type === 'ExternalName' && externalIPs?.length
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== 'ExternalName' && externalName
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

const eachAt = (
  path: string,
  texts: readonly string[] = [],
  warnings: (text: string, path: string) => readonly string[],
): readonly string[] => texts.flatMap((text, i) => warnings(text, `${path}[${i}]`));
