/** Reads the flags of `kindforge serve` about where and how it listens. */
import type { HttpOption, StartOptions } from '../../server/options.js';
import { readCipherSuites } from '../../server/text/cipher-suites.js';
import type { NamedCertificateFiles, TlsOption, TlsVersion } from '../../server/transport/tls-option.js';
import type { FlagValues } from './flag.js';
import { FlagError } from './flag-error.js';
import type { transport } from './serve/transport.js';
import type { ServeFlags } from './serve-flags.js';
import { takeValue } from './take-value.js';

/** Their values, once they are read. */
export type TransportFlags = FlagValues<typeof transport.flags> & Pick<ServeFlags, 'clientCaFile'>;

/** The options that the flags stand for. A server that listens has one of both at least. */
export type Transport = Pick<StartOptions, 'http' | 'tls'> &
  ({ readonly http: HttpOption } | { readonly http: false; readonly tls: TlsOption });

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readTransport(flags: TransportFlags): Transport {
  const httpPort = readPort('--http-port', flags.httpPort);
  const securePort = readPort('--secure-port', flags.securePort);
  if (securePort === 0) {
    refuseUseless(flags);
    if (httpPort === 0) {
      throw new FlagError('--http-port 0 and --secure-port 0 leave nothing to listen on; use auto for a free port');
    }
    return { http: { host: flags.host, port: httpPort } };
  }
  const tls = readTls(flags, securePort);
  return httpPort === 0 ? { http: false, tls } : { http: { host: flags.host, port: httpPort }, tls };
}

/** Whether the server makes its certificate itself. */
export const makesCertificate = ({ tls }: Pick<StartOptions, 'tls'>): boolean => tls !== undefined && !tls.certificate;

/** 0 says that nothing listens. */
function readPort(flag: string, text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new FlagError(
    `${flag} ${text || '(nothing)'} is not a port; use a number up to 65535, auto for a free port, or 0 for none`,
  );
}

/** Flags about TLS are no use without it, and who gives one may count on it. */
function refuseUseless(flags: TransportFlags): void {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['--bind-address', flags.bindAddress],
    ['--advertise-address', flags.advertiseAddress],
    ['--tls-cert-file', flags.tlsCertFile],
    ['--tls-private-key-file', flags.tlsPrivateKeyFile],
    ['--tls-san', flags.tlsSan[0]],
    ['--tls-sni-cert-key', flags.tlsSniCertKey[0]],
    ['--tls-min-version', flags.tlsMinVersion],
    ['--tls-cipher-suites', flags.tlsCipherSuites],
    ['--client-ca-file', flags.clientCaFile],
  ];
  const [useless] = given.find(([, value]) => value !== undefined) ?? [];
  if (useless === undefined) return;
  throw new FlagError(`${useless} is about TLS, which --secure-port 0 turns off; add --secure-port 6443`);
}

function readTls(flags: TransportFlags, port: number | 'auto'): TlsOption {
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile, tlsCipherSuites: suites } = flags;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  return {
    host: flags.bindAddress ?? '127.0.0.1',
    port,
    ...(certFile && keyFile ? { certificate: { certFile, keyFile } } : {}),
    names: flags.tlsSan,
    named: flags.tlsSniCertKey.map(readNamed),
    minVersion: readVersion(flags.tlsMinVersion),
    ...(suites === undefined ? {} : { cipherSuites: takeValue('--tls-cipher-suites:', readCipherSuites(suites)) }),
  };
}

/** A certificate, its key, and the names it is for: `cert,key:names`. */
function readNamed(text: string): NamedCertificateFiles {
  const [, certFile, keyFile, patterns] = /^([^,:]+),([^,:]+)(?::(.+))?$/.exec(text) ?? [];
  if (certFile === undefined || keyFile === undefined) {
    throw new FlagError(
      `--tls-sni-cert-key ${text || '(nothing)'} is not a certificate with its key; use the form cert,key:*.example.com`,
    );
  }
  if (patterns === undefined) return { certFile, keyFile };
  return { certFile, keyFile, patterns: patterns.split(',').map((one) => one.trim()) };
}

function readVersion(text = 'VersionTLS12'): TlsVersion {
  if (text === 'VersionTLS12' || text === 'VersionTLS13') return text;
  throw new FlagError(`--tls-min-version ${text || '(nothing)'} is not supported; use VersionTLS12 or VersionTLS13`);
}
