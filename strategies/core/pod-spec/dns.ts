/** How a pod finds hosts by name: its name servers, and the entries of its hosts file. */
import type { HostAlias, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { dns1123Subdomain, type NameCheck, patternCheck } from '../../../runtime/objects/names/name-checks.js';
import { ipAddress } from '../../../runtime/objects/names/network-names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { addressCheck } from '../../shared/addresses.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

const label = '[a-z0-9_]([-_a-z0-9]*[a-z0-9])?';

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchLength = 2048;

/** Checks DNS settings; without a policy they must be complete. */
export function* checkDnsConfig(
  { dnsConfig: config, dnsPolicy }: Draft<PodSpec>,
  path: string,
  release: Release,
): FieldErrors {
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  const at = `${path}.dnsConfig`;
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const when = 'when `dnsPolicy` is None';
    if (!config) yield required(at, `must provide \`dnsConfig\` ${when}`);
    else yield required(`${at}.nameservers`, `must provide at least one DNS nameserver ${when}`);
    return;
  }
  if (!config) return;
  if (nameservers.length > maxNameservers) {
    const problem = `must not have more than ${maxNameservers} nameservers`;
    yield invalidValue(`${at}.nameservers`, stringList(nameservers), problem);
  }
  for (const [i, server] of nameservers.entries()) yield* checkAddress(server, `${at}.nameservers[${i}]`, release);
  yield* checkSearches(searches, `${at}.searches`, release);
  for (const [i, { name }] of options.entries()) {
    if (!name) yield required(`${at}.options[${i}]`, 'must not be empty');
  }
}

function* checkAddress(address: string, path: string, release: Release): FieldErrors {
  if (release.does('exactHostAliases')) yield* checkText(path, address, addressCheck(release));
  else if (ipAddress(address).length > 0) yield invalidValue(path, address, 'must be valid IP address');
}

/** Checks a subdomain that may have underscores. */
const dns1123SubdomainWithUnderscore = patternCheck(
  {
    source: `${label}(\\.${label})*`,
    meaning:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', " +
      'and must start and end with an alphanumeric character',
    examples: ['example.com'],
  },
  253,
);

/** Later releases allow underscores, and a single dot, which ends a search. */
const relaxedSearch: NameCheck = (search) =>
  search === '.' ? [] : dns1123SubdomainWithUnderscore(search.replace(/\.$/, ''));

function* checkSearches(searches: readonly string[], path: string, release: Release): FieldErrors {
  if (searches.length > maxSearches) {
    const problem = `must not have more than ${maxSearches} search paths`;
    yield invalidValue(path, stringList(searches), problem);
  }
  if (searches.join(' ').length > maxSearchLength) {
    const problem = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
    yield invalidValue(path, stringList(searches), problem);
  }
  for (const [i, search] of searches.entries()) {
    const at = `${path}[${i}]`;
    if (release.does('relaxedSearches')) yield* checkText(at, search, relaxedSearch);
    else yield* checkText(at, search.replace(/\.$/, ''), dns1123Subdomain);
  }
}

/** Checks entries of the hosts file. In earlier releases, errors name the field and not the entry. */
export function* checkHostAliases(
  aliases: readonly Draft<HostAlias>[] = [],
  path: string,
  release: Release,
): FieldErrors {
  const isExact = release.does('exactHostAliases');
  for (const [i, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = isExact ? `${path}[${i}]` : path;
    yield* checkAddress(ip, `${at}.ip`, release);
    for (const [j, hostname] of hostnames.entries()) {
      yield* checkText(`${at}.hostnames${isExact ? `[${j}]` : ''}`, hostname, dns1123Subdomain);
    }
  }
}
