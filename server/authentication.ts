/** Assembles the authenticators of a server from its options. */
import { readFileSync } from 'node:fs';
import { defineBootstrapTokens, defineTokenFile, defineUnknownTokens } from '../plugins/index.js';
import { anonymousUser } from '../plugins/kit.js';
import type { Authenticator, Clock, UserInfo } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { AuthenticationOptions } from './access-options.js';
import { explaining } from './explain.js';
import type { OnProblem } from './options.js';
import { openOidc, openTokenWebhook } from './parts/check-authentication.js';
import { audiencesOf } from './service-accounts.js';
import type { Follow } from './transport/reloaded.js';
import type { OutgoingCalls } from './webhooks/outgoing-calls.js';

/** Authenticators of the server itself. */
export interface OwnAuthenticators {
  readonly loopback: Authenticator;
  /** Absent if no proxy is configured. */
  readonly requestHeader: Authenticator | undefined;
  /** Absent without TLS. */
  readonly clientCertificates: Authenticator | undefined;
  /** Absent without a console. */
  readonly console: Authenticator | undefined;
  /** Absent without an administrator. */
  readonly administrator: Authenticator | undefined;
  readonly serviceAccounts: Authenticator;
  /** Recognizes tokens of `kindforge user create --token`. */
  readonly users: Authenticator;
}

/** Returns the authenticators in the order in which the server asks them. Rejects if a file cannot be used. */
export async function openAuthenticators(
  options: AuthenticationOptions = {},
  own: OwnAuthenticators,
  naming: Naming,
  onProblem: OnProblem,
  follow: Follow,
  calls: OutgoingCalls,
  clock?: Clock,
  configured?: Authenticator,
): Promise<readonly Authenticator[]> {
  const { tokenFile, bootstrapTokens = false, oidc, tokenWebhook, serviceAccounts, authenticators = [] } = options;
  return [
    own.loopback,
    ...(own.requestHeader ? [own.requestHeader] : []),
    ...(own.clientCertificates ? [own.clientCertificates] : []),
    ...(own.administrator ? [own.administrator] : []),
    ...(own.console ? [own.console] : []),
    own.users,
    ...(tokenFile === undefined ? [] : [await openTokenFile(tokenFile, onProblem)]),
    own.serviceAccounts,
    ...(bootstrapTokens ? [defineBootstrapTokens(naming, clock && (() => clock.wallMs()))] : []),
    ...(oidc ? [openOidc(oidc, follow, calls)] : []),
    ...(configured ? [configured] : []),
    ...(tokenWebhook ? [openTokenWebhook(tokenWebhook, naming, audiencesOf(serviceAccounts), onProblem, calls)] : []),
    ...authenticators,
    defineUnknownTokens(),
  ];
}

async function openTokenFile(path: string, onProblem: OnProblem): Promise<Authenticator> {
  const text = await explaining(
    () => readFileSync(path, 'utf8'),
    ({ message }, nameOf) => `${nameOf('authentication.tokenFile')} ${path}: ${message}`,
  );
  const opened = defineTokenFile(text);
  if (!opened.ok) throw new Error(`${path}: ${opened.problem}`);
  for (const warning of opened.warnings) onProblem(`${path}: ${warning}`);
  return opened.authenticator;
}

/** Returns the user of requests without credentials, or `undefined` if the server refuses such requests. */
export function userWithoutCredentials({ anonymous = 'refused' }: AuthenticationOptions = {}): UserInfo | undefined {
  if (anonymous === 'refused') return undefined;
  if (anonymous === 'anonymous') return anonymousUser;
  return anonymous === 'administrator' ? everyone : anonymous;
}

/** The user of all requests if everything is allowed to everyone. */
const everyone: UserInfo = {
  name: 'system:admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};
