/** Chooses the IP families of a service from its spec and the cluster's families. */
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
 * Fills in `ipFamilyPolicy` and `ipFamilies`, in place. `available` are the families of the cluster, the preferred one
 * first. Returns the errors if that is impossible.
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

/** Adds the other family if there is only one. */
function withOther(families: readonly string[]): readonly string[] {
  if (families.length !== 1) return families;
  return [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'];
}

/**
 * Returns whether a service that prefers two families keeps its families. It neither gets nor loses a second address
 * just because the families of the cluster changed.
 */
function keepsPreference(service: ServiceDraft, old: ServiceDraft | undefined): boolean {
  if (!old || typeOf(service) !== typeOf(old) || policyOf(service) !== 'PreferDualStack') return false;
  return (
    (policyOf(old) === '' || policyOf(old) === 'PreferDualStack') &&
    sameTexts(clusterIPsOf(service), clusterIPsOf(old)) &&
    sameTexts(familiesOf(service), familiesOf(old))
  );
}

/** Returns the policy of a service that names none: its old one, or the default of its type. */
function inferredPolicy(service: ServiceDraft, old: ServiceDraft | undefined): string {
  const before = old ? policyOf(old) : '';
  if (before !== '') return before;
  return isHeadlessWithoutSelector(service) ? 'RequireDualStack' : 'SingleStack';
}

/** Drops the second address and family if an update to `SingleStack` keeps them. Other policies must not lose them. */
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

/** A single-stack service names at most one family. */
function singleStackErrors(service: ServiceDraft): readonly FieldError[] {
  const wanted = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  const error = (what: string): FieldError =>
    invalidValue('spec.ipFamilyPolicy', policyOf(service), `${wanted} ${what} are specified`);
  return [
    ...(clusterIPsOf(service).length === 2 ? [error('cluster IPs')] : []),
    ...(familiesOf(service).length === 2 ? [error('IP families')] : []),
  ];
}

/** Returns the error if the cluster does not have the family of an address. */
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

/** The cluster has all families of the service. */
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
