/** Builds the OpenAPI 3.0 documents: one for each group version, and one for each discovery path. */
import { createDefinitions, refTo } from './definitions.js';
import { groupRoute, groupsRoute, groupVersionRoute, versionRoute } from './discovery-routes.js';
import type { ContentV3, OpenApiV3Document, OpenApiV3Index, OperationV3, ParameterV3, PathItemV3 } from './document.js';
import {
  answerTexts,
  bearerToken,
  builtInGroupVersions,
  type OpenApiOptions,
  type OpenApiResource,
  unauthorized,
} from './options.js';
import type { Parameter } from './parameters.js';
import { groupByPath, type PathGroup, type Route } from './route.js';
import { groupVersionPath, resourceRoutes } from './routes.js';

/**
 * Returns the sorted paths of all documents, below `/openapi/v3/`: `api/v1`, `apis/storage.k8s.io/v1` for group
 * versions; `api`, `apis`, `apis/storage.k8s.io`, `version` for discovery.
 */
export function openApiV3Paths(resources: readonly OpenApiResource[]): string[] {
  const paths = new Set(['api', 'apis', 'version']);
  for (const resource of resources) {
    if (!hasPath(resource)) continue;
    paths.add(documentPath(resource));
    if (resource.decoding === 'typed' && resource.group !== '') paths.add(`apis/${resource.group}`);
  }
  return [...paths].sort();
}

/** Returns whether a resource has a path of its own. Kinds of subresources have none. */
const hasPath = ({ served, verbs }: OpenApiResource): boolean => served && verbs.length > 0;

function documentPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return groupVersionPath(group, version).slice(1);
}

/**
 * Builds the document at one of `openApiV3Paths` from its resources. Returns `undefined` for other paths. Needs all
 * resources, because shared types list every built-in group version.
 */
export function buildOpenApiV3(
  path: string,
  resources: readonly OpenApiResource[],
  options: OpenApiOptions,
): OpenApiV3Document | undefined {
  const own = resources.filter((resource) => hasPath(resource) && documentPath(resource) === path);
  const routes = own.length > 0 ? groupVersionRoutes(own, options) : discoveryRoutes(path, resources, options);
  if (routes.length === 0) return undefined;
  const groupVersions = builtInGroupVersions(resources);
  const definitions = createDefinitions({ ...options, version: 3, groupVersions, resources });
  for (const resource of inOrder([...own, ...spokenKinds(own, resources)])) definitions.addResource(resource);
  for (const route of routes) {
    if (route.body !== undefined) definitions.addShared(route.body.definition);
    for (const { definition } of route.answers) if (definition !== undefined) definitions.addShared(definition);
  }
  return {
    openapi: '3.0.0',
    info: { title: options.title, version: options.version },
    paths: Object.fromEntries(groupByPath(routes).map((group) => [group.path, toPathItem(group)])),
    components: { schemas: definitions.entries(), securitySchemes: { BearerToken: bearerToken } },
  };
}

/** Builds the index of documents from their paths and hashes. Equal content must have equal hashes. */
export function buildOpenApiV3Index(
  documents: Iterable<{ readonly path: string; readonly hash: string }>,
): OpenApiV3Index {
  const entries = [...documents].map(({ path, hash }) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${encodeURIComponent(hash)}` },
  ]);
  return { paths: Object.fromEntries(entries) };
}

/** Returns the kinds of subresources that are not already in the document. */
function spokenKinds(own: readonly OpenApiResource[], all: readonly OpenApiResource[]): readonly OpenApiResource[] {
  const wanted = own.flatMap(({ subresources }) => subresources.flatMap(({ kind }) => kind ?? []));
  return all.filter(
    (resource) =>
      !own.includes(resource) &&
      wanted.some(
        ({ group, version, kind }) =>
          resource.group === group && resource.version === version && resource.names.kind === kind,
      ),
  );
}

function inOrder(resources: readonly OpenApiResource[]): OpenApiResource[] {
  return [...resources].sort((left, right) => (left.names.plural < right.names.plural ? -1 : 1));
}

function groupVersionRoutes(own: readonly OpenApiResource[], options: OpenApiOptions): Route[] {
  const builtIn = own.find((resource) => resource.decoding === 'typed');
  const discovery = builtIn === undefined ? [] : [groupVersionRoute(builtIn.group, builtIn.version, options.naming)];
  return [...own.flatMap((resource) => resourceRoutes(resource, options)), ...discovery];
}

function discoveryRoutes(path: string, resources: readonly OpenApiResource[], { naming }: OpenApiOptions): Route[] {
  if (path === 'api') return [groupRoute('', naming)];
  if (path === 'apis') return [groupsRoute(naming)];
  if (path === 'version') return [versionRoute(naming)];
  const groups = builtInGroupVersions(resources).map(({ group }) => group);
  const group = path.startsWith('apis/') ? path.slice('apis/'.length) : '';
  return group !== '' && groups.includes(group) ? [groupRoute(group, naming)] : [];
}

function toPathItem({ shared, operations }: PathGroup): PathItemV3 {
  return {
    ...Object.fromEntries(operations.map(({ route, own }) => [route.method, toOperation(route, own)])),
    ...(shared.length === 0 ? {} : { parameters: shared.map(toParameter) }),
  };
}

function toOperation(route: Route, own: readonly Parameter[]): OperationV3 {
  const answers = route.answers.map(({ code, definition }) => [
    code,
    { description: answerTexts[code], content: contentOf(route.produces, definition) },
  ]);
  return {
    tags: [route.tag],
    description: route.description,
    operationId: route.operationId,
    ...(own.length === 0 ? {} : { parameters: own.map(toParameter) }),
    ...requestBody(route),
    responses: { ...Object.fromEntries(answers), ...unauthorized },
    ...(route.action === undefined ? {} : { 'x-kubernetes-action': route.action }),
    ...(route.gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': route.gvk }),
  };
}

function requestBody({ body, consumes }: Route): Pick<OperationV3, 'requestBody'> {
  if (body === undefined) return {};
  const content = contentOf(consumes, body.definition);
  return { requestBody: body.requiredIn.includes(3) ? { content, required: true } : { content } };
}

const text = { type: 'string' } as const;

function contentOf(mediaTypes: readonly string[], definition: string | undefined): ContentV3 {
  const schema = definition === undefined ? text : { $ref: refTo(3, definition) };
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

function toParameter({ name, in: place, type, description }: Parameter): ParameterV3 {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}
