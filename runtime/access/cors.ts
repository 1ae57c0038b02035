/**
 * Cross-origin resource sharing (https://fetch.spec.whatwg.org): lets pages of other origins use the API and read its
 * answers.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ApiRequest, ApiResponse, Handle } from '../request/api-request.js';
import { pattern } from '../schema/engine/pattern.js';
import { patternProblem } from '../schema/structural/value-rules.js';

/** Reports whether pages of an origin, as in `https://console.example.com`, may use the API. */
export type AllowsOrigin = (origin: string) => boolean;

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
  if (problem !== undefined) return `is no regular expression: ${problem}`;
  if (/\^|\/\//.test(source) && /[$:]/.test(source)) return undefined;
  return 'matches other hosts too; hold its beginning by ^ or //, and its end by $ or :, as in //example\\.com(:|$)';
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
    const origin = originOf(request);
    if (origin === undefined || !allows(origin)) return handle(request);
    if (request.tags) request.tags.sharing = tagsFor(origin);
    return request.method === 'OPTIONS' ? nothing : handle(request);
  };

const nothing: ApiResponse = { code: 204, contentType: '', body: Buffer.alloc(0) };

function originOf({ headers: { origin } }: ApiRequest): string | undefined {
  return typeof origin === 'string' ? origin : origin?.[0];
}

/** Reports whether a host name or address is the machine itself. */
export const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Parses a Host header as an address, without the protocol's default port, as in an origin. */
export function hostOf(host: string, protocol = 'http:'): URL | undefined {
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
