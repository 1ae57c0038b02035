/** Flags of `kindforge serve`: where it listens, and who may come from where. */
import type { FlagGroup } from '../flag.js';

export const transport = {
  heading: 'Listening',
  flags: [
    {
      name: 'secure-port',
      value: '<port>',
      about: 'port for TLS, HTTP/2 included; auto chooses a free port, 0 turns TLS off',
      byDefault: '6443',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'bind-address',
      value: '<address>',
      about: 'address for TLS, such as 0.0.0.0 for all of the machine',
      otherwise: '127.0.0.1',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'http-port',
      value: '<port>',
      about: 'port for plain HTTP; auto chooses a free port, 0 turns plain HTTP off',
      byDefault: '8080',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'host',
      value: '<address>',
      about: 'loopback address for plain HTTP',
      byDefault: '127.0.0.1',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'allowed-hosts',
      value: '<names>',
      about: 'further names that the server goes by, with commas between, as in kf.example.com',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'allowed-origins',
      value: '<origins>',
      about:
        'origins whose pages may write and open WebSockets, with commas between, as in https://console.example.com',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'cors-allowed-origins',
      value: '<patterns>',
      about:
        'regular expressions of origins whose pages may also read, with commas between, as in //example\\.com(:|$); may be given more than once',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-cert-file',
      value: '<file>',
      about: 'PEM certificate, followed by its chain',
      otherwise: 'one that the server makes',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-private-key-file',
      value: '<file>',
      about: 'PEM private key of the certificate',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-san',
      value: '<name>',
      about: 'further name or address for the certificate that the server makes; may be given more than once',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-sni-cert-key',
      value: '<files>',
      about:
        'certificate and key for clients that ask for a name: cert,key[:*.example.com,example.com]; may be given more than once',
      repeatable: true,
      separator: ';',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-min-version',
      value: '<version>',
      about: 'oldest version of TLS: VersionTLS12 or VersionTLS13',
      otherwise: 'VersionTLS12',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'tls-cipher-suites',
      value: '<names>',
      about: 'comma-separated cipher suites of TLS 1.2',
      otherwise: "Node's",
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
