/** Answers requests for documents: discovery, OpenAPI, the version, health, and the list of paths. */
import type { JsonObject, KindReference } from '../contract/index.js';
import { formatGroupVersion } from '../objects/names/names.js';
import { emulate, type Release } from '../objects/release.js';
import { genericNotFound, methodNotSupported } from '../objects/status.js';
import type { MaybePromise } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';
import { answerFailure } from '../request/responses.js';
import type { ResourceNames, ServedResource } from '../resource/served-resource.js';
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  groupsOf,
  inVersion,
  kindOfSubresource,
  listedVerbs,
  sortedSubresources,
} from './discovery.js';
import {
  answerPathDocument,
  type Documents,
  groupNotFound,
  type OwnPath,
  type PathDocument,
  textNotFound,
} from './documents.js';
import { allAlive, answerHealth, type HealthCheck, type HealthEndpoint, type HealthOf, hasCheck } from './health.js';
import type { OpenApiDocuments } from './openapi.js';
import {
  type GroupVersions,
  type RemoteApis,
  type RemoteVersion,
  remoteVersionItem,
  remoteVersions,
} from './remote-apis.js';

/** The parts of a server that documents describe. */
export interface DocumentParts {
  readonly registry: Registry;
  /** The versions that other servers answer for; absent if none can exist. */
  readonly remote: RemoteApis | undefined;
  readonly openApi: OpenApiDocuments;
  readonly documents: Documents;
  readonly healthChecks: readonly HealthCheck[];
  /** Finds checks that the server serves only at `/healthz/<name>`. */
  readonly healthOf: HealthOf | undefined;
  /** Reports whether the server counts as alive because it has just started. */
  readonly isStarting: () => boolean;
  /** Documents outside the API, by path. */
  readonly pathDocuments: ReadonlyMap<string, PathDocument>;
  /** Routes outside the API, by path. */
  readonly ownPaths: ReadonlyMap<string, OwnPath>;
  readonly discoveryGroup: string;
  readonly productVersion: string;
  readonly release: Release;
  readonly serverAddress: () => string;
  /** Answers with metrics in the format that the request asks for. */
  readonly showMetrics: (request: ApiRequest) => Promise<ApiResponse>;
}

/** Answers a path outside of `/api` and `/apis`; `undefined` if the server has no such path. */
export function answerPlainPath(
  parts: DocumentParts,
  request: ApiRequest,
  path: string,
): MaybePromise<ApiResponse> | undefined {
  const [, first = '', ...rest] = path.split('/');
  switch (first) {
    case '':
      return path === '/' ? indented({ paths: [...listedPaths(parts)] }) : undefined;
    case 'openapi':
      return parts.openApi.answer(request);
    case 'version':
      if (rest.some((part) => part !== '')) return answerFailure(undefined, genericNotFound());
      return onlyGet(request, () => parts.documents.jsonOnly(request, versionDocument(parts)));
    case 'metrics':
      return rest.length > 0 ? textNotFound() : readOnly(request, () => parts.showMetrics(request));
    case 'healthz':
    case 'livez':
    case 'readyz':
      // Names of checks may have slashes.
      return answerHealthPath(parts, request, first, rest.length === 0 ? undefined : rest.join('/'));
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
  if (own) return only(own.method ?? 'GET', request, () => own.answer(request));
  const document = parts.pathDocuments.get(path);
  return document && onlyGet(request, () => answerPathDocument(request, document, parts.serverAddress()));
}

/** Answers with a document in one form, for any `Accept` header and any method. */
const indented = (document: JsonObject): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  body: encoderFor('application/json', true).encode(document),
});

const only = <T extends MaybePromise<ApiResponse>>(
  method: string,
  request: ApiRequest,
  answer: () => T,
): T | ApiResponse => (request.method === method ? answer() : answerFailure(undefined, methodNotSupported()));

const onlyGet = <T extends MaybePromise<ApiResponse>>(request: ApiRequest, answer: () => T): T | ApiResponse =>
  only('GET', request, answer);

/** Refuses methods that do not read, and removes the body for HEAD. */
const readOnly = <T extends MaybePromise<ApiResponse>>(request: ApiRequest, answer: () => T): T | ApiResponse =>
  request.method === 'HEAD' ? answer() : onlyGet(request, answer);

/** Answers a decoded path of `/api` or `/apis` without a resource. */
export function answerDiscovery(parts: DocumentParts, request: ApiRequest, path: string): ApiResponse {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const [root = '', first, second] = segments;
  if (root === 'apis' && first === '') return textNotFound();
  if (segments.length > 3 || segments.slice(1).includes('')) return answerFailure(undefined, genericNotFound());
  const { registry, remote } = parts;
  if (first === undefined) return rootAnswer(parts, request, root === 'api');
  const [group, version] = root === 'api' ? ['', first] : [first, second];
  const isKnown = registry.hasGroup(group) || remote?.versions.some((one) => one.group === group);
  if (root === 'apis' && !isKnown) return groupNotFound(group, registry);
  // The reference answers any method.
  if (version === undefined) {
    return parts.documents.discovery(request, apiGroup(registry, group, remote) ?? {}, 'plain');
  }
  if ((root === 'api' && second !== undefined) || !registry.hasVersion(group, version)) {
    return registry.isBuiltIn(group) ? answerFailure(undefined, genericNotFound()) : textNotFound();
  }
  const resources = (): JsonObject => apiResourceList(registry, group, version);
  return onlyGet(request, () => parts.documents.discovery(request, resources(), 'announced'));
}

