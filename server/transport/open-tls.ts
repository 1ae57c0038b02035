/** The TLS of a server: certificates from options and its own ones, which it both keeps up to date. */
import { randomBytes, X509Certificate } from 'node:crypto';
import type { KeyPair, SigningAuthority } from '../../plugins/index.js';
import type { TlsSettings } from '../../runtime/server/index.js';
import { defaultServiceRanges } from '../../strategies/index.js';
import type { ServerParts } from '../server-parts.js';
import { opensslCiphers } from '../text/cipher-suites.js';
import { writtenAuthority } from './credentials-folder.js';
import { certificatesByName, type GivenTls } from './given-tls.js';
import { makeOwnCertificates, serverNames } from './own-certificates.js';
import { watchFiles } from './reloaded.js';
import type { TlsOption } from './tls-option.js';

/** TLS that is ready for a listener. The functions return current values, which may change later. */
export interface OpenTls {
  readonly settings: () => TlsSettings;
  /** Returns the authorities of client certificates: the same list until they change. */
  readonly clientAuthorities: () => readonly X509Certificate[];
  /** Returns the authorities of proxies' certificates, if any. */
  readonly proxyAuthorities: () => readonly X509Certificate[];
  /** Returns the PEM certificates with which clients verify the server. */
  readonly trusted: () => string;
  /** Returns the key of the server (PEM), if an option sets it. */
  readonly givenKey: () => string | undefined;
  /**
   * Returns the administrator's certificate; absent if the authority of client certificates is not the server's own.
   */
  readonly administrator: () => KeyPair | undefined;
  /** Returns the server's own authority of client certificates, even if it is not in use. */
  readonly signing: () => SigningAuthority;
  /** Keeps the values up to date until the returned function is called; reports each change afterwards. */
  follow(onChange: () => void, onProblem: (problem: string) => void): () => void;
}

export interface TlsParts {
  readonly given: GivenTls;
  readonly option: Pick<TlsOption, 'minVersion' | 'cipherSuites'>;
  /** The secret that belongs to the data, if there is one. */
  readonly secret: Uint8Array | undefined;
  /** The previous certificate of the server's authority, if known. */
  readonly kept: string | undefined;
  /** The names in the certificate that the server makes. */
  readonly names: readonly string[];
  readonly now?: () => number;
}

const none: readonly X509Certificate[] = [];

/** The interval of the checks for certificates that end soon, in milliseconds. */
const renewEveryMs = 3_600_000;

/** Opens TLS with the given certificates, and the server's own ones. */
export function openTlsOfServer(
  { options, secret }: Pick<ServerParts, 'options' | 'secret'>,
  given: GivenTls,
): OpenTls {
  const { tls: option = {}, serviceRanges = defaultServiceRanges, credentials, advertiseAddress } = options;
  return openTls({
    given,
    option,
    secret,
    kept: writtenAuthority(credentials?.folder),
    // The server does not know the address of a passed socket yet.
    names: serverNames({
      host: option.fd === undefined ? (option.host ?? '127.0.0.1') : '0.0.0.0',
      names: [...(advertiseAddress === undefined ? [] : [advertiseAddress]), ...(option.names ?? [])],
      addresses: serviceRanges.addresses,
    }),
  });
}

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
    givenKey: () => given.certificate && String(given.certificate.current().key),
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
