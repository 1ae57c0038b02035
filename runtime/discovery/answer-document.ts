/** Answers requests for documents: discovery, OpenAPI, the version, health, and the list of paths. */
import type { JsonObject } from '../contract/index.js';
import type { MaybePromise } from '../objects/maybe-promise.js';
import { genericNotFound, methodNotSupported } from '../objects/status.js';
import type { Registry } from '../registry/registry.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';
import { answerFailure } from '../request/responses.js';
import { aggregatedDiscovery } from './aggregated-discovery.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.js';
import type { Documents } from './documents.js';
import { allAlive, answerHealth, type HealthCheck, type HealthEndpoint, type HealthOf, hasCheck } from './health.js';
import type { OpenApiDocuments } from './openapi.js';
import { answerPathDocument, type OwnPath, type PathDocument } from './path-documents.js';
import { textNotFound } from './plain-responses.js';
import { rootPaths } from './root-paths.js';
import { versionDocument } from './version.js';

/** The parts of a server that documents are about. */
export interface DocumentParts {
  readonly registry: Registry;
  readonly openApi: OpenApiDocuments;
  readonly documents: Documents;
  readonly healthChecks: readonly HealthCheck[];
  /** Checks at `/healthz/<name>` alone. */
  readonly healthOf: HealthOf | undefined;
  /** Whether the server counts as alive as it has just started. */
  readonly isStarting: () => boolean;
  /** By their paths. */
  readonly pathDocuments: ReadonlyMap<string, PathDocument>;
  /** By their paths. */
  readonly ownPaths: ReadonlyMap<string, OwnPath>;
  readonly discoveryGroup: string;
  readonly productVersion: string;
  readonly serverAddress: () => string;
  /** Metrics in the form that an `Accept` header asks for. */
  readonly showMetrics: (accept: string) => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Answers a path outside of `/api` and `/apis`; `undefined` where the server has no such path. */
export function answerPlainPath(
  parts: DocumentParts,
  request: ApiRequest,
  path: string,
): MaybePromise<ApiResponse> | undefined {
  const [, first = '', ...rest] = path.split('/');
  switch (first) {
    case '':
      return path === '/'
        ? indented(
            rootPaths(parts.registry, parts.healthChecks, [...parts.pathDocuments.keys(), ...listed(parts.ownPaths)]),
          )
        : undefined;
    case 'openapi':
      return readOnly(request, () => parts.openApi.answer(request));
    case 'version':
      if (rest.some((part) => part !== '')) return answerFailure(undefined, genericNotFound());
      return onlyGet(request, () => parts.documents.jsonOnly(request, versionDocument(parts.productVersion)));
    case 'metrics':
      return rest.length > 0 ? textNotFound() : readOnly(request, () => answerMetrics(parts, request));
    case 'healthz':
    case 'livez':
    case 'readyz':
      return rest.length > 1 ? textNotFound() : answerHealthPath(parts, request, first, rest[0]);
    default:
      return answerPath(parts, request, path);
  }
}

function answerHealthPath(
  parts: DocumentParts,
  request: ApiRequest,
  endpoint: HealthEndpoint,
  name: string | undefined,
): MaybePromise<ApiResponse> {
  const isUsual = hasCheck(endpoint, name, parts.healthChecks);
  const named = isUsual || name === undefined || endpoint !== 'healthz' ? undefined : parts.healthOf?.(name);
  if (!isUsual && !named) return textNotFound();
  const checks = named ? [named] : checksOf(parts, endpoint);
  return readOnly(request, () => answerHealth(endpoint, name, checks, request.search));
}

const checksOf = ({ healthChecks, isStarting }: DocumentParts, endpoint: HealthEndpoint): readonly HealthCheck[] =>
  endpoint === 'livez' && isStarting() ? allAlive(healthChecks) : healthChecks;

function answerPath(parts: DocumentParts, request: ApiRequest, path: string): MaybePromise<ApiResponse> | undefined {
  const own = parts.ownPaths.get(path);
  if (own) return onlyGet(request, () => own.answer(request));
  const document = parts.pathDocuments.get(path);
  return document && onlyGet(request, () => answerPathDocument(document, parts.serverAddress()));
}

async function answerMetrics({ showMetrics }: DocumentParts, { headers }: ApiRequest): Promise<ApiResponse> {
  const { contentType, text } = await showMetrics([headers.accept ?? ''].flat().join(','));
  return { code: 200, contentType, body: Buffer.from(text) };
}

/** The paths that clients are told of. */
const listed = (paths: ReadonlyMap<string, OwnPath>): readonly string[] =>
  [...paths.values()].filter(({ isUnlisted }) => !isUnlisted).map(({ path }) => path);

/** A document that is sent in one form, whatever is asked for and by which method. */
const indented = (document: JsonObject): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  body: encoderFor('application/json', true).encode(document),
});

const onlyGet = <T extends MaybePromise<ApiResponse>>(request: ApiRequest, answer: () => T): T | ApiResponse =>
  request.method === 'GET' ? answer() : answerFailure(undefined, methodNotSupported());

/** The same for what may also be asked for without its body. */
const readOnly = <T extends MaybePromise<ApiResponse>>(request: ApiRequest, answer: () => T): T | ApiResponse =>
  request.method === 'HEAD' ? answer() : onlyGet(request, answer);

/** Answers a decoded path of `/api` or `/apis` that goes on to no resource. */
export function answerDiscovery(parts: DocumentParts, request: ApiRequest, path: string): ApiResponse {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
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
const rootAnswer = (parts: DocumentParts, request: ApiRequest, core: boolean): ApiResponse =>
  core ? onlyGet(request, () => rootDocument(parts, request, core)) : rootDocument(parts, request, core);

/** `/api` and `/apis`: plain, or aggregated for clients that ask for it. */
function rootDocument(parts: DocumentParts, request: ApiRequest, core: boolean): ApiResponse {
  const { discoveryGroup, documents, registry } = parts;
  const aggregated = documents.aggregated(request, () => aggregatedDiscovery(registry, discoveryGroup, core));
  if (aggregated) return aggregated;
  return core
    ? documents.discovery(request, apiVersions(registry, parts.serverAddress()), 'announced')
    : documents.discovery(request, apiGroupList(registry), 'plain');
}
