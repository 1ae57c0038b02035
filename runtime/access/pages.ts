/**
 * Refuses what pages from elsewhere ask for in the browser of somebody who can reach the server: writes, WebSockets, and
 * anything at all under a name that is none of the server's. It comes before authentication, for all requests.
 */
import type { Failure } from '../contract/index.js';
import type { ApiRequest } from '../request/api-request.js';
import { type AllowsOrigin, type HostNames, hostOf, isLoopbackName } from './cors.js';

/** The rules for requests from web pages. */
export interface PageRules {
  /** Origins, as in `https://console.example.com`, with pages that may use the server besides its own. */
  readonly allowedOrigins: readonly string[];
  /** Further origins with pages that may also read. */
  readonly shares?: AllowsOrigin | undefined;
  /**
   * The names of the server, if it allows requests without credentials; otherwise absent. A page that points its own
   * name here (DNS rebinding) could do everything that anonymous users may.
   */
  readonly names?: HostNames;
}

/** Returns why a page's request is refused; `undefined` for allowed pages and other clients. */
export function refusalOfPage(rules: PageRules, request: ApiRequest): Failure | undefined {
  return refusalOfName(rules, request) ?? refusalOfOrigin(rules, request);
}

/**
 * Only browsers send a request here without a proxy and with a foreign name. Requests through a proxy or within the
 * process are not checked.
 */
function refusalOfName({ names }: PageRules, request: ApiRequest): Failure | undefined {
  if (!names || request.throughProxy) return undefined;
  const host = nameOf(request);
  if (host === undefined || names.has(host)) return undefined;
  return forbidden(`${JSON.stringify(host)} is no name of this server`);
}

/** Reads are left to the browser: it does not show a page the answers of a server that does not share them. */
function refusalOfOrigin({ allowedOrigins, shares }: PageRules, request: ApiRequest): Failure | undefined {
  const opensSocket = asksForWebSocket(request);
  if (!opensSocket && (request.method === 'GET' || request.method === 'HEAD')) return undefined;
  const origins = allOf(request, 'origin');
  const first = origins[0];
  if (first !== undefined && origins.every((origin) => shares?.(origin))) return undefined;
  const name = nameOf(request);
  const foreign = origins.find((origin) => !allowsOrigin(origin, name, allowedOrigins));
  const what = opensSocket ? 'open a WebSocket' : 'write';
  if (foreign !== undefined) return forbidden(`pages of ${foreign} may not ${what} here`);
  if (opensSocket || (first !== undefined && allowedOrigins.includes(first))) return undefined;
  return isFromElsewhere(request) ? forbidden('pages of other sites may not write here') : undefined;
}

/** Reads the headers in which browsers describe the page of a request, with or without its origin. */
const isFromElsewhere = (request: ApiRequest): boolean =>
  allOf(request, 'sec-fetch-site').some((site) => !ownSites.has(site.toLowerCase()));

/** Values for a page of the server's own origin, and for an address that the user typed. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Returns all values of a header: if it is repeated, each value counts. */
function allOf(request: ApiRequest, name: string): readonly string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  return request.valuesOf?.(name) ?? [value].flat();
}

const asksForWebSocket = (request: ApiRequest): boolean =>
  request.method === 'GET' && headerOf(request, 'upgrade')?.toLowerCase() === 'websocket';

/** Returns the host of a request. HTTP/2 has it outside of the headers. */
const nameOf = (request: ApiRequest): string | undefined =>
  headerOf(request, ':authority') ?? headerOf(request, 'host');

function headerOf({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

const forbidden = (message: string): Failure => ({ reason: 'Forbidden', message });

/**
 * Checks the origin of a request. Clients without `Origin` are not browsers. Allowed are pages from the server itself,
 * from `allowed` origins (as in `https://console.example.com`), and from this machine if the server is reached by a
 * loopback address.
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
