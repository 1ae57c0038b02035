/** Rules of the addresses of a Service and their families. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required, stringList } from '../../../runtime/objects/field-error.js';
import { ipNumber } from '../../../runtime/objects/ip-address.js';
import { ipAddress } from '../../../runtime/objects/names/network-names.js';
import {
  clusterIPOf,
  clusterIPsOf,
  familiesOf,
  isHeadless,
  NONE,
  needsClusterIP,
  policyOf,
  type ServiceDraft,
} from './spec.js';

const path = 'spec.clusterIPs';
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Errors of `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy` of a Service that may have addresses. */
export function addressErrors(service: ServiceDraft): readonly FieldError[] {
  if (!needsClusterIP(service)) return [];
  const before = [...firstErrors(service), ...familyErrors(service), ...singleErrors(service)];
  const addresses = clusterIPsOf(service);
  const tooMany = addresses.length > 2 ? [invalidValue(path, listed(service), 'may only hold up to 2 values')] : [];
  // A text that is no address has no family that could be compared.
  return singleErrors(service).length > 0
    ? [...before, ...tooMany]
    : [...before, ...tooMany, ...pairErrors(service), ...matchErrors(service)];
}

const listed = (service: ServiceDraft) => stringList(clusterIPsOf(service));

/** The first of the addresses is the one that has a field of its own. */
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

/** Families are known ones, once each, and the policy is a known one. */
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

/** Each address is one, or `None` alone. */
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

/** Two addresses are of two families. */
function pairErrors(service: ServiceDraft): readonly FieldError[] {
  const addresses = clusterIPsOf(service);
  const found = new Set(addresses.map((address) => ipNumber(address)?.family));
  if (addresses.length < 2 || found.size === 2) return [];
  return [invalidValue(path, listed(service), 'may specify no more than one IP for each IP family')];
}

/** Each address is of the family at the same place. */
function matchErrors(service: ServiceDraft): readonly FieldError[] {
  if (isHeadless(service)) return [];
  const named = familiesOf(service);
  return clusterIPsOf(service).flatMap((address, i) => {
    const wanted = named[i];
    if ((wanted !== 'IPv4' && wanted !== 'IPv6') || ipNumber(address)?.family === wanted) return [];
    return [invalidValue(`${path}[${i}]`, address, `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``)];
  });
}
