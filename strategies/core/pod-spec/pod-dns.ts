/** Rules for how the names of hosts are looked up in a pod. */
import type { HostAlias, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import { ipAddress } from '../../../runtime/objects/names/network-names.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchLength = 2048;

/** The settings of a spec at a path; without a policy they have to say everything. */
export function* checkDnsConfig({ dnsConfig: config, dnsPolicy }: Draft<PodSpec>, path: string): FieldErrors {
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
  for (const [i, server] of nameservers.entries()) {
    if (ipAddress(server).length > 0) yield invalidValue(`${at}.nameservers[${i}]`, server, 'must be valid IP address');
  }
  yield* checkSearches(searches, `${at}.searches`);
  for (const [i, { name }] of options.entries()) {
    if (!name) yield required(`${at}.options[${i}]`, 'must not be empty');
  }
}

function* checkSearches(searches: readonly string[], path: string): FieldErrors {
  if (searches.length > maxSearches) {
    const problem = `must not have more than ${maxSearches} search paths`;
    yield invalidValue(path, stringList(searches), problem);
  }
  if (searches.join(' ').length > maxSearchLength) {
    const problem = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
    yield invalidValue(path, stringList(searches), problem);
  }
  for (const [i, search] of searches.entries()) {
    yield* checkText(`${path}[${i}]`, search.replace(/\.$/, ''), dns1123Subdomain);
  }
}

/** Entries of the file of hosts, at the path of the list. Errors name the field, not the entry. */
export function* checkHostAliases(aliases: readonly Draft<HostAlias>[] = [], path: string): FieldErrors {
  for (const { ip = '', hostnames = [] } of aliases) {
    if (ipAddress(ip).length > 0) yield invalidValue(`${path}.ip`, ip, 'must be valid IP address');
    for (const hostname of hostnames) yield* checkText(`${path}.hostnames`, hostname, dns1123Subdomain);
  }
}
