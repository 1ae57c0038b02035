/** Flags of `kindforge serve`: an identity provider, a webhook and proxies that authenticate users. */
import type {
  AuthenticationOptions,
  OidcOption,
  RequestHeaderOption,
  TokenWebhookOption,
} from '../../../server/access-options.js';
import { FlagError, type FlagGroup, mustBe, namesIn, type Read, type ReadValues } from '../flag.js';
import { readTime } from './values.js';

export const oidc = {
  heading: 'OpenID Connect',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'oidc-issuer-url',
      value: '<url>',
      about: 'HTTPS URL of the identity provider to accept ID tokens from',
      sets: ['authentication.oidc', 'authentication.oidc.issuerUrl'],
    },
    {
      name: 'oidc-client-id',
      value: '<id>',
      about: 'client that these tokens must be for',
      sets: ['authentication.oidc.clientId'],
    },
    {
      name: 'oidc-username-claim',
      value: '<claim>',
      about: 'claim with the name of the user',
      byDefault: 'sub',
    },
    {
      name: 'oidc-username-prefix',
      value: '<prefix>',
      about: 'prefix of user names; - for none',
      otherwise: 'the URL and #, or nothing if the claim is email',
    },
    {
      name: 'oidc-groups-claim',
      value: '<claim>',
      about: 'claim with the groups of the user: a list of texts, or one',
    },
    {
      name: 'oidc-groups-prefix',
      value: '<prefix>',
      about: 'prefix of group names',
    },
    {
      name: 'oidc-required-claim',
      value: '<claim=text>',
      about: 'claim that tokens must have, with its text; may be given more than once',
      repeatable: true,
      read: readClaims,
    },
    {
      name: 'oidc-ca-file',
      value: '<file>',
      about: "PEM authorities of the provider's certificate",
      otherwise: "SSL_CERT_FILE, else the system's authorities, and SSL_CERT_DIR",
      sets: ['authentication.oidc.caFile'],
    },
    {
      name: 'oidc-signing-algs',
      value: '<names>',
      about: 'comma-separated algorithms of signatures: RS256 to RS512, ES256 to ES512, PS256 to PS512',
      byDefault: 'RS256',
      separated: true,
      sets: ['authentication.oidc.signingAlgorithms'],
    },
  ],
} as const satisfies FlagGroup;

export const webhookTokens = {
  heading: 'Token webhook',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'authentication-token-webhook-config-file',
      value: '<file>',
      about: 'kubeconfig of a webhook that checks tokens: its cluster is the webhook, its user this server',
      sets: ['authentication.tokenWebhook.configFile'],
    },
    {
      name: 'authentication-token-webhook-cache-ttl',
      value: '<duration>',
      about: 'how long to cache answers of the webhook',
      byDefault: '2m',
      read: readTime,
      sets: ['authentication.tokenWebhook.cacheTtlMs'],
    },
    {
      name: 'authentication-token-webhook-version',
      value: '<version>',
      about: 'version of the TokenReviews that it gets: v1 or v1beta1, with or without its group',
      byDefault: 'v1beta1',
      read: readReviewVersion,
    },
  ],
} as const satisfies FlagGroup;

export const requestHeader = {
  heading: 'Authenticating proxy',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'requestheader-client-ca-file',
      value: '<file>',
      about: 'PEM authorities of the certificates of proxies, which name the user of a request in headers',
      sets: ['authentication.requestHeader', 'authentication.requestHeader.clientCaFile'],
    },
    {
      name: 'requestheader-allowed-names',
      value: '<names>',
      about: 'common names of these certificates; may be given more than once, or with commas',
      repeatable: true,
      separated: true,
    },
    {
      name: 'requestheader-username-headers',
      value: '<names>',
      about: 'headers with the name of the user, such as X-Remote-User; the first with a value counts',
      repeatable: true,
      separated: true,
      sets: ['authentication.requestHeader.usernameHeaders'],
    },
    {
      name: 'requestheader-group-headers',
      value: '<names>',
      about: 'headers with groups, such as X-Remote-Group; all values count',
      repeatable: true,
      separated: true,
    },
    {
      name: 'requestheader-extra-headers-prefix',
      value: '<prefixes>',
      about: 'prefixes of headers with extras, such as X-Remote-Extra-',
      repeatable: true,
      separated: true,
    },
  ],
} as const satisfies FlagGroup;

type OidcValues = ReadValues<typeof oidc.flags>;
type TokenWebhookValues = ReadValues<typeof webhookTokens.flags>;
type RequestHeaderValues = ReadValues<typeof requestHeader.flags>;

