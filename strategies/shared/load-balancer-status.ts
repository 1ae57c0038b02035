/** Where a load balancer is reached, as the status of Services and Ingresses has it. */
import type { LoadBalancerIngress } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { ipNumber } from '../../runtime/objects/ip-address.js';
import { dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';

/** A point at which the load balancer is reached. */
type Point = Pick<Draft<LoadBalancerIngress>, 'ip' | 'hostname'>;

/** Errors of the addresses and host names of a load balancer. */
export const loadBalancerErrors = (points: readonly Point[] = []): readonly FieldError[] =>
  points.flatMap((point, i) => pointErrors(point, `status.loadBalancer.ingress[${i}]`));

function pointErrors({ ip, hostname }: Point, path: string): readonly FieldError[] {
  const wrong = (value: string, field: string, problem: string): FieldError =>
    invalidValue(`${path}.${field}`, value, problem);
  return [
    ...(ip && !ipNumber(ip) ? [wrong(ip, 'ip', 'must be a valid IP address')] : []),
    ...(hostname ? dns1123Subdomain(hostname).map((problem) => wrong(hostname, 'hostname', problem)) : []),
    ...(hostname && ipNumber(hostname) ? [wrong(hostname, 'hostname', 'must be a DNS name, not an IP address')] : []),
  ];
}

/** Addresses, or host names where there are none, once each and in order, with commas between. */
export function loadBalancerText(points: readonly Point[] = []): string {
  const names = points.flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...new Set(names)].sort().join(',');
}
