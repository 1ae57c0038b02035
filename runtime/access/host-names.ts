/** Tells whether a server goes by the name that a request calls it. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

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
