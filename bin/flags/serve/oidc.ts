/** Flags of `kindforge serve`: users by the tokens of a provider of identities. */
import type { FlagGroup } from '../flag.js';

export const oidc = {
  heading: 'OpenID Connect',
  flags: [
    {
      name: 'oidc-issuer-url',
      value: '<url>',
      about: 'HTTPS URL of a provider of identities, whose ID tokens are accepted',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-client-id',
      value: '<id>',
      about: 'client that these tokens must be for',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-username-claim',
      value: '<claim>',
      about: 'claim with the name of the user',
      byDefault: 'sub',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-username-prefix',
      value: '<prefix>',
      about: 'put before names of users; - for nothing',
      otherwise: 'the URL and #, or nothing where the claim is email',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-groups-claim',
      value: '<claim>',
      about: 'claim with the groups of the user: a list of texts, or one',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-groups-prefix',
      value: '<prefix>',
      about: 'put before names of groups',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-required-claim',
      value: '<claim=text>',
      about: 'claim that tokens must have, with its text; may be given more than once',
      repeatable: true,
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-ca-file',
      value: '<file>',
      about: "PEM authorities of the provider's certificate",
      otherwise: 'those that Node trusts',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'oidc-signing-algs',
      value: '<names>',
      about: 'comma-separated algorithms of signatures: RS256 to RS512, ES256 to ES512, PS256 to PS512',
      byDefault: 'RS256',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
