/** Flags of `kindforge serve`: where it listens, and who may come from where. */
import type { FlagGroup } from '../flag.js';

export const transport = {
  heading: 'Listening',
  flags: [
    {
      name: 'host',
      value: '<address>',
      about: 'loopback address to listen on',
      byDefault: '127.0.0.1',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'http-port',
      value: '<port>',
      about: 'port to listen on; 0 chooses a free port',
      byDefault: '8080',
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
      name: 'tls-cert-file',
      value: '<file>',
      about: 'PEM certificate, followed by its chain; serves HTTPS and HTTP/2',
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
  ],
} as const satisfies FlagGroup;
