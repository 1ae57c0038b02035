/** The operations of a resource, for all versions of documents. */
import type { Subresource, Verb } from '../../contract/index.js';
import { isThere } from '../../objects/release.js';
import { connectionRoutes } from './connections.js';
import type { HttpMethod } from './document.js';
import { capitalize, groupTag, isForeign, kindId, operationGroup, parseTypeName, typeId } from './naming.js';
import type { OpenApiOptions, OpenApiResource } from './options.js';
import type { Parameter } from './parameters.js';
import * as parameters from './parameters.js';
import type { Answer, Route, RouteContext } from './route.js';

const actions = {
  list: { method: 'get', prefix: 'list', verb: 'list' },
  post: { method: 'post', prefix: 'create', verb: 'create' },
  deletecollection: { method: 'delete', prefix: 'delete', verb: 'deletecollection' },
  get: { method: 'get', prefix: 'read', verb: 'get' },
  put: { method: 'put', prefix: 'replace', verb: 'update' },
  patch: { method: 'patch', prefix: 'patch', verb: 'patch' },
  delete: { method: 'delete', prefix: 'delete', verb: 'delete' },
  watch: { method: 'get', prefix: 'watch', verb: 'watch' },
  watchlist: { method: 'get', prefix: 'watch', verb: 'watch' },
} as const satisfies Record<string, { method: HttpMethod; prefix: string; verb: Verb }>;

type Action = keyof typeof actions;

/** Returns the path of a group version: `/api/v1`, `/apis/storage.k8s.io/v1`. */
export function groupVersionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Returns all operations of a resource, in no particular order. */
export function resourceRoutes(resource: OpenApiResource, options: RouteOptions): Route[] {
  const context = contextOf(resource, options);
  const root = groupVersionPath(resource.group, resource.version);
  const { plural } = resource.names;
  const scopePath = resource.scope === 'Namespaced' ? '/namespaces/{namespace}' : '';
  const collection = `${root}${scopePath}/${plural}`;
  const served = (list: readonly Action[]): Action[] =>
    list.filter((action) => resource.verbs.includes(actions[action].verb));
  const routes = [
    ...served(['list', 'post', 'deletecollection']).map((action) => routeOf(context, action, collection)),
    ...served(['get', 'put', 'patch', 'delete']).map((action) => routeOf(context, action, `${collection}/{name}`)),
    ...resource.subresources.flatMap((subresource) =>
      subresource.connects
        ? connectionRoutes(context, subresource, collection)
        : subresourceRoutes(context, subresource, collection),
    ),
  ];
  if (resource.scope === 'Namespaced') {
    routes.push(...served(['list']).map((action) => routeOf(context, action, `${root}/${plural}`, undefined, true)));
  }
  if (resource.decoding === 'typed') routes.push(...watchRoutes(context, root, scopePath, served));
  return routes;
}

type RouteOptions = Pick<OpenApiOptions, 'naming' | 'release'>;

function contextOf(resource: OpenApiResource, { naming, release }: RouteOptions): RouteContext {
  const { group, version, names } = resource;
  const json = ['application/json', 'application/yaml'];
  return {
    resource,
    naming,
    release,
    gvk: { group, kind: names.kind, version },
    tag: `${groupTag(group, naming)}_${version}`,
    idPart: operationGroup(group, naming) + capitalize(version),
    name: parameters.nameOf(names.kind),
    object: kindId(resource, names.kind, naming),
    mediaTypes: resource.decoding === 'typed' ? [...json, naming.protobufMediaType] : json,
  };
}

/** Returns the routes below `/watch/`, which only built-in kinds have. */
function watchRoutes(
  context: RouteContext,
  root: string,
  scopePath: string,
  served: (list: readonly Action[]) => Action[],
): Route[] {
  const { plural } = context.resource.names;
  const collection = `${root}/watch${scopePath}/${plural}`;
  const routes = [
    ...served(['watchlist']).map((action) => routeOf(context, action, collection)),
    ...served(['watch']).map((action) => routeOf(context, action, `${collection}/{name}`)),
  ];
  if (scopePath !== '') {
    const everywhere = `${root}/watch/${plural}`;
    routes.push(...served(['watchlist']).map((action) => routeOf(context, action, everywhere, undefined, true)));
  }
  return routes;
}

function subresourceRoutes(context: RouteContext, subresource: Subresource, collection: string): Route[] {
  const path = `${collection}/{name}/${subresource.name}`;
  const all: readonly Action[] = ['get', 'put', 'patch', 'post', 'delete'];
  return all
    .filter((action) => subresource.verbs.includes(actions[action].verb))
    .map((action) => routeOf(context, action, path, subresource));
}

function routeOf(
  context: RouteContext,
  action: Action,
  path: string,
  subresource?: Subresource,
  everywhere = false,
): Route {
  const { resource } = context;
  const { object, gvk } = kindOfRoute(context, subresource);
  return {
    path,
    method: actions[action].method,
    operationId: operationIdOf(context, action, subresource, everywhere),
    tag: context.tag,
    description: describe(context, action, subresource),
    action,
    gvk: resource.decoding === 'typed' ? gvk : context.gvk,
    parameters: parametersOf(context, action, path),
    ...bodyOf(context, action, object),
    consumes: consumesOf(context, action),
    produces: producesOf(context, action),
    answers: answersOf(context, action, object),
  };
}