/** Answers `/api` or `/apis`. Like the reference, it answers any method for named groups. */
const rootAnswer = (parts: DocumentParts, request: ApiRequest, core: boolean): ApiResponse =>
  core ? onlyGet(request, () => rootDocument(parts, request, core)) : rootDocument(parts, request, core);

/** Returns the document of `/api` or `/apis`: plain, or aggregated for clients that ask for it. */
function rootDocument(parts: DocumentParts, request: ApiRequest, core: boolean): ApiResponse {
  const { discoveryGroup, documents, registry, remote } = parts;
  const aggregated = documents.aggregated(request, (version) =>
    aggregatedDiscovery(registry, `${discoveryGroup}/${version}`, core, remote, parts.release),
  );
  if (aggregated) return aggregated;
  return core
    ? documents.discovery(request, apiVersions(registry, parts.serverAddress()), 'announced')
    : documents.discovery(request, apiGroupList(registry, remote), 'plain');
}

/** Returns the document of `/version`. `productVersion` is Kindforge's own. */
function versionDocument({ release, productVersion }: DocumentParts): JsonObject {
  const [major = '', minor = ''] = release.name.split('.');
  return {
    major,
    minor,
    ...(release.does('emulationInVersion') ? emulationOf(major, minor) : {}),
    ...buildOf(release, productVersion),
  };
}

const emulationOf = (major: string, minor: string): JsonObject => ({
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
});

const buildOf = (release: Release, productVersion: string): JsonObject => ({
  gitVersion: `v${release.name}.0+kindforge.${productVersion}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
});

const always: readonly string[] = [
  '/api',
  '/apis',
  '/apis/',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/version',
  '/metrics',
];

/** Returns the paths that are listed for clients, sorted. */
export function listedPaths({
  registry,
  remote,
  healthChecks: checks,
  pathDocuments,
  ownPaths,
}: Pick<DocumentParts, 'registry' | 'remote' | 'healthChecks' | 'pathDocuments' | 'ownPaths'>): readonly string[] {
  const own = [...ownPaths.values()].flatMap(({ path, isUnlisted }) => (isUnlisted ? [] : path));
  const core = registry.resources.filter(({ module }) => module.group === '').map(({ module }) => module.version);
  const groups = groupsOf(registry, remote).flatMap(({ group, versions }) => [
    `/apis/${group}`,
    ...versions.map((version) => `/apis/${formatGroupVersion(group, version)}`),
  ]);
  const health = (['healthz', 'livez', 'readyz'] as const).flatMap((endpoint) => [
    `/${endpoint}`,
    ...checks.flatMap(({ name }) => (hasCheck(endpoint, name, checks) ? `/${endpoint}/${name}` : [])),
  ]);
  const paths = new Set([
    ...always,
    ...core.map((version) => `/api/${version}`),
    ...groups,
    ...health,
    ...pathDocuments.keys(),
    ...own,
  ]);
  return [...paths].sort();
}

/**
 * Returns the aggregated document of `/api` (the core group) or of `/apis` (all others). `apiVersion` is the
 * document's own.
 */
export function aggregatedDiscovery(
  registry: Registry,
  apiVersion: string,
  core: boolean,
  remote?: RemoteApis,
  release: Release = emulate(),
): JsonObject {
  const groups: readonly GroupVersions[] = core ? coreGroup(registry) : groupsOf(registry, remote);
  const others = remote ? remoteVersions(registry, remote) : [];
  const unset: JsonObject = release.does('withoutUnsetTimestamps') ? {} : { creationTimestamp: null };
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion,
    metadata: {},
    items: groups.map((group) => groupItem(registry, group, others, unset)),
  };
}

function coreGroup(registry: Registry): readonly GroupVersions[] {
  const versions = new Set(
    registry.resources.filter(({ module }) => module.group === '').map(({ module }) => module.version),
  );
  return versions.size === 0 ? [] : [{ group: '', versions: [...versions] }];
}

function groupItem(
  registry: Registry,
  { group, versions }: GroupVersions,
  others: readonly RemoteVersion[],
  unset: JsonObject,
): JsonObject {
  return {
    metadata: group === '' ? { ...unset } : { name: group, ...unset },
    versions: versions.map((version) => {
      const other = others.find((one) => one.group === group && one.version === version);
      if (other) return remoteVersionItem(other);
      const resources = inVersion(registry, group, version).map(resourceItem);
      return { version, resources, freshness: 'Current' };
    }),
  };
}

function resourceItem(resource: ServedResource): JsonObject {
  const { group, version, names, scope, verbs } = resource.module;
  const item: JsonObject = {
    resource: names.plural,
    responseKind: responseKind(resource, { group, version, kind: names.kind }),
    scope,
    singularResource: names.singular,
    verbs: listedVerbs(resource.module, verbs),
  };
  if (names.shortNames.length > 0) item.shortNames = [...names.shortNames];
  if (names.categories.length > 0) item.categories = [...names.categories];
  const subresources = sortedSubresources(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(resource, kindOfSubresource(resource.module, subresource)),
    verbs: [...subresource.verbs].sort(),
  }));
  if (subresources.length > 0) item.subresources = subresources;
  return item;
}

/**
 * Returns the kind of an answer. For built-in kinds, the reference leaves out a group and version that equal the
 * list's.
 */
function responseKind({ module }: ResourceNames, { group, version, kind }: KindReference): JsonObject {
  const isOwn = module.decoding === 'typed' && group === module.group && version === module.version;
  return isOwn ? { group: '', version: '', kind } : { group, version, kind };
}
