/** Answers requests: finds out who asks, and sends what they may ask to the resource or document that its path names. */

import { type AuthenticationParts, authenticateRequest } from '../access/authentication.js';
import { refusalOf } from '../access/authorization.js';
import { actingUser, type ImpersonationParts, impersonates } from '../access/impersonation.js';
import { attributesOf } from '../access/request-attributes.js';
import type { Failure, JsonObject, Result, UserInfo } from '../contract/index.js';
import { aggregatedDiscovery } from '../discovery/aggregated-discovery.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from '../discovery/discovery.js';
import type { Documents } from '../discovery/documents.js';
import { answerHealth, type HealthCheck } from '../discovery/health.js';
import type { OpenApiDocuments } from '../discovery/openapi.js';
import { textNotFound } from '../discovery/plain-responses.js';
import { rootPaths } from '../discovery/root-paths.js';
import { versionDocument } from '../discovery/version.js';
import { compressed } from '../http/compression.js';
import { type MaybePromise, thenSync } from '../objects/maybe-promise.js';
import { genericNotFound, internalFailure, methodNotSupported } from '../objects/status.js';
import type { Registry } from '../registry/registry.js';
import { type RequestPath, type ResourcePath, readPath } from '../registry/route.js';
import type { ApiRequest, ApiResponse, Handle } from '../verbs/api-request.js';
import { encoderFor } from '../verbs/representation/encoders.js';
import { answerFailure } from '../verbs/responses.js';
import type { VerbServices } from '../verbs/verb-request.js';
import { dispatch } from './dispatch.js';

/** What the handler works with. */
export interface HandlerParts {
  readonly registry: Registry;
  readonly services: VerbServices;
  readonly openApi: OpenApiDocuments;
  readonly documents: Documents;
  readonly authentication: AuthenticationParts;
  /** Whom requests are held against. */
  readonly authorization: ImpersonationParts;
  readonly healthChecks: readonly HealthCheck[];
  readonly discoveryGroup: string;
  readonly productVersion: string;
  readonly serverAddress: () => string;
  /** Told of defects that were answered with a 500. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
}

export function defineHandler(parts: HandlerParts): Handle {
  const { documents } = parts;
  const finish = (request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse> =>
    compressed(request, documents.accepted(request, answer));
  const answerDefect = (request: ApiRequest, error: unknown): ApiResponse => {
    parts.onDefect(error, request);
    const failure = internalFailure('the server could not answer this request; its log says why');
    return documents.accepted(request, answerFailure(undefined, failure));
  };
  return (request) => {
    try {
      const answer = thenSync(admit(parts, request), (admitted) => finish(request, admitted));
      return answer instanceof Promise ? answer.catch((error: unknown) => answerDefect(request, error)) : answer;
    } catch (error) {
      return answerDefect(request, error);
    }
  };
}

/** The answer to whoever asks, where they may ask it. */
const admit = (parts: HandlerParts, request: ApiRequest): MaybePromise<ApiResponse> =>
  thenSync(requestUser(parts, request), (user) =>
    user.ok ? answerUser(parts, request, user.value) : answerRefusal(user.failure),
  );

function answerUser(parts: HandlerParts, request: ApiRequest, user: UserInfo): MaybePromise<ApiResponse> {
  const path = readPath(request.path);
  const refusal = refusalOf(parts.authorization.authorizer, attributesOf(request, path, user));
  return thenSync(refusal, (refused) => (refused ? answerRefusal(refused) : route(parts, request, path, user)));
}

/** What was refused quotes the client, so browsers are told to take it for nothing but what it says that it is. */
function answerRefusal(failure: Failure): ApiResponse {
  const answer = answerFailure(undefined, failure);
  if (failure.reason !== 'Forbidden') return answer;
  return { ...answer, headers: { ...answer.headers, 'x-content-type-options': 'nosniff' } };
}

/** Who makes a request, or whom its maker may act as. */
function requestUser(parts: HandlerParts, request: ApiRequest): MaybePromise<Result<UserInfo>> {
  const asked = authenticateRequest(parts.authentication, request);
  if (!impersonates(request)) return asked;
  return thenSync(asked, (user) => (user.ok ? actingUser(parts.authorization, request, user.value) : user));
}

function route(parts: HandlerParts, request: ApiRequest, path: RequestPath, user: UserInfo): MaybePromise<ApiResponse> {
  const [before, root] = path.parts;
  const isOfApi = before === '' && (root === 'api' || root === 'apis');
  return isOfApi ? apiAnswer(parts, request, path, user) : otherAnswer(parts, request, path.text);
}

function otherAnswer(parts: HandlerParts, request: ApiRequest, path: string): ApiResponse {
  const [, first = '', ...rest] = path.split('/');
  switch (first) {
    case '':
      return path === '/' ? indented(rootPaths(parts.registry, parts.healthChecks)) : textNotFound();
    case 'openapi':
      return readOnly(request, () => parts.openApi.answer(request));
    case 'version':
      if (rest.some((part) => part !== '')) return answerFailure(undefined, genericNotFound());
      return onlyGet(request, () => parts.documents.jsonOnly(request, versionDocument(parts.productVersion)));
    case 'healthz':
    case 'livez':
    case 'readyz':
      if (rest.length > 1) return textNotFound();
      return readOnly(request, () => answerHealth(first, rest[0], parts.healthChecks, request.search));
    default:
      return textNotFound();
  }
}

/** A document that is sent in one form, whatever is asked for and by which method. */
const indented = (document: JsonObject): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  body: encoderFor('application/json', true).encode(document),
});

