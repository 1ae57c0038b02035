/** Blocks of addresses that may use a load balancer, in a field of a Service or in the annotation that came before it. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { parseIpRange } from '../../../runtime/objects/ip-address.js';
import { isLoadBalancer, type ServiceDraft } from './spec.js';

const rule = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';

/** Errors of the field, or of the annotation where the field is empty. */
export function sourceRangeErrors(service: ServiceDraft, annotation: string): readonly FieldError[] {
  const { metadata, spec } = service;
  const { loadBalancerSourceRanges: ranges = [] } = spec ?? {};
  const annotated = metadata.annotations?.[annotation];
  if (ranges.length > 0) return errorsOf(service, 'spec.LoadBalancerSourceRanges', `[${ranges.join(' ')}]`, ranges);
  if (annotated === undefined) return [];
  // An annotation of nothing but spaces stands for everyone.
  const listed = annotated.trim() === '' ? [] : annotated.split(',');
  return errorsOf(service, `metadata.annotations[${annotation}]`, annotated, listed);
}

function errorsOf(
  service: ServiceDraft,
  path: string,
  value: string,
  ranges: readonly string[],
): readonly FieldError[] {
  return [
    ...(isLoadBalancer(service) ? [] : [forbidden(path, "may only be used when `type` is 'LoadBalancer'")]),
    ...(ranges.every((range) => parseIpRange(range.trim())) ? [] : [invalidValue(path, value, rule)]),
  ];
}
