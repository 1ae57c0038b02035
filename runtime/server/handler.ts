/**
 * Answers requests: finds the user, checks rights, and sends the request to the resource, document or route of its
 * path.
 */
import type { Audit } from '../access/audit.js';
import {
  type AuthenticationParts,
  authenticateRequest,
  endingWithCredentials,
  type Impersonate,
  impersonates,
  readWanted,
} from '../access/authentication.js';
import { attributesOf, isConnection, refusalOf } from '../access/authorization.js';
import type { LimitRequests } from '../access/flow-control/simple-limits.js';
import { type PageRules, refusalOfPage } from '../access/pages.js';
import { encodeJson } from '../codec/json.js';
import type { AccessAttributes, AccessDecision, Authorizer, Failure, Result, UserInfo } from '../contract/index.js';
import { answerDiscovery, answerPlainPath, type DocumentParts } from '../discovery/answer-document.js';
import { groupNotFound, textNotFound } from '../discovery/documents.js';
import { durationProblem, parseDuration } from '../objects/scan/duration.js';
import { badRequest, genericNotFound, internalFailure, timeout, unauthorized } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { pathOf, type RequestPath, type ResourcePath } from '../registry/route.js';
import { type ApiRequest, type ApiResponse, type Handle, queryOf } from '../request/api-request.js';
import { answerFailure, warningHeaders } from '../request/responses.js';
import type { VerbServices } from '../request/verb-request.js';
import { dispatch } from './dispatch.js';
import { compressed } from './finish-answers.js';
import type { RefuseConnection } from './limit-requests.js';
import type { ObserveUser } from './observe-requests.js';
import type { AskedFor } from './record-requests.js';
import { answerSnapshot, type MakeSnapshot, snapshotPath } from './snapshot.js';