/** Makes the options. Throws a `FlagError` if a flag is given without the flags that it needs. */
export function identityOf(
  flags: OidcValues & TokenWebhookValues & RequestHeaderValues & { readonly authenticationConfig?: string },
): Pick<AuthenticationOptions, 'oidc' | 'tokenWebhook' | 'requestHeader'> {
  if (flags.authenticationConfig !== undefined && oidcFlagIn(flags) !== undefined) {
    throw new FlagError('--authentication-config file and --oidc-* flags are mutually exclusive; leave one out');
  }
  const [provider, tokenWebhook, proxy] = [oidcOf(flags), tokenWebhookOf(flags), requestHeaderOf(flags)];
  return {
    ...(provider && { oidc: provider }),
    ...(tokenWebhook && { tokenWebhook }),
    ...(proxy && { requestHeader: proxy }),
  };
}

/** Returns the first given flag about a provider. Flags with a default do not count. */
const oidcFlagIn = (flags: OidcValues): string | undefined =>
  [
    flags.oidcIssuerUrl !== undefined && '--oidc-issuer-url',
    flags.oidcClientId !== undefined && '--oidc-client-id',
    flags.oidcUsernamePrefix !== undefined && '--oidc-username-prefix',
    flags.oidcGroupsClaim !== undefined && '--oidc-groups-claim',
    flags.oidcRequiredClaim.length > 0 && '--oidc-required-claim',
    flags.oidcCaFile !== undefined && '--oidc-ca-file',
  ].find((flag) => flag !== false) || undefined;

function oidcOf(flags: OidcValues): OidcOption | undefined {
  const { oidcIssuerUrl: issuerUrl, oidcClientId: clientId } = flags;
  if (issuerUrl === undefined && clientId === undefined) {
    const useless = oidcFlagIn(flags);
    if (useless === undefined) return undefined;
    throw new FlagError(`${useless} is about tokens of a provider; add --oidc-issuer-url and --oidc-client-id`);
  }
  if (issuerUrl === undefined || clientId === undefined) {
    throw new FlagError('--oidc-issuer-url and --oidc-client-id must be given together');
  }
  return {
    issuerUrl,
    clientId,
    usernameClaim: flags.oidcUsernameClaim,
    usernamePrefix: flags.oidcUsernamePrefix,
    groupsClaim: flags.oidcGroupsClaim,
    groupsPrefix: flags.oidcGroupsPrefix,
    requiredClaims: Object.fromEntries(flags.oidcRequiredClaim.flat()),
    caFile: flags.oidcCaFile,
    signingAlgorithms: flags.oidcSigningAlgs,
  };
}

/** Reads claims with their texts. One flag may have several. */
function readClaims(text: string): Read<readonly (readonly [string, string])[]> {
  const claims = namesIn([text]).map((one): readonly [string, string] => {
    const mark = one.indexOf('=');
    return [one.slice(0, Math.max(mark, 0)), one.slice(mark + 1)];
  });
  if (claims.some(([claim]) => claim === '')) return mustBe(text, 'a claim with its text, as in claim=text');
  return { ok: true, value: claims };
}

/** Reads a version of TokenReviews, with or without its group. */
function readReviewVersion(text: string): Read<'v1' | 'v1beta1'> {
  const version = text.replace(/^authentication\.(?:k8s|platform)\.io\//, '');
  return version === 'v1' || version === 'v1beta1' ? { ok: true, value: version } : mustBe(text, 'v1 or v1beta1');
}

function tokenWebhookOf(flags: TokenWebhookValues): TokenWebhookOption | undefined {
  const { authenticationTokenWebhookConfigFile: configFile, authenticationTokenWebhookVersion: version } = flags;
  const cacheTtlMs = flags.authenticationTokenWebhookCacheTtl;
  return configFile === undefined ? undefined : { configFile, cacheTtlMs, version };
}

function requestHeaderOf(flags: RequestHeaderValues): RequestHeaderOption | undefined {
  const { requestheaderClientCaFile: clientCaFile } = flags;
  const names = {
    usernameHeaders: flags.requestheaderUsernameHeaders,
    groupHeaders: flags.requestheaderGroupHeaders,
    extraHeadersPrefixes: flags.requestheaderExtraHeadersPrefix,
    allowedNames: flags.requestheaderAllowedNames,
  };
  if (clientCaFile !== undefined) return { clientCaFile, ...names };
  if (Object.values(names).every(({ length }) => length === 0)) return undefined;
  throw new FlagError(
    'headers count only behind a certificate of the proxy; add --requestheader-client-ca-file, its authority',
  );
}
