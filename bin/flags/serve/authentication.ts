/** Flags of `kindforge serve`: how users are recognized. */
import type { FlagGroup } from '../flag.js';

export const authentication = {
  heading: 'Authentication',
  flags: [
    {
      name: 'token-auth-file',
      value: '<file>',
      about: 'CSV file of bearer tokens: token,user,uid,"group,group"',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'enable-bootstrap-token-auth',
      about: 'accept bootstrap tokens, which are stored as secrets of the system namespace',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'anonymous-auth',
      value: '<whether>',
      about: 'true or false: accept requests without credentials, as user system:anonymous',
      otherwise: 'true, unless everybody may do everything',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'allow-everyone',
      about: 'make everyone on this machine an administrator, without credentials',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'credentials-dir',
      value: '<dir>',
      about: "folder for the administrator's credentials",
      otherwise: 'with the data',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-account-issuer',
      value: '<url>',
      about: 'issuer of service account tokens',
      byDefault: 'https://platform.local',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-account-signing-key-file',
      value: '<file>',
      about: 'PEM private key that signs these tokens, RSA or P-256',
      otherwise: 'derived from the data, or a new one with --storage memory',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-account-key-file',
      value: '<file>',
      about: 'further PEM key that verifies such tokens; may be given more than once',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-account-max-token-expiration',
      value: '<duration>',
      about: 'longest lifetime of such a token; at least 1h',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'api-audiences',
      value: '<names>',
      about: 'comma-separated audiences of tokens for this server',
      otherwise: 'the issuer',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
