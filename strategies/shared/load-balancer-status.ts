/** Where a load balancer is reached, as the status of Services and Ingresses tells it. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { ipNumber } from '../../runtime/objects/ip-range.js';

const path = 'status.loadBalancer.ingress';

function pointsOf(object: JsonObject): readonly JsonObject[] {
  const list = objectAt(objectAt(object, 'status'), 'loadBalancer')?.ingress;
  return isArray(list) ? list.map((point) => (isObject(point) ? point : {})) : [];
}

/** Errors of the addresses and host names. */
export function loadBalancerErrors(object: JsonObject): FieldError[] {
  return pointsOf(object).flatMap((point, i) => {
    const address = stringAt(point, 'ip');
    const host = stringAt(point, 'hostname');
    const isIp = host !== '' && ipNumber(host) !== undefined;
    return [
      ...(address === '' || ipNumber(address)
        ? []
        : [invalidValue(`${path}[${i}].ip`, address, 'must be a valid IP address')]),
      ...(host === '' ? [] : dns1123Subdomain(host)).map((problem) =>
        invalidValue(`${path}[${i}].hostname`, host, problem),
      ),
      ...(isIp ? [invalidValue(`${path}[${i}].hostname`, host, 'must be a DNS name, not an IP address')] : []),
    ];
  });
}

/** Addresses, or host names where there are none, once each and in order, with commas between. */
export function loadBalancerText(object: JsonObject): string {
  const names = pointsOf(object).map((point) => stringAt(point, 'ip') || stringAt(point, 'hostname'));
  return [...new Set(names.filter((name) => name !== ''))].sort().join(',');
}
