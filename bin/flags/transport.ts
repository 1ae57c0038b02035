/** The flags of `kindforge serve` about where and how it listens. */
import type { Command } from 'commander';
import type { HttpOption, StartOptions } from '../../server/options.js';
import { readCipherSuites } from '../../server/text/cipher-suites.js';
import type { NamedCertificateFiles, TlsOption, TlsVersion } from '../../server/transport/tls-option.js';
import { FlagError } from './flag-error.js';
import { takeValue } from './take-value.js';

/** The flags, as commander hands them over. */
export interface TransportFlags {
  readonly host: string;
  readonly httpPort: string;
  readonly bindAddress?: string;
  readonly securePort: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsSan: readonly string[];
  readonly tlsSniCertKey: readonly string[];
  readonly tlsMinVersion?: string;
  readonly tlsCipherSuites?: string;
  readonly clientCaFile?: string;
}

/** The options that the flags stand for. A server that listens has one of both at least. */
export type Transport = Pick<StartOptions, 'http' | 'tls'> &
  ({ readonly http: HttpOption } | { readonly http: false; readonly tls: TlsOption });

const further = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Adds the flags to the command. */
export function addTransportFlags(command: Command): Command {
  return command
    .option('--secure-port <port>', 'port for TLS, HTTP/2 included; auto chooses a free port, 0 turns TLS off', '6443')
    .option('--bind-address <address>', 'address for TLS, such as 0.0.0.0 for all (default: 127.0.0.1)')
    .option('--http-port <port>', 'port for plain HTTP; auto chooses a free port, 0 turns plain HTTP off', '8080')
    .option('--host <address>', 'loopback address for plain HTTP', '127.0.0.1')
    .option('--tls-cert-file <file>', 'PEM certificate, followed by its chain (default: one that the server makes)')
    .option('--tls-private-key-file <file>', 'PEM private key of the certificate')
    .option(
      '--tls-san <name>',
      'further name or address for the certificate that the server makes; may be given more than once',
      further,
      [],
    )
    .option(
      '--tls-sni-cert-key <files>',
      'certificate and key for some names: cert,key[:*.example.com,example.com]; may be given more than once',
      further,
      [],
    )
    .option(
      '--tls-min-version <version>',
      'oldest version of TLS: VersionTLS12 or VersionTLS13 (default: VersionTLS12)',
    )
    .option('--tls-cipher-suites <names>', "comma-separated cipher suites of TLS 1.2 (default: Node's)")
    .option(
      '--client-ca-file <file>',
      "PEM authorities of client certificates (default: the server's own, which certifies the administrator)",
    );
}

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readTransport(flags: TransportFlags): Transport {
  const httpPort = readPort('--http-port', flags.httpPort);
  const securePort = readPort('--secure-port', flags.securePort);
  if (securePort === 0) {
    refuseUseless(flags);
    if (httpPort === 0) throw new FlagError('--http-port 0 and --secure-port 0 leave nothing to listen on; drop one');
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