export interface HandlerParts extends DocumentParts {
  readonly services: VerbServices;
  readonly pages: PageRules;
  readonly authentication: AuthenticationParts;
  readonly observeUser: ObserveUser;
  readonly countOwn: (attributes: AccessAttributes) => void;
  /** Keeps the attributes that each request is authorized with, for logs and traces; absent without logs and traces. */
  readonly askedFor: AskedFor | undefined;
  readonly authorizer: Authorizer;
  /** Whether authorizers learn the selectors of requests. */
  readonly selecting: boolean;
  readonly impersonate: Impersonate;
  /** Makes requests wait, or refuses them, if there are too many. */
  readonly limitRequests: LimitRequests;
  readonly refuseConnection: RefuseConnection;
  /** The paths of documents that everybody may read; absent without such documents. */
  readonly publicPaths: ReadonlySet<string> | undefined;
  /** The longest timeout that a request can ask for, milliseconds. */
  readonly timeoutMs: number;
  /** Makes snapshots of the store; absent if the server has none. */
  readonly snapshot: MakeSnapshot | undefined;
  /** Records requests; absent if nothing is recorded. */
  readonly audit: Audit | undefined;
  /** Receives the defects that were answered with a 500. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
}

export function defineHandler(parts: HandlerParts): Handle {
  const { audit, documents } = parts;
  const recorded = (request: ApiRequest, chosen: ApiResponse): MaybePromise<ApiResponse> => {
    const answer = inWords(chosen);
    return audit
      ? thenSync(audit.answered(request, answer), (known) => finish(request, known))
      : finish(request, answer);
  };
  const inWords = parts.services.release.does('jsonInFieldErrors') ? inLaterWords : (answer: ApiResponse) => answer;
  const finish = (request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse> =>
    compressed(request, encoded(request, answer));
  const encoded = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
    answer.document ? documents.accepted(request, answer, answer.document) : answer;
  const answerDefect = (request: ApiRequest, error: unknown): ApiResponse => {
    parts.onDefect(error, request);
    audit?.failed(request);
    const failure = internalFailure('the server could not answer this request; its log says why');
    return encoded(request, answerFailure(undefined, failure));
  };
  return (request) => {
    try {
      const answer = thenSync(admit(parts, request), (admitted) =>
        recorded(request, endingWithCredentials(request, admitted)),
      );
      return answer instanceof Promise ? answer.catch((error: unknown) => answerDefect(request, error)) : answer;
    } catch (error) {
      return answerDefect(request, error);
    }
  };
}

/** Returns an answer in the words of later releases. */
const inLaterWords = (answer: ApiResponse): ApiResponse =>
  answer.later ? { ...answer, document: answer.later, body: Buffer.from(encodeJson(answer.later)) } : answer;

/** Answers a request if its web page and its user are allowed, and refuses all others. */
function admit(parts: HandlerParts, request: ApiRequest): MaybePromise<ApiResponse> {
  const refused = refusalOfPage(parts.pages, request);
  if (refused) return answerRefusal(refused);
  // Nearly all servers have no such documents: for them, this is one check.
  if (parts.publicPaths?.has(request.path)) {
    return answerPlainPath(parts, request, request.path) ?? textNotFound();
  }
  const deadline = readDeadline(request, parts.timeoutMs);
  if (!deadline.ok) return answerFailure(undefined, deadline.failure);
  const answer = thenSync(requestUser(parts, request), (user) =>
    user.ok ? admitUser(parts, request, user.value) : answerRefusal(user.failure),
  );
  if (deadline.value === undefined || !(answer instanceof Promise)) return answer;
  return withinTime(answer, deadline.value, () => {
    answeredLate.add(request);
    return answerFailure(undefined, overdue);
  });
}

/**
 * Requests that ran out of time before they had an answer. If they still wait for their turn, they are not executed.
 */
const answeredLate = new WeakSet<ApiRequest>();

/** Returns the user of a request: the authenticated user, or the impersonated one. */
function requestUser(parts: HandlerParts, request: ApiRequest): MaybePromise<Result<UserInfo>> {
  const { audit } = parts;
  const found = parts.observeUser(() => authenticateRequest(parts.authentication, request));
  const authenticated = audit ? thenSync(found, (user) => recordedUser(audit, request, user)) : found;
  if (!impersonates(request)) return authenticated;
  return thenSync(authenticated, (user) => {
    const wanted = user.ok ? readWanted(request) : user;
    if (!wanted.ok || !user.ok || !wanted.value) return wanted.ok ? user : wanted;
    const attributes = attributesOf(request, pathOf(request), user.value, parts.selecting);
    return thenSync(parts.impersonate(wanted.value, attributes), (acting) => {
      if (!acting.ok) return acting;
      audit?.impersonated(request, acting.value);
      return { ok: true, value: acting.value.user };
    });
  });
}

/** Returns the user once the audit log has recorded the request. */
function recordedUser(audit: Audit, request: ApiRequest, user: Result<UserInfo>): MaybePromise<Result<UserInfo>> {
  if (!user.ok) return user;
  return thenSync(audit.received(request, user.value), (failure) => (failure ? { ok: false, failure } : user));
}

/** Shows a request to the middleware of users, if it passes any, and then authorizes it. */
function admitUser(parts: HandlerParts, request: ApiRequest, user: UserInfo): MaybePromise<ApiResponse> {
  const { passing } = request;
  return passing
    ? passing.admitted(user, () => authorizeUser(parts, request, user), parts.services.authorize)
    : authorizeUser(parts, request, user);
}

function authorizeUser(parts: HandlerParts, request: ApiRequest, user: UserInfo): MaybePromise<ApiResponse> {
  const path = pathOf(request);
  const surplus = parts.refuseConnection(request, user.name);
  if (surplus) return answerSurplus(request, surplus);
  const attributes = attributesOf(request, path, user, parts.selecting);
  parts.countOwn(attributes);
  parts.askedFor?.set(request, attributes);
  const { audit } = parts;
  const decided = audit && ((decision: AccessDecision) => audit.authorized(request, decision));
  return parts.limitRequests(request, attributes, () => {
    if (request.search !== '' && answeredLate.has(request)) return answerFailure(undefined, overdue);
    return thenSync(refusalOf(parts.authorizer, attributes, decided), (refused) =>
      refused ? answerRefusal(refused) : route(parts, request, path, user),
    );
  });
}

/** Answers a request on a surplus connection, and closes the connection. HTTP/2 has no header for that. */
function answerSurplus({ headers }: ApiRequest, surplus: Failure): ApiResponse {
  const answer = answerFailure(undefined, surplus);
  return ':method' in headers ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Refuses a request. The answer quotes the client, so browsers must not guess its type. */
function answerRefusal(failure: Failure): ApiResponse {
  const answer = answerFailure(undefined, failure);
  if (failure.reason === 'Unauthorized' && failure.message !== unexplained) {
    // kubectl shows warnings, but not the message of a 401 that its discovery gets.
    return { ...answer, headers: { ...answer.headers, ...warningHeaders({ warnings: [failure.message] }) } };
  }
  if (failure.reason !== 'Forbidden') return answer;
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } };
}

