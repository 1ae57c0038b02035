/**
 * Finds the user of a request: by its credentials, with one method after another. With the rights to do so, a caller makes
 * a request as another user (impersonation).
 */
import type {
  AccessAttributes,
  Authenticated,
  Authentication,
  AuthenticationContext,
  Authenticator,
  AuthorizationAttributes,
  Authorizer,
  Credentials,
  Refused,
  Result,
  UserInfo,
} from '../contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../objects/names/name-checks.js';
import { badRequest, unauthorized } from '../objects/status.js';
import { extrasOfHeaders, valuesOfHeader } from '../objects/tracing.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed, type StreamStart } from '../request/api-request.js';
import { readObject, updateObject } from '../request/object-access.js';
import type { PipelineServices } from '../request/verb-request.js';
import { refusalOf } from './authorization.js';

export interface AuthenticationParts {
  readonly methods: readonly Authenticator[];
  /** The user of requests without credentials; absent to refuse such requests. */
  readonly anonymous: UserInfo | undefined;
  /** The only paths that need no credentials; empty for all. */
  readonly anonymousPaths: readonly string[];
  readonly services: PipelineServices;
}

/** Returns the user of a request, or a 401. Only waits for methods that wait. */
export function authenticateRequest(
  { methods, anonymous, anonymousPaths, services }: AuthenticationParts,
  request: ApiRequest,
): MaybePromise<Result<UserInfo>> {
  return thenSync(firstOf(methods, request, contextOf(services)), (found) => {
    if (request.tags && found && 'user' in found && found.onEnd) request.tags.onEnd = found.onEnd;
    const isOpen = anonymousPaths.length === 0 || anonymousPaths.includes(request.path);
    return toUser(found, isOpen ? anonymous : undefined);
  });
}

function toUser(found: Authentication, anonymous: UserInfo | undefined): Result<UserInfo> {
  if (found && 'user' in found) return { ok: true, value: found.user };
  if (found || !anonymous) return { ok: false, failure: unauthorized(found?.clientReason) };
  return { ok: true, value: anonymous };
}

/**
 * Makes a stream end with the credentials of its request, unless it has an end of its own. Returns other answers as
 * they are.
 */
export function endingWithCredentials(request: ApiRequest, answer: ApiResponse): ApiResponse {
  const { body } = answer;
  if (!isStreamed(body) || body.ends) return answer;
  const onEnd = request.tags?.onEnd;
  if (!onEnd) return answer;
  const stream: StreamStart = (sink) => {
    let stop = body.stream(sink);
    const end = (): void => {
      stop();
      stop = () => undefined;
      sink.end();
    };
    const forget = onEnd(end);
    return () => {
      forget();
      stop();
    };
  };
  return { ...answer, body: { ...body, stream } };
}

/** Returns the user of a bearer token for one of the audiences; refuses an unknown token. */
export async function authenticateToken(
  methods: readonly Authenticator[],
  services: PipelineServices & { readonly audiences: readonly string[] },
  token: string,
  audiences: readonly string[],
): Promise<Authentication> {
  const wanted = audiences.length === 0 ? services.audiences : audiences;
  const credentials = { headers: { authorization: `Bearer ${token}` }, audiences: wanted };
  const found = await firstOf(methods, credentials, contextOf(services), (authenticated) =>
    forAudiences(authenticated, wanted, services.audiences),
  );
  return found ?? { refused: 'the token is unknown' };
}

const contexts = new WeakMap<PipelineServices, AuthenticationContext>();

function contextOf(services: PipelineServices): AuthenticationContext {
  const known = contexts.get(services);
  if (known) return known;
  const context: AuthenticationContext = {
    get: (place) => readObject(services, place),
    update: (place, change) => updateObject(services, place, change),
    featureEnabled: services.featureEnabled,
  };
  contexts.set(services, context);
  return context;
}

/**
 * Asks methods in order and returns the first result, else a refusal with every reason that may be shown. Most methods
 * recognize foreign credentials at once, so this only waits from the first method that waits.
 */
function firstOf(
  methods: readonly Authenticator[],
  credentials: Credentials,
  context: AuthenticationContext,
  admit: (authenticated: Authenticated) => Authentication = (authenticated) => authenticated,
): MaybePromise<Authentication> {
  const refusals: Refused[] = [];
  const askFrom = (first: number): MaybePromise<Authentication> => {
    for (let at = first; at < methods.length; at++) {
      const answer = methods[at]?.authenticate(credentials, context);
      if (answer instanceof Promise) return answer.then((known) => takeIn(known) ?? askFrom(at + 1));
      const found = takeIn(answer);
      if (found) return found;
    }
    return joined(refusals);
  };
  const takeIn = (answer: Authentication): Authenticated | undefined => {
    const found = answer && 'user' in answer ? admit(answer) : answer;
    if (found === undefined) return undefined;
    if ('user' in found) return found;
    refusals.push(found);
    return undefined;
  };
  return askFrom(0);
}

function joined(refusals: readonly Refused[]): Authentication {
  if (refusals.length === 0) return undefined;
  const told = refusals.flatMap((refusal) => refusal.publicReason ?? []);
  const refused = refusals.map((refusal) => refusal.refused).join('; ');
  const clientReason = refusals.find((refusal) => refusal.clientReason !== undefined)?.clientReason;
  return {
    refused,
    ...(told.length === 0 ? {} : { publicReason: told.join(', ') }),
    ...(clientReason === undefined ? {} : { clientReason }),
  };
}

/**
 * Returns the user if the token is for one of the audiences. A method without audiences counts as a method for the
 * server's own.
 */
function forAudiences(found: Authenticated, wanted: readonly string[], own: readonly string[]): Authentication {
  if (found.audiences) return found;
  const audiences = wanted.filter((audience) => own.includes(audience));
  if (audiences.length === 0 && wanted.length > 0) return { refused: 'the token is not for the audiences' };
  return { ...found, audiences };
}

// Impersonation. The caller needs the right to each part of the other identity.

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
