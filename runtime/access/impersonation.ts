/**
 * Impersonation: a caller makes a request as another user. The caller needs the right to each part of that identity.
 */
import type { AccessAttributes, AuthorizationAttributes, Authorizer, Result, UserInfo } from '../contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../objects/names/name-checks.js';
import { badRequest } from '../objects/status.js';
import { extrasOfHeaders, valuesOfHeader } from '../objects/tracing.js';
import type { ApiRequest } from '../request/api-request.js';
import { refusalOf } from './authorization.js';

const userHeader = 'impersonate-user';
const groupHeader = 'impersonate-group';
const uidHeader = 'impersonate-uid';
const extraPrefix = 'impersonate-extra-';

/** The user that the headers of a request name. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The user of an impersonated request. */
export interface ActingUser {
  readonly user: UserInfo;
  /** The constrained right that allowed it, if any, as in `impersonate:user-info`. */
  readonly constraint?: string;
}

/** Returns the user in the headers of a request, or why the caller may not act as that user. */
export type Impersonate = (wanted: WantedUser, attributes: AccessAttributes) => Promise<Result<ActingUser>>;

/**
 * Creates the check of the right to the verb `impersonate`, which holds for all requests.
 *
 * @param group the served group of users' uids and extra fields in the checks of rights
 */
export function defineImpersonation(authorizer: Authorizer, group: string): Impersonate {
  return async (wanted, { user }) => {
    for (const asked of rightsFor(wanted, group, user)) {
      const failure = await refusalOf(authorizer, asked);
      if (failure) return { ok: false, failure };
    }
    return { ok: true, value: { user: impersonatedUser(wanted) } };
  };
}

/** Returns the rights that the headers of a request need; none if the headers cannot be read. */
export function impersonationRights(request: ApiRequest, maker: UserInfo, group: string): AuthorizationAttributes[] {
  const wanted = readWanted(request);
  return wanted.ok && wanted.value ? [...rightsFor(wanted.value, group, maker)] : [];
}

/** Reports whether a request has impersonation headers; most have none. */
export function impersonates({ headers }: ApiRequest): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

/**
 * Reads the headers of a request. Returns `undefined` if they name no user. Fails if they name only other parts of a
 * user.
 */
export function readWanted(request: ApiRequest): Result<WantedUser | undefined> {
  const extra = extrasOfHeaders(request, [extraPrefix]);
  const [name = ''] = valuesOfHeader(request, userHeader);
  const [uid = ''] = valuesOfHeader(request, uidHeader);
  const groups = valuesOfHeader(request, groupHeader);
  if (name !== '') return { ok: true, value: { name, uid, groups, extra } };
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return { ok: true, value: undefined };
  const problem = 'the headers of impersonation name groups, a uid or extras, but no user: Impersonate-User is missing';
  return { ok: false, failure: badRequest(problem) };
}

/** Yields the right to each part, in the order of the checks. */
export function* rightsFor(
  { name, uid, groups, extra }: WantedUser,
  group: string,
  user: UserInfo,
): Generator<AuthorizationAttributes> {
  const account = accountOf(name);
  const ask = { user, verb: 'impersonate', group: '' };
  const part = { ...ask, group, version: 'v1' };
  yield account ? { ...ask, resource: 'serviceaccounts', ...account } : { ...ask, resource: 'users', name };
  for (const one of groups) yield { ...ask, resource: 'groups', name: one };
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) yield { ...part, resource: 'userextras', subresource: key, name: value };
  }
  if (uid !== '') yield { ...part, resource: 'uids', name: uid };
}

const accountPrefix = 'system:serviceaccount:';

/** Parses the user name of a service account; `undefined` for other users. */
export function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = user.slice(accountPrefix.length).split(':');
  if (more.length > 0 || dns1123Label(namespace).length > 0 || dns1123Subdomain(name).length > 0) return undefined;
  return { namespace, name };
}

export const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';

/** Completes a user with the groups that follow from its name. */
export function impersonatedUser({ name, uid, groups: said, extra }: WantedUser): UserInfo {
  const account = said.length === 0 ? accountOf(name) : undefined;
  const groups = account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : [...said];
  if (name === 'system:anonymous') {
    if (!groups.includes(unauthenticated)) groups.push(unauthenticated);
  } else if (!groups.includes(authenticated) && !groups.includes(unauthenticated)) groups.push(authenticated);
  return { name, uid, groups, extra };
}
