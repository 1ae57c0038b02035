/**
 * Cross-origin resource sharing (https://fetch.spec.whatwg.org): pages of other origins that may use the API, and read
 * its answers.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ApiRequest, ApiResponse, Handle } from '../request/api-request.js';
import { pattern } from '../schema/engine/pattern.js';
import { patternProblem } from '../schema/structural/value-rules.js';

/** Whether an origin, as in `https://console.example.com`, is one whose pages may use the API. */
export type AllowsOrigin = (origin: string) => boolean;

/** Longer ones are no origins: the name of a host has 253 characters at most. */
const maxOriginLength = 512;

/** The origins that any of these patterns matches, each a regular expression of RE2 that may match a part. */
export function originsOf(sources: readonly string[]): AllowsOrigin {
  const patterns = sources.map(pattern);
  return (origin) => origin.length <= maxOriginLength && patterns.some((one) => one.matches(origin));
}

/**
 * Why a pattern of origins is refused; `undefined` where it is not. As in the reference it has to hold the host at its
 * beginning and at its end, or at least to have a mark that can.
 */
export function originPatternProblem(source: string): string | undefined {
  if (source === '') return 'is empty';
  const problem = patternProblem(source);
  if (problem !== undefined) return `is no regular expression: ${problem}`;
  if (/\^|\/\//.test(source) && /[$:]/.test(source)) return undefined;
  return 'matches other hosts too; hold its beginning by ^ or //, and its end by $ or :, as in //example\\.com(:|$)';
}

/** Whether a pattern that is not refused may match hosts with a longer name: nothing behind the host holds its end. */
export const mayMatchLongerHosts = (source: string): boolean => !/[$:]/.test(source.split('//').at(-1) ?? '');

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const headers =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** Those of the reference, each in each answer. */
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
 * Tells pages of allowed origins that they may read the answers. What a browser asks in advance (`OPTIONS`) is answered
 * to anyone, as browsers send no credentials with it.
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

/** Names and addresses of the machine itself. */
export const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** A Host header as an address; the port that the protocol has anyway is left out, as in an origin. */
export function hostOf(host: string, protocol = 'http:'): URL | undefined {
  const url = `${protocol}//${host}`;
  if (/[/?#@\\]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url);
}

/** The names of a server, by which it tells that a request was meant for it. */
export interface HostNames {
  /** Whether a Host header is one of them, with any port. */
  readonly has: (host: string) => boolean;
  /** Adds those of the certificates that the server shows, in PEM, in place of those that it had. */
  readonly useCertificates: (pems: readonly (string | Buffer)[]) => void;
}

/** The names of this machine for itself, and those that are `allowed`. */
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

/** The headers that nearly all requests have. */
const usual = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

const isOf = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
