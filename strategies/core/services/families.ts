/** Chooses the IP families of a Service, from those that it asks for and those that the cluster has. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { invalidValue, stringList } from '../../../runtime/objects/field-error.js';
import { type IpFamily, ipNumber } from '../../../runtime/objects/ip-address.js';
import { addressErrors } from './address-errors.js';
import {
  clusterIPsOf,
  familiesOf,
  isHeadlessWithoutSelector,
  NONE,
  needsClusterIP,
  policyOf,
  type ServiceDraft,
  sameTexts,
  typeOf,
} from './spec.js';

/**
 * Fills in `ipFamilyPolicy` and `ipFamilies`, in place; `available` are the families of the cluster, the preferred one
 * first. Returns why that cannot be.
 */
export function chooseFamilies(
  service: ServiceDraft,
  old: ServiceDraft | undefined,
  available: readonly IpFamily[],
): readonly FieldError[] {
  const { spec } = service;
  if (!spec || !needsClusterIP(service) || keepsPreference(service, old)) return [];
  const set = (families: readonly string[]): void => {
    spec.ipFamilies = [...families];
  };
  spec.ipFamilyPolicy ??= inferredPolicy(service, old);
  const malformed = addressErrors(service);
  if (malformed.length > 0) return malformed;
  const reduced = old ? reduce(service, old) : [];
  const tooMany = policyOf(service) === 'SingleStack' ? singleStackErrors(service) : [];
  const named = familiesOf(service);
  const unnamed = clusterIPsOf(service)
    .slice(named.length)
    .filter((address) => address !== NONE);
  const unknown = unnamed.flatMap((address, i) => unavailableAddress(service, address, named.length + i, available));
  const mistakes = [...reduced, ...tooMany, ...unknown];
  if (mistakes.length > 0) return mistakes;
  if (unnamed.length > 0) set([...named, ...unnamed.flatMap((address) => ipNumber(address)?.family ?? [])]);
  if (isHeadlessWithoutSelector(service)) {
    if (familiesOf(service).length === 0) set(available.slice(0, 1));
    if (policyOf(service) !== 'SingleStack') set(withOther(familiesOf(service)));
    return [];
  }
  const missing = unavailableFamilies(service, available);
  if (missing.length > 0) return missing;
  if (familiesOf(service).length === 0) set(available.slice(0, 1));
  if (policyOf(service) !== 'SingleStack' && available.length > 1) set(withOther(familiesOf(service)));
  return [];
}

/** Both families, where there is only one yet. */
function withOther(families: readonly string[]): readonly string[] {
  if (families.length !== 1) return families;
  return [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'];
}

/**
 * A Service that prefers both families keeps what it has while nothing about that changes: it is not given a second
 * address because the cluster has got a second family, nor does it lose one.
 */
function keepsPreference(service: ServiceDraft, old: ServiceDraft | undefined): boolean {
  if (!old || typeOf(service) !== typeOf(old) || policyOf(service) !== 'PreferDualStack') return false;
  return (
    (policyOf(old) === '' || policyOf(old) === 'PreferDualStack') &&
    sameTexts(clusterIPsOf(service), clusterIPsOf(old)) &&
    sameTexts(familiesOf(service), familiesOf(old))
  );
}

/** The policy of a Service that names none: its old one, or the one that its kind of Service has. */
function inferredPolicy(service: ServiceDraft, old: ServiceDraft | undefined): string {
  const before = old ? policyOf(old) : '';
  if (before !== '') return before;
  return isHeadlessWithoutSelector(service) ? 'RequireDualStack' : 'SingleStack';
}

/** An update to a single family drops the second one, where the writer has not; without that policy nothing is dropped. */
function reduce(service: ServiceDraft, old: ServiceDraft): readonly FieldError[] {
  const lists = [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family'],
  ] as const;
  return lists.flatMap(([field, name]) => {
    const now = service.spec?.[field] ?? [];
    const before = old.spec?.[field] ?? [];
    if (policyOf(service) === 'SingleStack') {
      if (service.spec && now.length > 1 && sameTexts(now, before)) service.spec[field] = now.slice(0, 1);
      return [];
    }
    if (now.length === 0 || now.length >= before.length) return [];
    const rule = `must be 'SingleStack' to release the secondary ${name}`;
    return [invalidValue('spec.ipFamilyPolicy', policyOf(service), rule)];
  });
}

/** A Service of one family names one at most. */
function singleStackErrors(service: ServiceDraft): readonly FieldError[] {
  const wanted = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  const error = (what: string): FieldError =>
    invalidValue('spec.ipFamilyPolicy', policyOf(service), `${wanted} ${what} are specified`);
  return [
    ...(clusterIPsOf(service).length === 2 ? [error('cluster IPs')] : []),
    ...(familiesOf(service).length === 2 ? [error('IP families')] : []),
  ];
}

/** An address is of a family that the cluster has. */
function unavailableAddress(
  service: ServiceDraft,
  address: string,
  i: number,
  available: readonly IpFamily[],
): readonly FieldError[] {
  const family = ipNumber(address)?.family;
  if (family && available.includes(family)) return [];
  const rule = `${family ?? 'unknown'} is not configured on this cluster`;
  return [invalidValue(`spec.clusterIPs[${i}]`, stringList(clusterIPsOf(service)), rule)];
}

/** Families are those that the cluster has. */
function unavailableFamilies(service: ServiceDraft, available: readonly IpFamily[]): readonly FieldError[] {
  const wantsBoth = policyOf(service) === 'RequireDualStack' && available.length < 2;
  const rule = 'this cluster is not configured for dual-stack services';
  return [
    ...(wantsBoth ? [invalidValue('spec.ipFamilyPolicy', policyOf(service), rule)] : []),
    ...familiesOf(service).flatMap((family, i) =>
      available.some((one) => one === family)
        ? []
        : [invalidValue(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster')],
    ),
  ];
}
