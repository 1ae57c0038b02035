/** Reads the flags of `kindforge serve` about those who vouch for users: a provider of identities, a webhook, proxies. */
import type {
  AuthenticationOptions,
  OidcOption,
  RequestHeaderOption,
  TokenWebhookOption,
} from '../../server/options.js';
import { readTime } from '../../server/text/durations.js';
import { FlagError } from './flag-error.js';
import type { ServeFlags } from './serve-flags.js';
import { takeValue } from './take-value.js';

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readIdentity(
  flags: ServeFlags,
): Pick<AuthenticationOptions, 'oidc' | 'tokenWebhook' | 'requestHeader'> {
  const [oidc, tokenWebhook, requestHeader] = [readOidc(flags), readTokenWebhook(flags), readRequestHeader(flags)];
  return { ...(oidc && { oidc }), ...(tokenWebhook && { tokenWebhook }), ...(requestHeader && { requestHeader }) };
}

function readOidc(flags: ServeFlags): OidcOption | undefined {
  const { oidcIssuerUrl: issuerUrl, oidcClientId: clientId } = flags;
  if (issuerUrl === undefined && clientId === undefined) {
    const useless = [
      flags.oidcUsernamePrefix !== undefined && '--oidc-username-prefix',
      flags.oidcGroupsClaim !== undefined && '--oidc-groups-claim',
      flags.oidcRequiredClaim.length > 0 && '--oidc-required-claim',
      flags.oidcCaFile !== undefined && '--oidc-ca-file',
    ].find((flag) => flag !== false);
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
    requiredClaims: Object.fromEntries(listOf(flags.oidcRequiredClaim).map(readClaim)),
    caFile: flags.oidcCaFile,
    signingAlgorithms: listOf([flags.oidcSigningAlgs]),
  };
}

function readClaim(text: string): readonly [string, string] {
  const mark = text.indexOf('=');
  if (mark > 0) return [text.slice(0, mark), text.slice(mark + 1)];
  throw new FlagError(
    `--oidc-required-claim ${text || '(nothing)'} is no claim with its text; use the form claim=text`,
  );
}

function readTokenWebhook(flags: ServeFlags): TokenWebhookOption | undefined {
  const version = flags.authenticationTokenWebhookVersion;
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new FlagError(`--authentication-token-webhook-version ${version} is not supported; use v1 or v1beta1`);
  }
  const ttl = flags.authenticationTokenWebhookCacheTtl;
  const cacheTtlMs = takeValue('--authentication-token-webhook-cache-ttl', readTime(ttl));
  const { authenticationTokenWebhookConfigFile: configFile } = flags;
  return configFile === undefined ? undefined : { configFile, cacheTtlMs, version };
}

function readRequestHeader(flags: ServeFlags): RequestHeaderOption | undefined {
  const { requestheaderClientCaFile: clientCaFile } = flags;
  const usernameHeaders = listOf(flags.requestheaderUsernameHeaders);
  const groupHeaders = listOf(flags.requestheaderGroupHeaders);
  const extraHeadersPrefixes = listOf(flags.requestheaderExtraHeadersPrefix);
  const allowedNames = listOf(flags.requestheaderAllowedNames);
  if (clientCaFile !== undefined) {
    return { clientCaFile, usernameHeaders, groupHeaders, extraHeadersPrefixes, allowedNames };
  }
  if ([usernameHeaders, groupHeaders, extraHeadersPrefixes, allowedNames].every(({ length }) => length === 0)) {
    return undefined;
  }
  throw new FlagError(
    'headers count only behind a certificate of the proxy; add --requestheader-client-ca-file, its authority',
  );
}

/** The names of flags that may be given more than once, or have commas between. */
const listOf = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []);
