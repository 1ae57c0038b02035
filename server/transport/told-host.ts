/** The host that clients are told of in discovery, where no option says it. */
import { advertisedAddress } from '../bootstrap/index.js';

/**
 * The address that the server is bound to; the machine's first one, where it is bound to all of them. A socket for all
 * addresses of IPv6 takes those of IPv4, too.
 */
export function toldHost(bound: string): string {
  if (bound === '0.0.0.0') return advertisedAddress(bound, 'IPv4') ?? '127.0.0.1';
  if (bound === '::') return advertisedAddress(bound, 'IPv6') ?? advertisedAddress(bound, 'IPv4') ?? '::1';
  return bound;
}
