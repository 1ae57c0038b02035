/** Whether a page may open a WebSocket here. Browsers let every page try, and leave it to the server to say no. */

/** Names and addresses of the machine itself. */
const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/**
 * Clients that send no `Origin` are no browsers. Pages may that come from the server itself, from `allowed` origins
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
  if (page.host === hostOf(page.protocol, host)?.host) return true;
  return isLoopback(page.hostname) && isLoopback(hostOf(page.protocol, host)?.hostname ?? '');
}

/** A Host header as an address; the port that the protocol has anyway is left out, as in an origin. */
const hostOf = (protocol: string, host: string): URL | undefined => {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url) : undefined;
};
