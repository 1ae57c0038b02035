/** Refuses invalid authentication options before the server opens anything. */
import { defineOidc, defineTokenWebhook, oidcAlgorithms, readAuthorities } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type {
  AuthenticationOptions,
  OidcOption,
  ServiceAccountOptions,
  TokenWebhookOption,
} from '../access-options.js';
import { readGiven } from '../explain.js';
import { OptionError } from '../option-error.js';
import type { OnProblem, StartOptions } from '../options.js';
import { type Follow, reloaded } from '../transport/reloaded.js';
import { textGetter } from '../webhooks/get-text.js';
import { eachAtMostEvery } from '../webhooks/line.js';
import { machineAuthorities } from '../webhooks/machine-authorities.js';
import type { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import { postTo } from '../webhooks/post-json.js';
import { followWebhookFile } from '../webhooks/webhook-file.js';

/** Throws an `OptionError` that names the option and its valid values. */
export function checkAuthentication({ authentication = {}, tls }: StartOptions): void {
  const { oidc, requestHeader, serviceAccounts, tokenWebhook } = authentication;
  if (oidc) checkOidc(oidc);
  if (requestHeader) checkRequestHeader(requestHeader, tls !== undefined);
  if (serviceAccounts) checkServiceAccounts(serviceAccounts);
  const { cacheTtlMs = 0 } = tokenWebhook ?? {};
  if (!(cacheTtlMs >= 0)) {
    throw new OptionError(
      (nameOf) => `${nameOf('authentication.tokenWebhook.cacheTtlMs')} ${cacheTtlMs}: must be 0 or more milliseconds`,
    );
  }
}

function checkOidc({ issuerUrl, clientId, signingAlgorithms = ['RS256'] }: OidcOption): void {
  if (!isHttps(issuerUrl)) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('authentication.oidc.issuerUrl')} ${issuerUrl || '(nothing)'}: must be an HTTPS URL such as https://accounts.example.com`,
    );
  }
  if (clientId === '') {
    throw new OptionError(
      (nameOf) => `${nameOf('authentication.oidc.clientId')} is empty; give the client that tokens are for`,
    );
  }
  const unknown = signingAlgorithms.find((algorithm) => !oidcAlgorithms.includes(algorithm));
  if (unknown === undefined && signingAlgorithms.length > 0) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('authentication.oidc.signingAlgorithms')} ${unknown || '(nothing)'} is not supported; use names of: ${oidcAlgorithms.join(', ')}`,
  );
}

function checkRequestHeader(
  { usernameHeaders }: NonNullable<AuthenticationOptions['requestHeader']>,
  hasTls: boolean,
): void {
  if (usernameHeaders.length === 0 || usernameHeaders.includes('')) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('authentication.requestHeader.usernameHeaders')} is empty; give a header such as X-Remote-User`,
    );
  }
  if (hasTls) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('authentication.requestHeader')}: proxies show certificates over TLS only; set ${nameOf('tls.port')}`,
  );
}

function checkServiceAccounts({ issuer, jwksUri, maxSeconds }: ServiceAccountOptions): void {
  if (maxSeconds !== undefined && maxSeconds < 3600) {
    throw new OptionError(
      (nameOf) => `${nameOf('authentication.serviceAccounts.maxSeconds')} ${maxSeconds} is too short; use 3600 or more`,
    );
  }
  if (Array.isArray(issuer) && (issuer.length === 0 || issuer.includes(''))) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('authentication.serviceAccounts.issuer')} is empty; give a URL, such as https://api.example.com`,
    );
  }
  if (jwksUri === undefined || isHttps(jwksUri)) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('authentication.serviceAccounts.jwksUri')} ${jwksUri || '(nothing)'}: must be an HTTPS URL such as https://keys.example.com/jwks`,
  );
}

const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

const option = 'authentication.oidc.caFile';

/**
 * Creates the authenticator without contacting the provider. Throws an `OptionError` if its authorities cannot be read;
 * `follow` receives them.
 */
export function openOidc({ caFile, ...options }: OidcOption, follow: Follow, calls: OutgoingCalls): Authenticator {
  const open = (ca?: () => string): Authenticator =>
    defineOidc(options, ca, undefined, undefined, textGetter(calls, ca));
  if (caFile === undefined) {
    const machine = machineAuthorities();
    if (machine) follow(machine);
    return open(machine?.current);
  }
  const authorities = reloaded([caFile], () => readAuthorityFile(caFile));
  follow(authorities);
  return open(authorities.current);
}

function readAuthorityFile(path: string): string {
  const read = readAuthorities(readGiven(option, path));
  if (!read.ok) throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${read.problem}`);
  return read.authorities.join('');
}

/** The shortest time between two reports of the same reason, milliseconds: anyone may send tokens. */
const toldEveryMs = 60_000;

/** Creates the authenticator without contacting the webhook. Throws an `OptionError` if its file cannot be used. */
export function openTokenWebhook(
  { configFile, cacheTtlMs: ttlMs = 120_000, version = 'v1beta1' }: TokenWebhookOption,
  { rename }: Naming,
  audiences: readonly string[],
  onProblem: OnProblem,
  calls: OutgoingCalls,
): Authenticator {
  return defineTokenWebhook({
    post: postTo(calls, followWebhookFile('authentication.tokenWebhook.configFile', configFile, onProblem)),
    apiVersion: `${rename('authentication.platform.io')}/${version}`,
    audiences,
    unsetTimes: calls.unsetTimes,
    ttlMs,
    onProblem: eachAtMostEvery(toldEveryMs, onProblem),
  });
}
