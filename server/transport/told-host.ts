/** Chooses the host for discovery, if no option names it. */
import { advertisedAddress } from '../bootstrap/index.js';

/**
 * Returns the address that the server is bound to, or, if it is bound to all, the machine's first one. A socket for all
 * IPv6 addresses accepts IPv4, too.
 */
export function toldHost(bound: string): string {
  if (bound === '0.0.0.0') return advertisedAddress(bound, 'IPv4') ?? '127.0.0.1';
  if (bound === '::') return advertisedAddress(bound, 'IPv6') ?? advertisedAddress(bound, 'IPv4') ?? '::1';
  return bound;
}
