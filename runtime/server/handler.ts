/** Answers requests: authenticates, then sends each to the resource, document or endpoint that its path names. */
import type { JsonObject, UserInfo } from '../contract/index.js';
import { genericNotFound, internalFailure, methodNotSupported } from '../objects/status.js';
import { answerFailure } from '../verbs/answers.js';
import { encoderFor } from '../verbs/encoders.js';
import type { Answer, ApiRequest } from '../verbs/exchange.js';
import type { VerbServices } from '../verbs/verb-request.js';
import { aggregatedDiscovery } from './aggregated-discovery.js';
import { type AuthenticationParts, authenticateRequest } from './authentication.js';
import { compressed } from './compression.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.js';
import { dispatch } from './dispatch.js';
import type { Documents } from './documents.js';
import { answerHealth, type HealthCheck } from './health.js';
import type { OpenApiDocuments } from './openapi.js';
import { textNotFound } from './plain-answers.js';
import type { Registry } from './registry.js';
import { rootPaths } from './root-paths.js';
import { decodePath, parseResourcePath } from './route.js';
import { versionDocument } from './version.js';

/** What the handler works with. */
export interface HandlerParts {
  readonly registry: Registry;
  readonly services: VerbServices;
  readonly openApi: OpenApiDocuments;
  readonly documents: Documents;
  readonly authentication: AuthenticationParts;
  readonly healthChecks: readonly HealthCheck[];
  readonly discoveryGroup: string;
  readonly productVersion: string;
  readonly serverAddress: () => string;
  /** Told of defects that were answered with a 500. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
}

/** Answers one request. Never rejects. */
export type Handle = (request: ApiRequest) => Promise<Answer>;

export function defineHandler(parts: HandlerParts): Handle {
  const { documents } = parts;
  return async (request) => {
    try {
      const user = await authenticateRequest(parts.authentication, request);
      const answer = user.ok ? await route(parts, request, user.value) : answerFailure(undefined, user.failure);
      const sent = compressed(request, documents.accepted(request, answer));
      return sent instanceof Promise ? await sent : sent;
    } catch (error) {
      parts.onDefect(error, request);
      const failure = internalFailure('the server could not answer this request; its log says why');
      return documents.accepted(request, answerFailure(undefined, failure));
    }
  };
}

function route(parts: HandlerParts, request: ApiRequest, user: UserInfo): Answer | Promise<Answer> {
  const path = decodePath(request.path) ?? request.path;
  const isOfApi = path.startsWith('/api/') || path.startsWith('/apis/') || path === '/api' || path === '/apis';
  return isOfApi ? apiAnswer(parts, request, user) : otherAnswer(parts, request, path);
}

function otherAnswer(parts: HandlerParts, request: ApiRequest, path: string): Answer {
  const [, first = '', ...rest] = path.split('/');
  switch (first) {
    case '':
      return path === '/' ? indented(rootPaths(parts.registry, parts.healthChecks)) : textNotFound();
    case 'openapi':
      return onlyGet(request, () => parts.openApi.answer(request));
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
const indented = (document: JsonObject): Answer => ({
  code: 200,
  contentType: 'application/json',
  body: encoderFor('application/json', true).encode(document),
});

const onlyGet = (request: ApiRequest, answer: () => Answer): Answer =>
  request.method === 'GET' ? answer() : answerFailure(undefined, methodNotSupported());

/** The same for what may also be asked for without its body. */
const readOnly = (request: ApiRequest, answer: () => Answer): Answer =>
  request.method === 'HEAD' ? answer() : onlyGet(request, answer);

function apiAnswer(parts: HandlerParts, request: ApiRequest, user: UserInfo): Answer | Promise<Answer> {
  const path = parseResourcePath(request.path);
  if (!path) return discoveryAnswer(parts, request);
  const { registry } = parts;
  if (path.group !== '' && !registry.hasGroup(path.group)) return textNotFound();
  return dispatch(registry, parts.services, request, path, user);
}

function discoveryAnswer(parts: HandlerParts, request: ApiRequest): Answer {
  const segments = request.path.replace(/\/$/, '').split('/').slice(1);
  const [root = '', first, second] = segments;
  if (segments.length > 3 || segments.slice(1).includes('')) return answerFailure(undefined, genericNotFound());
  const { registry } = parts;
  if (first === undefined) return rootAnswer(parts, request, root === 'api');
  const [group, version] = root === 'api' ? ['', first] : [first, second];
  if (root === 'apis' && !registry.hasGroup(group)) return textNotFound();
  if (version === undefined) {
    return parts.documents.discovery(request, apiGroup(registry, group) ?? {}, 'plain');
  }
  if ((root === 'api' && second !== undefined) || !registry.hasVersion(group, version)) {
    return answerFailure(undefined, genericNotFound());
  }
  const resources = (): JsonObject => apiResourceList(registry, group, version);
  return onlyGet(request, () => parts.documents.discovery(request, resources(), 'announced'));
}

/** Named groups are told of to any method, as the reference has it. */
const rootAnswer = (parts: HandlerParts, request: ApiRequest, core: boolean): Answer =>
  core ? onlyGet(request, () => rootDocument(parts, request, core)) : rootDocument(parts, request, core);

/** `/api` and `/apis`: plain, or aggregated for clients that ask for it. */
function rootDocument(parts: HandlerParts, request: ApiRequest, core: boolean): Answer {
  const { discoveryGroup, documents, registry } = parts;
  const aggregated = documents.aggregated(request, () => aggregatedDiscovery(registry, discoveryGroup, core));
  if (aggregated) return aggregated;
  return core
    ? documents.discovery(request, apiVersions(registry, parts.serverAddress()), 'announced')
    : documents.discovery(request, apiGroupList(registry), 'plain');
}
