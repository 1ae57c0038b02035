/** Tells whether a page in a browser is one of the server's own, or of those that it lets in. */
import { hostOf, isLoopbackName } from './host-names.js';

/**
 * Clients that send no `Origin` are no browsers. Pages are let in that come from the server itself, from `allowed` origins
 * (as in `https://console.example.com`), and from the machine that the server is reached at by a loopback address.
 */
export function allowsOrigin(
  origin: string | undefined,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (origin === undefined || allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (!/^https?:$/.test(page.protocol) || host === undefined) return false;
  const own = hostOf(host, page.protocol);
  if (page.host === own?.host) return true;
  return isLoopbackName(page.hostname) && isLoopbackName(own?.hostname ?? '');
}
