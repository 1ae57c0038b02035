/** What is wrong with the addresses of a Service and their families. */
import type { ApiObject, FieldError } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required, stringList } from '../../../runtime/objects/field-error.js';
import { ipNumber } from '../../../runtime/objects/ip-range.js';
import { ipAddress } from '../../../runtime/objects/network-names.js';
import { clusterIPOf, clusterIPsOf, familiesOf, isHeadless, NONE, needsClusterIP, policyOf } from './spec.js';

const path = 'spec.clusterIPs';
const families = ['IPv4', 'IPv6'] as const;
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'] as const;

/** Errors of `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy` of a Service that may have addresses. */
export function addressErrors(service: ApiObject): readonly FieldError[] {
  if (!needsClusterIP(service)) return [];
  const before = [...firstErrors(service), ...familyErrors(service), ...singleErrors(service)];
  const addresses = clusterIPsOf(service);
  const tooMany = addresses.length > 2 ? [invalidValue(path, listed(service), 'may only hold up to 2 values')] : [];
  // What is no address has no family that could be compared.
  return singleErrors(service).length > 0
    ? [...before, ...tooMany]
    : [...before, ...tooMany, ...pairErrors(service), ...matchErrors(service)];
}

const listed = (service: ApiObject) => stringList(clusterIPsOf(service));

/** The first of the addresses is the one that has a field of its own. */
function firstErrors(service: ApiObject): FieldError[] {
  const [first] = clusterIPsOf(service);
  const own = clusterIPOf(service);
  if (own === '') {
    const rule = 'must be empty when `clusterIP` is not specified';
    return first === undefined ? [] : [invalidValue(path, listed(service), rule)];
  }
  if (first === undefined) return [required(path)];
  return first === own ? [] : [invalidValue(path, listed(service), 'first value must match `clusterIP`')];
}

function familyErrors(service: ApiObject): FieldError[] {
  const named = familiesOf(service);
  const first = new Map([...named.entries()].reverse().map(([i, family]) => [family, i]));
  const policy = policyOf(service);
  const errors = named.flatMap((family, i) => [
    ...(families.some((one) => one === family) ? [] : [notSupported(`spec.ipFamilies[${i}]`, family, families)]),
    ...((first.get(family) ?? i) < i ? [duplicate(`spec.ipFamilies[${i}]`, family)] : []),
  ]);
  if (policy === '' || policies.some((one) => one === policy)) return errors;
  return [...errors, notSupported('spec.ipFamilyPolicy', policy, policies)];
}

function singleErrors(service: ApiObject): FieldError[] {
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

function pairErrors(service: ApiObject): FieldError[] {
  const addresses = clusterIPsOf(service);
  const found = new Set(addresses.map((address) => ipNumber(address)?.family));
  if (addresses.length < 2 || found.size === 2) return [];
  return [invalidValue(path, listed(service), 'may specify no more than one IP for each IP family')];
}

function matchErrors(service: ApiObject): FieldError[] {
  if (isHeadless(service)) return [];
  const named = familiesOf(service);
  return clusterIPsOf(service).flatMap((address, i) => {
    const wanted = named[i];
    if ((wanted !== 'IPv4' && wanted !== 'IPv6') || ipNumber(address)?.family === wanted) return [];
    return [invalidValue(`${path}[${i}]`, address, `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``)];
  });
}
