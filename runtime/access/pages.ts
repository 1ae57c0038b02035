/**
 * Limits what web pages of other sites may do in the browser of a user who can reach the server. Without permission
 * they cannot write or open WebSockets. Under a name that is not one of the server's they can do nothing at all. The
 * check comes before authentication.
 */

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Failure } from '../contract/index.js';
import { type ApiRequest, type ApiResponse, type Handle, headerOf } from '../request/api-request.js';
import { pattern } from '../schema/engine/pattern.js';
import { patternProblem } from '../schema/structural/value-rules.js';

/** The rules for requests from web pages. */
export interface PageRules {
  /**
   * Origins, as in `https://console.example.com`, with pages that may use the server. The server's own origin may do so
   * too.
   */
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
 * Refuses a direct request under a foreign name: only browsers send one. Does not check requests through a proxy or
 * within the process.
 */
function refusalOfName({ names }: PageRules, request: ApiRequest): Failure | undefined {
  if (!names || request.throughProxy) return undefined;
  const host = nameOf(request);
  if (host === undefined || names.has(host)) return undefined;
  return forbidden(`${JSON.stringify(host)} is not a name of this server`);
}

/**
 * Refuses writes and WebSockets of foreign pages. Leaves reads to the browser, which hides answers from pages unless
 * the server shares them.
 */
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

// Cross-origin resource sharing (https://fetch.spec.whatwg.org) lets pages of other origins use the API and read answers.

/** Reports whether pages of an origin, as in `https://console.example.com`, may use the API. */
type AllowsOrigin = (origin: string) => boolean;

/** Longer texts cannot be origins: a host name has at most 253 characters. */
const maxOriginLength = 512;

/** Returns a check for origins that match any of these patterns. Each is an RE2 expression that may match a part. */
export function originsOf(sources: readonly string[]): AllowsOrigin {
  const patterns = sources.map(pattern);
  return (origin) => origin.length <= maxOriginLength && patterns.some((one) => one.matches(origin));
}

/**
 * Returns why a pattern of origins is refused, or `undefined` if it is valid. As in the reference it must anchor the
 * start and the end of the host, or at least contain a character that can.
 */
export function originPatternProblem(source: string): string | undefined {
  if (source === '') return 'is empty';
  const problem = patternProblem(source);
  if (problem !== undefined) return `is not a valid regular expression: ${problem}`;
  if (/\^|\/\//.test(source) && /[$:]/.test(source)) return undefined;
  return 'matches other hosts too; anchor its start with ^ or //, and its end with $ or :, as in //example\\.com(:|$)';
}

/** Reports whether a valid pattern may match hosts with a longer name, because nothing anchors the end of the host. */
export const mayMatchLongerHosts = (source: string): boolean => !/[$:]/.test(source.split('//').at(-1) ?? '');

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const headers =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** Returns the reference's headers, which every answer has. */
const tagsFor = (origin: string): readonly string[] => [
  'access-control-allow-origin',
  origin,
  'access-control-allow-methods',
  methods,
  'access-control-allow-headers',
  headers,
  'access-control-expose-headers',
  'Date',
  'access-control-allow-credentials',
  'true',
];

/**
 * Adds the headers that let pages of allowed origins read answers. Preflight requests (`OPTIONS`) need no
 * authentication, because browsers send no credentials with them.
 */
export const withCors =
  (handle: Handle, allows: AllowsOrigin): Handle =>
  (request) => {
    const origin = headerOf(request, 'origin');
    if (origin === undefined || !allows(origin)) return handle(request);
    if (request.tags) request.tags.sharing = tagsFor(origin);
    return request.method === 'OPTIONS' ? nothing : handle(request);
  };

const nothing: ApiResponse = { code: 204, contentType: '', body: Buffer.alloc(0) };

/** Reports whether a host name or address is this machine. */
const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Parses a Host header as an address, without the protocol's default port, as in an origin. */
function hostOf(host: string, protocol = 'http:'): URL | undefined {
  const url = `${protocol}//${host}`;
  if (/[/?#@\\]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url);
}

/** The names of a server. A request must use one of them. */
export interface HostNames {
  /** Reports whether a Host header is one of the names, with any port. */
  readonly has: (host: string) => boolean;
  /** Replaces the names of the server's certificates, in PEM. */
  readonly useCertificates: (pems: readonly (string | Buffer)[]) => void;
}

/** Returns the loopback names and those in `allowed`. */
export function defineHostNames(allowed: readonly string[]): HostNames {
  const named = new Set(allowed.map((name) => name.toLowerCase()));
  let certificates: readonly X509Certificate[] = [];
  return {
    useCertificates(pems) {
      certificates = pems.map((pem) => new X509Certificate(pem));
    },
    has(host) {
      if (usual.test(host)) return true;
      const hostname = hostOf(host)?.hostname.replace(/\.$/, '');
      if (hostname === undefined) return false;
      const name = hostname.replace(/^\[|\]$/g, '');
      return isLoopbackName(hostname) || named.has(name) || certificates.some((one) => isOf(one, name));
    },
  };
}

/** The headers of nearly all requests. */
const usual = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

const isOf = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
