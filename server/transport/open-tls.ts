/** TLS as a server speaks it: of the certificates that it is given and those that it makes, kept up to date while it runs. */
import { randomBytes, X509Certificate } from 'node:crypto';
import type { KeyPair, SigningAuthority } from '../../plugins/index.js';
import type { TlsSettings } from '../../runtime/server/index.js';
import { opensslCiphers } from '../text/cipher-suites.js';
import { certificatesByName, type GivenTls } from './given-tls.js';
import { makeOwnCertificates } from './own-certificates.js';
import { watchFiles } from './reloaded.js';
import type { TlsOption } from './tls-option.js';

/** TLS that is ready to listen with. All of it is as it is now, and may be another later. */
export interface OpenTls {
  readonly settings: () => TlsSettings;
  /** The authorities of client certificates: the same list as long as they do not change. */
  readonly clientAuthorities: () => readonly X509Certificate[];
  /** The authorities of proxies' certificates; none where no proxy is told of. */
  readonly proxyAuthorities: () => readonly X509Certificate[];
  /** The certificates in PEM by which clients trust the server. */
  readonly trusted: () => string;
  /** The certificate of the administrator; absent where the authority of client certificates is not the server's own. */
  readonly administrator: () => KeyPair | undefined;
  /** The server's own authority of client certificates, whether it is in use or not. */
  readonly signing: () => SigningAuthority;
  /** Keeps it up to date until the function is called that it returns; tells of each change, after the fact. */
  follow(onChange: () => void, onProblem: (problem: string) => void): () => void;
}

export interface TlsParts {
  readonly given: GivenTls;
  readonly option: Pick<TlsOption, 'minVersion' | 'cipherSuites'>;
  /** Belongs to the data, where that has one. */
  readonly secret: Uint8Array | undefined;
  /** The certificate that the server's authority had before, if it is known. */
  readonly kept: string | undefined;
  /** For the certificate that the server makes. */
  readonly names: readonly string[];
  readonly now?: () => number;
}

const none: readonly X509Certificate[] = [];

/** How often it is looked whether a certificate is about to end, milliseconds. */
const renewEveryMs = 3_600_000;

export function openTls({ given, option, secret = randomBytes(32), kept, names, now = Date.now }: TlsParts): OpenTls {
  const make = (before: string | undefined) => makeOwnCertificates({ secret, kept: before, names, now: now() });
  let own = make(kept);
  let ownAuthorities = [new X509Certificate(own.clientAuthority)];
  const clientAuthorities = () => given.clientAuthorities?.current() ?? ownAuthorities;
  const proxyAuthorities = () => given.proxyAuthorities?.current() ?? none;
  const certificate = () => given.certificate?.current() ?? own.serving;
  const versions = { minVersion: option.minVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2' } as const;
  const ciphers = option.cipherSuites ? { ciphers: opensslCiphers(option.cipherSuites) } : {};
  const renewIfDue = (): boolean => {
    if (now() < own.renewAt) return false;
    own = make(own.authority);
    ownAuthorities = [new X509Certificate(own.clientAuthority)];
    return true;
  };
  return {
    clientAuthorities,
    proxyAuthorities,
    settings: () => ({
      ...certificate(),
      named: certificatesByName(given.named),
      clientAuthorities: [...clientAuthorities(), ...proxyAuthorities()].join(''),
      ...versions,
      ...ciphers,
    }),
    trusted: () => (given.certificate ? String(given.certificate.current().cert) : own.authority),
    administrator: () => (given.clientAuthorities ? undefined : own.administrator),
    signing: () => own.signing,
    follow(onChange, onProblem) {
      const files = [
        given.certificate,
        ...given.named.map((one) => one.certificate),
        given.clientAuthorities,
        given.proxyAuthorities,
      ];
      const unwatch = watchFiles(
        files.flatMap((one) => one ?? []),
        onChange,
        onProblem,
      );
      const timer = setInterval(() => renewIfDue() && onChange(), renewEveryMs).unref();
      return () => {
        unwatch();
        clearInterval(timer);
      };
    },
  };
}
