/** Flags of `kindforge serve`: its addresses, and the origins of browsers that may use it. */
import type { HttpOption, StartOptions } from '../../../server/options.js';
import { readCipherSuites } from '../../../server/text/cipher-suites.js';
import type { NamedCertificateFiles, TlsOption } from '../../../server/transport/tls-option.js';
import { FlagError, type FlagGroup, mustBe, type Read, type ReadValues } from '../flag.js';

export const transport = {
  heading: 'Listening',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'secure-port',
      value: '<port>',
      about: 'port for TLS, HTTP/2 included; auto chooses a free port, 0 turns TLS off',
      byDefault: '6443',
      read: readPort,
      sets: ['tls', 'tls.port'],
    },
    {
      name: 'bind-address',
      value: '<address>',
      about: 'address for TLS, such as 0.0.0.0 for all addresses of the machine',
      otherwise: '127.0.0.1',
      sets: ['tls.host'],
    },
    {
      name: 'advertise-address',
      value: '<address>',
      about: 'address at which clients reach the server',
      otherwise: "--bind-address, or the machine's first address if that is 0.0.0.0 or ::",
      sets: ['advertiseAddress'],
    },
    {
      name: 'http-port',
      value: '<port>',
      about: 'port for plain HTTP; auto chooses a free port, 0 turns plain HTTP off',
      byDefault: '8080',
      read: readPort,
      sets: ['http', 'http.port'],
    },
    {
      name: 'host',
      value: '<address>',
      about: 'loopback address for plain HTTP',
      byDefault: '127.0.0.1',
      sets: ['http.host'],
    },
    {
      name: 'allowed-hosts',
      value: '<names>',
      about: 'comma-separated further names of the server, as in kf.example.com',
      separated: true,
    },
    {
      name: 'allowed-origins',
      value: '<origins>',
      about: 'comma-separated origins of pages that may write and open WebSockets, as in https://console.example.com',
      separated: true,
    },
    {
      name: 'cors-allowed-origins',
      value: '<patterns>',
      about:
        'comma-separated regular expressions of origins of pages that may also read, as in //example\\.com(:|$); may be given more than once',
      repeatable: true,
      sets: ['corsAllowedOrigins'],
    },
    {
      name: 'console',
      value: '<whether>',
      values: ['true', 'false'],
      about: 'true or false: serve the console, a web application for all kinds, at /console/',
      otherwise: 'true',
      sets: ['console'],
    },
    {
      name: 'tls-cert-file',
      value: '<file>',
      about: 'PEM certificate, followed by its chain',
      otherwise: 'one that the server makes',
      sets: ['tls.certificate', 'tls.certificate.certFile'],
    },
    {
      name: 'tls-private-key-file',
      value: '<file>',
      about: 'PEM private key of the certificate',
      sets: ['tls.certificate.keyFile'],
    },
    {
      name: 'tls-san',
      value: '<name>',
      about: 'further name or address for the certificate that the server makes; may be given more than once',
      repeatable: true,
      sets: ['tls.names'],
    },
    {
      name: 'tls-sni-cert-key',
      value: '<files>',
      about:
        'certificate and key for clients that ask for a name: cert,key[:*.example.com,example.com]; may be given more than once',
      repeatable: true,
      separator: ';',
      read: readNamedCertificate,
      sets: ['tls.named'],
    },
    {
      name: 'tls-min-version',
      value: '<version>',
      values: ['VersionTLS12', 'VersionTLS13'],
      about: 'oldest version of TLS: VersionTLS12 or VersionTLS13',
      otherwise: 'VersionTLS12',
    },
    {
      name: 'tls-cipher-suites',
      value: '<names>',
      about: 'comma-separated cipher suites of TLS 1.2',
      otherwise: "Node's",
      read: readCipherSuites,
    },
  ],
} as const satisfies FlagGroup;

/** The options for the flags. A server that listens has HTTP, TLS or both. */
export type Transport = Pick<StartOptions, 'http' | 'tls'> &
  ({ readonly http: HttpOption } | { readonly http: false; readonly tls: TlsOption });

type ListeningValues = ReadValues<typeof transport.flags> & { readonly clientCaFile?: string };

/** Makes the options. Throws a `FlagError` if nothing listens, or if flags about TLS are given without TLS. */
export function listening(flags: ListeningValues): Transport {
  const { host, httpPort, securePort } = flags;
  if (securePort === 0) {
    refuseUseless(flags);
    if (httpPort === 0) {
      throw new FlagError('--http-port 0 and --secure-port 0 leave nothing to listen on; use auto for a free port');
    }
    return { http: { host, port: httpPort } };
  }
  const tls = tlsOf(flags, securePort);
  return httpPort === 0 ? { http: false, tls } : { http: { host, port: httpPort }, tls };
}

/** Throws if a flag about TLS would have no effect, because users who set it rely on it. */
function refuseUseless(flags: ListeningValues): void {
  const given: readonly (readonly [string, unknown])[] = [
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

function tlsOf(flags: ListeningValues, port: number | 'auto'): TlsOption {
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile, tlsCipherSuites: cipherSuites } = flags;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  return {
    host: flags.bindAddress ?? '127.0.0.1',
    port,
    ...(certFile && keyFile ? { certificate: { certFile, keyFile } } : {}),
    names: flags.tlsSan,
    named: flags.tlsSniCertKey,
    minVersion: flags.tlsMinVersion ?? 'VersionTLS12',
    ...(cipherSuites === undefined ? {} : { cipherSuites }),
  };
}

/** Reads a port; 0 means that nothing listens. */
function readPort(text: string): Read<number | 'auto'> {
  if (text === 'auto') return { ok: true, value: text };
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return { ok: true, value: Number(text) };
  return mustBe(text, 'a port up to 65535, auto for a free one, or 0 for none');
}

/** Reads a certificate, its key, and its names: `cert,key:names`. */
function readNamedCertificate(text: string): Read<NamedCertificateFiles> {
  const [, certFile, keyFile, patterns] = /^([^,:]+),([^,:]+)(?::(.+))?$/.exec(text) ?? [];
  if (certFile === undefined || keyFile === undefined) {
    return mustBe(text, 'a certificate with its key, as in cert,key:*.example.com');
  }
  if (patterns === undefined) return { ok: true, value: { certFile, keyFile } };
  return { ok: true, value: { certFile, keyFile, patterns: patterns.split(',').map((one) => one.trim()) } };
}