/** Returns the kind that a route accepts and returns, and the id of its definition. */
function kindOfRoute(
  context: RouteContext,
  subresource: Subresource | undefined,
): Pick<RouteContext, 'object' | 'gvk'> {
  if (subresource?.scale !== undefined) {
    const gvk = { group: 'autoscaling', kind: 'Scale', version: 'v1' };
    return { object: typeId(parseTypeName('autoscaling/v1#/Scale'), context.naming), gvk };
  }
  if (subresource?.kind === undefined) return context;
  const { group, version, kind } = subresource.kind;
  return {
    object: kindId({ ...context.resource, group, version }, kind, context.naming),
    gvk: { group, kind, version },
  };
}

function operationIdOf(
  { resource, idPart }: RouteContext,
  action: Action,
  subresource: Subresource | undefined,
  everywhere: boolean,
): string {
  const collection = action === 'deletecollection' ? 'Collection' : '';
  const namespaced = resource.scope === 'Namespaced' && !everywhere ? 'Namespaced' : '';
  const list = action === 'watchlist' ? 'List' : '';
  const ending = everywhere ? 'ForAllNamespaces' : capitalize(subresource?.name ?? '');
  return actions[action].prefix + idPart + collection + namespaced + resource.names.kind + list + ending;
}

const doings: Readonly<Record<Action, string>> = {
  list: 'list or watch objects of kind',
  post: 'create an object of kind',
  deletecollection: 'delete a collection of kind',
  get: 'read an object of kind',
  put: 'replace an object of kind',
  patch: 'change parts of an object of kind',
  delete: 'delete an object of kind',
  watch: 'watch one object; replaced by a list with `watch` and a field selector on its name. Kind',
  watchlist: 'watch objects; replaced by a list with `watch`. Kind',
};

function describe({ resource }: RouteContext, action: Action, subresource: Subresource | undefined): string {
  const of = subresource === undefined ? '' : `, subresource ${subresource.name}`;
  return `${doings[action]} ${resource.names.kind}${of}`;
}

function parametersOf(context: RouteContext, action: Action, path: string): Parameter[] {
  return [
    ...optionsOf(context, action).filter((one) => isThere(one, context.release)),
    parameters.pretty,
    ...(path.includes('{namespace}') ? [parameters.namespace] : []),
    ...(path.includes('{name}') ? [context.name] : []),
  ];
}

function optionsOf({ resource }: RouteContext, action: Action): readonly Parameter[] {
  const custom = resource.decoding === 'structural';
  switch (action) {
    case 'get':
      return custom ? parameters.getParameters : [];
    case 'post':
    case 'put':
      return parameters.writeParameters;
    case 'patch':
      return parameters.patchParameters;
    case 'delete':
      return parameters.deleteParameters;
    case 'deletecollection':
      return custom ? parameters.listParameters : parameters.deleteCollectionParameters;
    default:
      return parameters.listParameters;
  }
}

function bodyOf(context: RouteContext, action: Action, object: string): Pick<Route, 'body'> {
  const meta = (name: string): string => typeId({ library: 'meta/v1', name }, context.naming);
  // In the reference, version 3 does not mark the body as required for custom resources.
  const requiredIn = context.resource.decoding === 'structural' ? ([2] as const) : ([2, 3] as const);
  if (action === 'post' || action === 'put') return { body: { definition: object, requiredIn } };
  if (action === 'patch') return { body: { definition: meta('Patch'), requiredIn } };
  const options = action === 'delete' || (action === 'deletecollection' && context.resource.decoding === 'typed');
  return options ? { body: { definition: meta('DeleteOptions'), requiredIn: [] } } : {};
}

function consumesOf({ resource, mediaTypes, naming }: RouteContext, action: Action): readonly string[] {
  const typed = resource.decoding === 'typed';
  // Generated clients send the media type from the document, and get 415 for `*/*`. As in the reference, only built-in
  // kinds have it.
  if (action !== 'patch') return typed && !isForeign(resource.group, naming) ? ['*/*'] : mediaTypes;
  return [
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(typed ? ['application/strategic-merge-patch+json'] : []),
    'application/apply-patch+yaml',
  ];
}

function producesOf({ resource, mediaTypes, naming }: RouteContext, action: Action): readonly string[] {
  const streams = actions[action].prefix === 'list' || actions[action].prefix === 'watch';
  if (!streams || resource.decoding === 'structural') return mediaTypes;
  return [...mediaTypes, 'application/json;stream=watch', `${naming.protobufMediaType};stream=watch`];
}

function answersOf(context: RouteContext, action: Action, object: string): Answer[] {
  const { resource, naming } = context;
  const meta = (name: string): string => typeId({ library: 'meta/v1', name }, naming);
  const answer = (definition: string, ...codes: Answer['code'][]): Answer[] =>
    codes.map((code) => ({ code, definition }));
  switch (action) {
    case 'list':
      return answer(kindId(resource, resource.names.listKind, naming), '200');
    case 'watch':
    case 'watchlist':
      return answer(meta('WatchEvent'), '200');
    case 'post':
      return answer(object, '200', '201', '202');
    case 'put':
      return answer(object, '200', '201');
    case 'patch':
      return resource.decoding === 'typed' ? answer(object, '200', '201') : answer(object, '200');
    case 'delete':
      return answer(resource.deleteReturns === 'object' ? object : meta('Status'), '200', '202');
    case 'deletecollection':
      return answer(meta('Status'), '200');
    default:
      return answer(object, '200');
  }
}
