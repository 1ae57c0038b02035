/** Builds the Swagger 2.0 document of the whole API. */
import { createDefinitions, refTo } from './definitions.js';
import { groupRoute, groupsRoute, groupVersionRoute, versionRoute } from './discovery-routes.js';
import type { OpenApiV2Document, OperationV2, ParameterV2, PathItemV2, Reference } from './document.js';
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
import { resourceRoutes } from './routes.js';

/**
 * Builds the document of all served resources in any order. Definitions of custom resources have only the keywords of
 * Swagger 2.0.
 */
export function buildOpenApiV2(resources: readonly OpenApiResource[], options: OpenApiOptions): OpenApiV2Document {
  const served = inOrder(resources.filter((resource) => resource.served));
  const groupVersions = builtInGroupVersions(served);
  const definitions = createDefinitions({ ...options, version: 2, groupVersions, resources: served });
  for (const resource of served) definitions.addResource(resource);
  const routes = [
    ...served.flatMap((resource) => resourceRoutes(resource, options)),
    ...discoveryRoutes(groupVersions, options),
  ];
  for (const route of routes) {
    if (route.body !== undefined) definitions.addShared(route.body.definition);
    for (const { definition } of route.answers) if (definition !== undefined) definitions.addShared(definition);
  }
  const groups = groupByPath(routes);
  return {
    swagger: '2.0',
    info: { title: options.title, version: options.version },
    paths: Object.fromEntries(groups.map((group) => [group.path, toPathItem(group)])),
    definitions: definitions.entries(),
    parameters: sharedParameters(routes),
    securityDefinitions: { BearerToken: bearerToken },
    security: [{ BearerToken: [] }],
  };
}

/** Sorts resources, because the first use of a shared type may describe it. */
function inOrder(resources: readonly OpenApiResource[]): OpenApiResource[] {
  const keyOf = ({ group, version, names }: OpenApiResource): string => `${group}/${names.plural}/${version}`;
  return resources
    .map((resource) => ({ resource, key: keyOf(resource) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ resource }) => resource);
}

function discoveryRoutes(
  groupVersions: readonly { readonly group: string; readonly version: string }[],
  { naming }: OpenApiOptions,
): Route[] {
  const groups = new Set(['', ...groupVersions.map(({ group }) => group)]);
  return [
    groupsRoute(naming),
    versionRoute(naming),
    ...[...groups].map((group) => groupRoute(group, naming)),
    ...groupVersions.map(({ group, version }) => groupVersionRoute(group, version, naming)),
  ];
}

function toPathItem({ shared, operations }: PathGroup): PathItemV2 {
  return {
    ...Object.fromEntries(operations.map(({ route, own }) => [route.method, toOperation(route, own)])),
    ...(shared.length === 0 ? {} : { parameters: shared.map(sharedOrInPlace) }),
  };
}

const text = { type: 'string' } as const;

function toOperation(route: Route, own: readonly Parameter[]): OperationV2 {
  const parameters = [...bodyParameter(route), ...own.map(sharedOrInPlace)];
  const answers = route.answers.map(({ code, definition }) => [
    code,
    { description: answerTexts[code], schema: definition === undefined ? text : { $ref: refTo(2, definition) } },
  ]);
  return {
    description: route.description,
    consumes: route.consumes,
    produces: route.produces,
    schemes: ['https'],
    tags: [route.tag],
    operationId: route.operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { ...Object.fromEntries(answers), ...unauthorized },
    ...(route.action === undefined ? {} : { 'x-kubernetes-action': route.action }),
    ...(route.gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': route.gvk }),
  };
}

function bodyParameter({ body }: Route): ParameterV2[] {
  if (body === undefined) return [];
  const schema = { $ref: refTo(2, body.definition) };
  return [{ name: 'body', in: 'body', ...(body.requiredIn.includes(2) ? { required: true } : {}), schema }];
}

function sharedOrInPlace(parameter: Parameter): ParameterV2 | Reference {
  return parameter.sharedAs === undefined ? toParameter(parameter) : { $ref: `#/parameters/${parameter.sharedAs}` };
}

function toParameter({ name, in: place, type, description }: Parameter): ParameterV2 {
  return {
    name,
    in: place,
    description,
    type,
    uniqueItems: true,
    ...(place === 'path' ? { required: true } : {}),
  };
}

function sharedParameters(routes: readonly Route[]): Record<string, ParameterV2> {
  const used = new Set(routes.flatMap((route) => route.parameters));
  const shared = [...used].flatMap((parameter) =>
    parameter.sharedAs === undefined ? [] : [[parameter.sharedAs, toParameter(parameter)] as const],
  );
  return Object.fromEntries(shared.sort(([left], [right]) => (left < right ? -1 : 1)));
}
