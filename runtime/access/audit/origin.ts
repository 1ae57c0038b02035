/** Where a request comes from, as the audit log tells it. */
import { isIP } from 'node:net';
import { listMembers } from '../../objects/scan/media-types.js';
import type { ApiRequest } from '../../request/api-request.js';

/** The addresses that a request says it has passed, and last the one that it came from, which nobody can make up. */
export function sourceAddresses(request: ApiRequest): readonly string[] {
  const forwarded = headerOf(request, 'x-forwarded-for');
  const real = headerOf(request, 'x-real-ip');
  const remote = plainAddress(request.remoteAddress?.() ?? '');
  if (forwarded === '' && real === '') return remote === '' ? [] : [remote];
  const addresses = listMembers(forwarded).flatMap((text) => addressIn(text) ?? []);
  const proxied = addressIn(real.trim());
  if (proxied !== undefined && !addresses.includes(proxied)) addresses.push(proxied);
  if (remote !== '' && addresses.at(-1) !== remote) addresses.push(remote);
  return addresses;
}

/** IPv4 over a socket of IPv6 is IPv4. */
const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

function addressIn(text: string): string | undefined {
  const address = plainAddress(text);
  return isIP(address) === 0 ? undefined : address;
}

/** Characters of an agent's name that are recorded. */
const longestAgent = 1024;

/** The name that a client gives itself, cut where it is long. */
export function agentOf(request: ApiRequest): string {
  const agent = headerOf(request, 'user-agent');
  return agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent;
}

/** The path and query as sent. */
export const uriOf = ({ basePath = '', path, search }: ApiRequest): string =>
  search === '' ? basePath + path : `${basePath}${path}?${search}`;

function headerOf({ headers }: ApiRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