/** The message of a 401 for everyone whom the server does not know. */
const unexplained = unauthorized().message;

function route(parts: HandlerParts, request: ApiRequest, path: RequestPath, user: UserInfo): MaybePromise<ApiResponse> {
  const [before, root] = path.parts;
  if (before === '' && (root === 'api' || root === 'apis')) {
    return path.resource
      ? answerResource(parts, request, path.resource, user, path)
      : (answerRemote(parts, request, path, user) ?? answerDiscovery(parts, request, path.text));
  }
  if (parts.snapshot && path.text === snapshotPath)
    return answerSnapshot(parts.snapshot, parts.services, request, user);
  return answerPlainPath(parts, request, path.text) ?? request.passing?.routed() ?? textNotFound();
}

const answerResource = (
  parts: HandlerParts,
  request: ApiRequest,
  resource: ResourcePath,
  user: UserInfo,
  path: RequestPath,
): MaybePromise<ApiResponse> =>
  dispatch(parts.registry, parts.services, request, resource, user) ??
  answerRemote(parts, request, path, user) ??
  answerOnceConfirmed(parts, request, resource, user, path);

/** Sends a request on if another server answers for the version; `undefined` if none does. */
function answerRemote(
  { registry, remote, timeoutMs }: HandlerParts,
  request: ApiRequest,
  { parts: [, root, group = '', version] }: RequestPath,
  user: UserInfo,
): Promise<ApiResponse> | undefined {
  if (root !== 'apis' || version === undefined || registry.hasVersion(group, version)) return undefined;
  return remote?.find(group, version)?.answer(request, user, goesOn(request) ? undefined : timeoutMs);
}

/** Looks for a resource again after the server has received all changes that other servers acknowledged. */
async function answerOnceConfirmed(
  parts: HandlerParts,
  request: ApiRequest,
  resource: ResourcePath,
  user: UserInfo,
  path: RequestPath,
): Promise<ApiResponse> {
  const { registry, services } = parts;
  const unconfirmed = await services.store.confirm();
  if (unconfirmed) return answerFailure(undefined, unconfirmed);
  const { group } = resource;
  return (
    dispatch(registry, services, request, resource, user) ??
    answerRemote(parts, request, path, user) ??
    (registry.isBuiltIn(group) ? answerFailure(undefined, genericNotFound()) : groupNotFound(group, registry))
  );
}

/** The failure of a request that took longer than allowed. The server may still finish what the request began. */
const overdue: Failure = timeout('request did not complete within the allotted timeout');

/**
 * Returns the time limit of a request, in milliseconds, at most `mostMs`. Returns `undefined` if it has no limit, or no
 * expected end.
 */
export function readDeadline(request: ApiRequest, mostMs = 60_000): Result<number | undefined> {
  if (request.search === '') return none;
  const text = queryOf(request.search).text('timeout');
  if (text === '' || goesOn(request)) return none;
  const problem = durationProblem(text);
  if (problem !== undefined) {
    return { ok: false, failure: badRequest(`invalid timeout specified in the request URL - ${problem}`) };
  }
  const ms = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  return { ok: true, value: ms > 0 && ms < mostMs ? ms : mostMs };
}

const none: Result<undefined> = { ok: true, value: undefined };

/** Checks whether a request has no expected end: watches, and connections to the program behind an object. */
function goesOn(request: ApiRequest): boolean {
  const attributes = attributesOf(request, pathOf(request), nobody);
  if ('path' in attributes) return false;
  return attributes.verb === 'watch' || isConnection(attributes);
}

const nobody: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/** Returns the answer, or `late` if it does not come in time. */
function withinTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
