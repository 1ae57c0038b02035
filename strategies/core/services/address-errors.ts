/** The addresses, families and source ranges of a service. */
import type { FieldError } from '../../../runtime/contract/index.js';
import {
  duplicate,
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
} from '../../../runtime/objects/field-error.js';
import { ipNumber, parseIpRange } from '../../../runtime/objects/ip-address.js';
import { ipAddress } from '../../../runtime/objects/names/network-names.js';
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  isHeadless,
  isLoadBalancer,
  NONE,
  needsClusterIP,
  policyOf,
  type ServiceDraft,
} from './spec.js';

const path = 'spec.clusterIPs';
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Checks `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy` of a service that may have addresses. */
export function addressErrors(service: ServiceDraft): readonly FieldError[] {
  if (!needsClusterIP(service)) return [];
  const before = [...firstErrors(service), ...familyErrors(service), ...singleErrors(service)];
  const addresses = clusterIPsOf(service);
  const tooMany = addresses.length > 2 ? [invalidValue(path, listed(service), 'may only hold up to 2 values')] : [];
  // A malformed address has no family to compare.
  return singleErrors(service).length > 0
    ? [...before, ...tooMany]
    : [...before, ...tooMany, ...pairErrors(service), ...matchErrors(service)];
}

const listed = (service: ServiceDraft) => stringList(clusterIPsOf(service));

/** `clusterIP` is the first of `clusterIPs`. */
function firstErrors(service: ServiceDraft): readonly FieldError[] {
  const [first] = clusterIPsOf(service);
  const own = clusterIPOf(service);
  if (own === '') {
    const rule = 'must be empty when `clusterIP` is not specified';
    return first === undefined ? [] : [invalidValue(path, listed(service), rule)];
  }
  if (first === undefined) return [required(path)];
  return first === own ? [] : [invalidValue(path, listed(service), 'first value must match `clusterIP`')];
}

/** Families are known and unique, and the policy is known. */
function familyErrors(service: ServiceDraft): readonly FieldError[] {
  const named = familiesOf(service);
  const first = new Map([...named.entries()].reverse().map(([i, family]) => [family, i]));
  const policy = policyOf(service);
  const errors = named.flatMap((family, i) => [
    ...(families.includes(family) ? [] : [notSupported(`spec.ipFamilies[${i}]`, family, families)]),
    ...((first.get(family) ?? i) < i ? [duplicate(`spec.ipFamilies[${i}]`, family)] : []),
  ]);
  if (policy === '' || policies.includes(policy)) return errors;
  return [...errors, notSupported('spec.ipFamilyPolicy', policy, policies)];
}

/** Each address is valid, or there is only `None`. */
function singleErrors(service: ServiceDraft): readonly FieldError[] {
  const addresses = clusterIPsOf(service);
  return addresses.flatMap((address, i) => {
    if (i === 0 && address === NONE) {
      return addresses.length > 1
        ? [invalidValue(path, listed(service), "'None' must be the first and only value")]
        : [];
    }
    return ipAddress(address).map((problem) => invalidValue(`${path}[${i}]`, address, problem));
  });
}

/** Two addresses have different families. */
function pairErrors(service: ServiceDraft): readonly FieldError[] {
  const addresses = clusterIPsOf(service);
  const found = new Set(addresses.map((address) => ipNumber(address)?.family));
  if (addresses.length < 2 || found.size === 2) return [];
  return [invalidValue(path, listed(service), 'may specify no more than one IP for each IP family')];
}

/** Each address has the family at the same index. */
function matchErrors(service: ServiceDraft): readonly FieldError[] {
  if (isHeadless(service)) return [];
  const named = familiesOf(service);
  return clusterIPsOf(service).flatMap((address, i) => {
    const wanted = named[i];
    if ((wanted !== 'IPv4' && wanted !== 'IPv6') || ipNumber(address)?.family === wanted) return [];
    return [invalidValue(`${path}[${i}]`, address, `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``)];
  });
}

// Source ranges of a load balancer: a field, or the annotation that came before it.

const rule = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';

/** Checks the field, or the annotation if the field is empty. */
export function sourceRangeErrors(service: ServiceDraft, annotation: string): readonly FieldError[] {
  const { metadata, spec } = service;
  const { loadBalancerSourceRanges: ranges = [] } = spec ?? {};
  const annotated = metadata.annotations?.[annotation];
  if (ranges.length > 0) return errorsOf(service, 'spec.LoadBalancerSourceRanges', `[${ranges.join(' ')}]`, ranges);
  if (annotated === undefined) return [];
  // An annotation of only blanks stands for everyone.
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
