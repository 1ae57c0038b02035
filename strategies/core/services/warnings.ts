/** Warnings about Services: fields that have no effect, and addresses in unusual forms. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { addressWarnings, rangeWarnings } from '../../shared/address-warnings.js';
import { clusterIPOf, clusterIPsOf, NONE, specOf, textsOf, typeOf } from './spec.js';

/** The annotations by which traffic is kept close to where it begins: the one that was, and the one that is. */
export interface TopologyAnnotations {
  readonly deprecated: string;
  readonly current: string;
}

export function serviceWarnings(service: ApiObject, { deprecated, current }: TopologyAnnotations): readonly string[] {
  const spec = specOf(service);
  const type = typeOf(service);
  const balancerIP = stringAt(spec, 'loadBalancerIP');
  const hasAddress = clusterIPOf(service) !== '' && clusterIPOf(service) !== NONE;
  const isAnnotated = service.metadata.annotations?.[deprecated] !== undefined;
  return [
    ...(isAnnotated ? [`annotation ${deprecated} is deprecated, please use ${current} instead`] : []),
    ...(hasAddress ? eachAt('clusterIPs', clusterIPsOf(service), addressWarnings) : []),
    ...eachAt('externalIPs', textsOf(service, 'externalIPs'), addressWarnings),
    ...(balancerIP === '' ? [] : addressWarnings(balancerIP, 'spec.loadBalancerIP')),
    ...eachAt('loadBalancerSourceRanges', textsOf(service, 'loadBalancerSourceRanges'), rangeWarnings),
    ...(type === 'ExternalName' && textsOf(service, 'externalIPs').length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== 'ExternalName' && stringAt(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

function eachAt(
  field: string,
  texts: readonly string[],
  warnings: (text: string, path: string) => readonly string[],
): readonly string[] {
  return texts.flatMap((text, i) => warnings(text, `spec.${field}[${i}]`));
}
