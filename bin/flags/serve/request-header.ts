/** Flags of `kindforge serve`: users by headers of a proxy that has authenticated them. */
import type { FlagGroup } from '../flag.js';

export const requestHeader = {
  heading: 'Authenticating proxy',
  flags: [
    {
      name: 'requestheader-client-ca-file',
      value: '<file>',
      about: 'PEM authorities of the certificates of proxies, which then say by headers who makes a request',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'requestheader-allowed-names',
      value: '<names>',
      about: 'common names of these certificates; may be given more than once, or with commas',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'requestheader-username-headers',
      value: '<names>',
      about: 'headers with the name of the user, such as X-Remote-User; the first with a value counts',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'requestheader-group-headers',
      value: '<names>',
      about: 'headers with groups, such as X-Remote-Group; all values count',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'requestheader-extra-headers-prefix',
      value: '<prefixes>',
      about: 'beginnings of headers with extras, such as X-Remote-Extra-',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
