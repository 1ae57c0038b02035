/** Explains errors of identity providers and of connections to servers, with advice. */
import { messageFor } from '../flags/project.js';
import { NoServer, Refusal } from '../objects/failure.js';
import { type Fields, fieldsOf } from '../objects/printing.js';
import type { LoginSettings } from './settings.js';

/** The provider does not answer, or does not answer as a provider. */
class NoProvider extends NoServer {}

/** Returns an error with advice. Does not change errors that already have advice. */
export function explainProvider(error: unknown, settings: Pick<LoginSettings, 'issuer' | 'clientId'>): Refusal {
  if (error instanceof Refusal) return error;
  const { issuer } = settings;
  const { code, cause } = fieldsOfError(error);
  const details = fieldsOf(cause);
  switch (code) {
    case 'OAUTH_RESPONSE_BODY_ERROR':
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return explainOAuthError(fieldsOfError(error), settings);
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return explainOAuthError({ error: 'invalid_client' }, settings);
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return wrongTime(details, issuer);
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return wrongClaim(details, settings);
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return wrongIssuer(details, issuer);
    case undefined:
      break;
    default:
      if (code.startsWith('OAUTH_')) return notAProvider(error, cause, issuer);
  }
  const problem = connectionProblem(error);
  if (!problem) return new Refusal(`${issuer}: ${messageFor(error)}`);
  return new NoProvider(
    `the provider ${issuer} cannot be reached: ${problem.text}`,
    problem.isTrust
      ? 'If its authority is your own, give --oidc-ca-file FILE'
      : 'Check the address and the network; HTTPS_PROXY names a proxy',
  );
}

/** Explains why a server could not be asked. */
export function explainServer(error: unknown, url: string): Refusal {
  if (error instanceof Refusal) return error;
  const problem = connectionProblem(error);
  return new NoServer(
    `the server ${url} cannot be reached: ${problem?.text ?? messageFor(error)}`,
    problem?.isTrust
      ? 'Give its authority with --certificate-authority FILE; kindforge serve writes it as ca.crt'
      : 'Is it running, and is the address right?',
  );
}

/** Advice by the error code of RFC 6749 sections 4.1.2.1 and 5.2, or RFC 8628 section 3.5. */
const advice: Readonly<Record<string, string>> = {
  access_denied:
    'The person who logged in did not agree, or may not use this client; ask the administrator of the provider',
  expired_token: 'The code was not entered in time; run kindforge login again',
  invalid_client:
    'Check --oidc-client-id; if the client has a secret, give --oidc-client-secret, else make it a public client at the provider',
  invalid_grant: 'The session has ended or was revoked; run kindforge login again',
  invalid_scope: 'Name the scopes that this client may ask for, as in --oidc-scopes openid,email',
  unauthorized_client: 'Allow this way of logging in for the client at the provider',
  unsupported_grant_type: 'Allow this way of logging in for the client at the provider',
};

function explainOAuthError(
  { error, error_description: said }: Fields,
  { issuer, clientId }: Pick<LoginSettings, 'issuer' | 'clientId'>,
): Refusal {
  const code = String(error);
  const more = typeof said === 'string' && said !== '' ? `: ${said}` : '';
  return new Refusal(
    `the provider ${issuer} refused the client ${JSON.stringify(clientId)} (${code})${more}`,
    advice[code] ?? 'See the log of the provider',
  );
}

function wrongTime({ claims, claim, now }: Fields, issuer: string): Refusal {
  const name = String(claim);
  const at = fieldsOf(claims)[name];
  const shown = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();
  const what = name === 'nbf' ? 'is not valid yet' : 'has expired already';
  return new Refusal(
    `the ID token of ${issuer} ${what}: its claim "${name}" is ${shown(at)}, and this machine has ${shown(now)}`,
    'Set the clocks of this machine and the provider with NTP (timedatectl set-ntp true)',
  );
}

function wrongClaim(
  { claims, claim, expected }: Fields,
  { issuer, clientId }: Pick<LoginSettings, 'issuer' | 'clientId'>,
): Refusal {
  const name = String(claim);
  const wanted = name === 'aud' ? clientId : expected;
  return new Refusal(
    `the ID token of ${issuer} has the wrong claim "${name}": it is ${JSON.stringify(fieldsOf(claims)[name])}, and should be ${JSON.stringify(wanted)}`,
    name === 'nonce'
      ? 'The token belongs to another login; run kindforge login again'
      : 'Give the --oidc-issuer-url and --oidc-client-id of the tokens that this provider issues',
  );
}

function wrongIssuer({ body, expected }: Fields, issuer: string): Refusal {
  const said = fieldsOf(body).issuer;
  return new NoProvider(
    `the discovery document of ${issuer} names another issuer: ${JSON.stringify(said)}`,
    `Give --oidc-issuer-url ${typeof said === 'string' ? said : String(expected)}, here and for kindforge serve, if this is your provider`,
  );
}

function notAProvider(error: unknown, cause: unknown, issuer: string): Refusal {
  const { url, status } = typeof cause === 'object' && cause !== null ? answerOf(cause) : {};
  const where = url === undefined || url === '' ? issuer : url;
  return new NoProvider(
    `${where} does not answer as an OpenID provider${status === undefined || status === 200 ? '' : ` (${status})`}: ${messageFor(error)}`,
    `Check --oidc-issuer-url ${issuer}: below it, /.well-known/openid-configuration must be a document of OpenID Connect Discovery`,
  );
}

/** Reads a response: its properties are inherited. */
const answerOf = (cause: object): { readonly url?: string; readonly status?: number } => ({
  ...('url' in cause && typeof cause.url === 'string' ? { url: cause.url } : {}),
  ...('status' in cause && typeof cause.status === 'number' ? { status: cause.status } : {}),
});

const trustCodes =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/** Returns why a connection failed, and whether the reason is a certificate that is not trusted. */
function connectionProblem(error: unknown): { readonly text: string; readonly isTrust: boolean } | undefined {
  const { name, code, cause } = fieldsOfError(error);
  if (name === 'TimeoutError') return { text: 'no answer in time', isTrust: false };
  // Errors of `fetch` only say that it failed; their cause has the reason.
  if (cause instanceof Error && code === undefined) {
    return connectionProblem(cause) ?? { text: messageFor(cause), isTrust: false };
  }
  if (code === undefined || code.startsWith('OAUTH_')) return undefined;
  return { text: messageFor(error) || code, isTrust: trustCodes.test(code) };
}

interface ErrorFields extends Fields {
  readonly name?: string;
  readonly code?: string;
  readonly cause?: unknown;
}

/** Returns the fields of an error; `name`, `code` and `cause` may be inherited. */
function fieldsOfError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return {};
  return {
    ...fieldsOf(error),
    name: error.name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  };
}