const onlyGet = (request: ApiRequest, answer: () => ApiResponse): ApiResponse =>
  request.method === 'GET' ? answer() : answerFailure(undefined, methodNotSupported());

/** The same for what may also be asked for without its body. */
const readOnly = (request: ApiRequest, answer: () => ApiResponse): ApiResponse =>
  request.method === 'HEAD' ? answer() : onlyGet(request, answer);

function apiAnswer(
  parts: HandlerParts,
  request: ApiRequest,
  path: RequestPath,
  user: UserInfo,
): MaybePromise<ApiResponse> {
  const named = path.resource;
  if (!named) return discoveryAnswer(parts, request);
  return (
    dispatch(parts.registry, parts.services, request, named, user) ?? answerOnceConfirmed(parts, request, named, user)
  );
}

/** Looks for a resource again once all is known that another server has been told of. */
async function answerOnceConfirmed(
  { registry, services }: HandlerParts,
  request: ApiRequest,
  path: ResourcePath,
  user: UserInfo,
): Promise<ApiResponse> {
  const unconfirmed = await services.store.confirm();
  if (unconfirmed) return answerFailure(undefined, unconfirmed);
  const answer = dispatch(registry, services, request, path, user);
  return answer ?? (registry.isBuiltIn(path.group) ? answerFailure(undefined, genericNotFound()) : textNotFound());
}

function discoveryAnswer(parts: HandlerParts, request: ApiRequest): ApiResponse {
  const segments = request.path.replace(/\/$/, '').split('/').slice(1);
  const [root = '', first, second] = segments;
  if (segments.length > 3 || segments.slice(1).includes('')) return answerFailure(undefined, genericNotFound());
  const { registry } = parts;
  if (first === undefined) return rootAnswer(parts, request, root === 'api');
  const [group, version] = root === 'api' ? ['', first] : [first, second];
  if (root === 'apis' && !registry.hasGroup(group)) return textNotFound();
  // The reference answers whatever the method is.
  if (version === undefined) return parts.documents.discovery(request, apiGroup(registry, group) ?? {}, 'plain');
  if ((root === 'api' && second !== undefined) || !registry.hasVersion(group, version)) {
    return registry.isBuiltIn(group) ? answerFailure(undefined, genericNotFound()) : textNotFound();
  }
  const resources = (): JsonObject => apiResourceList(registry, group, version);
  return onlyGet(request, () => parts.documents.discovery(request, resources(), 'announced'));
}

/** Named groups are told of to any method, as the reference has it. */
const rootAnswer = (parts: HandlerParts, request: ApiRequest, core: boolean): ApiResponse =>
  core ? onlyGet(request, () => rootDocument(parts, request, core)) : rootDocument(parts, request, core);

/** `/api` and `/apis`: plain, or aggregated for clients that ask for it. */
function rootDocument(parts: HandlerParts, request: ApiRequest, core: boolean): ApiResponse {
  const { discoveryGroup, documents, registry } = parts;
  const aggregated = documents.aggregated(request, () => aggregatedDiscovery(registry, discoveryGroup, core));
  if (aggregated) return aggregated;
  return core
    ? documents.discovery(request, apiVersions(registry, parts.serverAddress()), 'announced')
    : documents.discovery(request, apiGroupList(registry), 'plain');
}
