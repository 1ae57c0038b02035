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
import type { NameCheck } from '../../../runtime/objects/names/name-checks.js';
import { cidr, ipAddress } from '../../../runtime/objects/names/network-names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { strictAddress, strictRange } from '../../shared/addresses.js';
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
export function sourceRangeErrors(service: ServiceDraft, annotation: string, release: Release): readonly FieldError[] {
  if (release.does('exactSourceRanges')) return laterRangeErrors(service, annotation);
  const { metadata, spec } = service;
  const { loadBalancerSourceRanges: ranges = [] } = spec ?? {};
  const annotated = metadata.annotations?.[annotation];
  if (ranges.length > 0) return errorsOf(service, 'spec.LoadBalancerSourceRanges', `[${ranges.join(' ')}]`, ranges);
  if (annotated === undefined) return [];
  // An annotation of only blanks stands for everyone.
  const listed = annotated.trim() === '' ? [] : annotated.split(',');
  return errorsOf(service, `metadata.annotations[${annotation}]`, annotated, listed);
}

/** Later releases name each range. As in the reference, ranges of the annotation share one path. */
function laterRangeErrors({ metadata, spec }: ServiceDraft, annotation: string): readonly FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], type } = spec ?? {};
  const annotated = metadata.annotations?.[annotation];
  const isField = ranges.length > 0;
  if (!isField && annotated === undefined) return [];
  const path = isField ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${annotation}]`;
  const texts = isField ? ranges : (annotated?.trim() ?? '').split(',').filter((_, i, all) => all.length > 1 || all[i]);
  const misplaced = forbidden(path, "may only be used when `type` is 'LoadBalancer'");
  return [
    ...(type === 'LoadBalancer' ? [] : [misplaced]),
    ...texts.flatMap((text, i) => {
      const at = isField ? `${path}[${i}]` : path;
      return cidr(text.trim()).map((problem) => invalidValue(at, text.trim(), problem));
    }),
  ];
}

/** Checks that new addresses and ranges have spellings that all software reads the same way. */
export function strictErrors({ spec = {} }: ServiceDraft, old: ServiceDraft | undefined): readonly FieldError[] {
  const { clusterIPs = [], externalIPs = [], loadBalancerSourceRanges: ranges = [] } = spec;
  const { spec: before = {} } = old ?? {};
  const check = (
    at: string,
    texts: readonly string[],
    known: readonly string[] | undefined,
    checks: readonly [lax: NameCheck, strict: NameCheck],
  ): readonly FieldError[] =>
    texts.flatMap((text, i) => {
      const [lax, strict] = checks;
      if (text === NONE || known?.includes(text) || lax(text).length > 0) return [];
      return strict(text).map((problem) => invalidValue(`${at}[${i}]`, text, problem));
    });
  const trimmed = (list: readonly string[] = []) => list.map((text) => text.trim());
  return [
    ...check('spec.clusterIPs', clusterIPs, before.clusterIPs, [ipAddress, strictAddress]),
    ...check('spec.externalIPs', externalIPs, before.externalIPs, [ipAddress, strictAddress]),
    ...check('spec.LoadBalancerSourceRanges', trimmed(ranges), trimmed(before.loadBalancerSourceRanges), [
      cidr,
      strictRange,
    ]),
  ];
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
