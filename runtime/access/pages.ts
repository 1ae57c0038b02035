/**
 * Refuses what pages from elsewhere ask for in the browser of somebody who can reach the server: writes, WebSockets, and
 * anything at all under a name that is none of the server's. It comes before authentication, for all requests.
 */
import type { Failure } from '../contract/index.js';
import type { ApiRequest } from '../request/api-request.js';
import { type AllowsOrigin, type HostNames, hostOf, isLoopbackName } from './cors.js';

/** The pages that a server lets in. */
export interface PageRules {
  /** Origins, as in `https://console.example.com`, whose pages are let in besides the server's own. */
  readonly allowedOrigins: readonly string[];
  /** Further origins, whose pages may read as well; none where absent. */
  readonly shares?: AllowsOrigin | undefined;
  /**
   * The names that the server goes by, where it lets in who has no credentials; absent where nobody gets in without. By a
   * name of its own that it points here (DNS rebinding), a page could do what anybody may.
   */
  readonly names?: HostNames;
}

/** Why a request is refused that a page has made; `undefined` where none has, or one that is let in. */
export function refusalOfPage(rules: PageRules, request: ApiRequest): Failure | undefined {
  return refusalOfName(rules, request) ?? refusalOfOrigin(rules, request);
}

/** Requests that came through a proxy, or in process, are no browser's; those say a name with each. */
function refusalOfName({ names }: PageRules, request: ApiRequest): Failure | undefined {
  if (!names || request.throughProxy) return undefined;
  const host = nameOf(request);
  if (host === undefined || names.has(host)) return undefined;
  return forbidden(`${JSON.stringify(host)} is no name of this server`);
}

/** Reading is left to the browser, which shows a page nothing from elsewhere that the server does not share. */
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

/** The headers in which browsers describe the page of a request, with or without its origin. */
const isFromElsewhere = (request: ApiRequest): boolean =>
  allOf(request, 'sec-fetch-site').some((site) => !ownSites.has(site.toLowerCase()));

/** A page of this server's own origin, and an address that the user has typed. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** All values of a header: one that is said twice counts for what either says. */
function allOf(request: ApiRequest, name: string): readonly string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  return request.valuesOf?.(name) ?? [value].flat();
}

const asksForWebSocket = (request: ApiRequest): boolean =>
  request.method === 'GET' && headerOf(request, 'upgrade')?.toLowerCase() === 'websocket';

/** The host that a request is for; HTTP/2 has it beside its headers. */
const nameOf = (request: ApiRequest): string | undefined =>
  headerOf(request, ':authority') ?? headerOf(request, 'host');

function headerOf({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

const forbidden = (message: string): Failure => ({ reason: 'Forbidden', message });

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
