/** Sends a resource request to its verb, or answers why there is none. */
import type { Failure, ScalePaths, UserInfo, Verb } from '../contract/index.js';
import { type MaybePromise, thenSync } from '../objects/maybe-promise.js';
import { badRequest, genericNotFound, methodNotSupported, notFound, verbNotSupported } from '../objects/status.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import { defineAttempt, type Handler } from '../registry/definitions/attempt.js';
import { deprecationFor } from '../registry/deprecated-requests.js';
import type { Registry } from '../registry/registry.js';
import type { ResourcePath } from '../registry/route.js';
import type { ApiRequest, ApiResponse } from '../verbs/api-request.js';
import { apply, isApply } from '../verbs/apply.js';
import { create } from '../verbs/create.js';
import { deleteOne } from '../verbs/delete.js';
import { deleteCollection } from '../verbs/delete-collection.js';
import { get } from '../verbs/get.js';
import { list } from '../verbs/list/list.js';
import { readListOptions } from '../verbs/list/list-options.js';
import { onlyNamed } from '../verbs/list/selection.js';
import { patch } from '../verbs/patch.js';
import { queryOf } from '../verbs/query.js';
import { answerFailure } from '../verbs/responses.js';
import { applyScale, getScale, patchScale, updateScale } from '../verbs/scale.js';
import { update } from '../verbs/update.js';
import type { VerbRequest, VerbServices } from '../verbs/verb-request.js';
import { connect, createVirtual, getVirtual, listVirtual } from '../verbs/virtual.js';
import { watch } from '../verbs/watch/watch.js';

/** Answers a request whose path has the shape of a resource's; absent where there is no such resource. */
export function dispatch(
  registry: Registry,
  services: VerbServices,
  request: ApiRequest,
  path: ResourcePath,
  user: UserInfo,
): MaybePromise<ApiResponse> | undefined {
  const resource = registry.find(path.group, path.version, path.plural);
  if (!resource || !isPlaced(resource, path, request) || !isAnswered(resource, path)) return undefined;
  if (path.namespaced && path.namespace === '' && path.name !== '') {
    return answerFailure(undefined, badRequest('Namespace parameter required.'));
  }
  if (path.name.includes('%')) return answerFailure(undefined, unspeakableName(path.name));
  const subresource = path.subresource === '' ? undefined : resource.subresources.get(path.subresource);
  const isCustom = resource.module.decoding === 'structural';
  if (path.subresource !== '' && !subresource && !isCustom) return answerFailure(undefined, genericNotFound());
  const deprecation = deprecationFor(resource, subresource);
  const attempt = resource.defined && defineAttempt(resource.defined);
  const verb: VerbRequest = {
    request,
    services,
    resource,
    namespace: path.namespace,
    name: path.name,
    subresource,
    user,
    query: queryOf(request.search),
    warnings: deprecation ? [deprecation.message] : [],
    ...(attempt ? { superseded: attempt.superseded } : {}),
  };
  if (path.subresource !== '' && !subresource) return answerFailure(verb, notFound(path.group, path.plural, path.name));
  const handle = handlerOf(verb, path);
  if (!handle)
    return answerFailure(isCustom ? verb : undefined, isCustom ? unsupported(path, request) : methodNotSupported());
  if (deprecation) services.noteDeprecated?.(request, resource, subresource, deprecation);
  const anew = (): MaybePromise<ApiResponse> =>
    dispatch(registry, services, request, path, user) ?? answerFailure(undefined, genericNotFound());
  const isSame = (): boolean => registry.find(path.group, path.version, path.plural) === resource;
  const run = attempt ? attempt.orAgain(handle, anew) : handle;
  return request.method === 'GET' ? run(verb) : onLatestState(verb, run, () => (isSame() ? undefined : anew()));
}

/** What a method asks of a path, as refusals of custom resources name it. */
const verbOf = ({ name }: ResourcePath, { method }: ApiRequest): string => {
  switch (method) {
    case 'GET':
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return '';
  }
};

const unsupported = (path: ResourcePath, request: ApiRequest): Failure =>
  verbNotSupported(verbOf(path, request), path.group, path.plural);

/** No path could say such a name without its being read as another. */
const unspeakableName = (name: string): Failure =>
  badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not contain '%'`);

/**
 * Runs a write on what every server has acknowledged: it builds on the object, on its namespace, and on the definition of
 * its kind as they are now. `otherwise` answers where the kind is served in another way by then.
 */
function onLatestState(
  verb: VerbRequest,
  handle: Handler,
  otherwise: () => MaybePromise<ApiResponse> | undefined,
): MaybePromise<ApiResponse> {
  const run = (unconfirmed: Failure | undefined): MaybePromise<ApiResponse> =>
    unconfirmed ? answerFailure(verb, unconfirmed) : (otherwise() ?? handle(verb));
  return thenSync(verb.services.store.confirm(), run);
}

/** Whether namespace and name of the path fit the resource's scope. */
function isPlaced({ module }: ServedResource, { namespaced, name }: ResourcePath, { method }: ApiRequest): boolean {
  if (module.scope === 'Cluster') return !namespaced;
  if (namespaced) return true;
  // Across namespaces there is nothing but reading; for built-in kinds there is a path that refuses the rest.
  return name === '' && (method === 'GET' || module.decoding === 'typed');
}

/** Whether any method has such a path: a kind that can only be created has none for single objects, nor across namespaces. */
function isAnswered({ module }: ServedResource, { namespaced, name, subresource }: ResourcePath): boolean {
  if (subresource !== '') return true;
  if (name !== '') return module.verbs.some((verb) => verb !== 'create' && verb !== 'list');
  return module.scope === 'Cluster' || namespaced || module.verbs.some((verb) => verb !== 'create');
}

/** Verbs of subresources that connect, by method. */
const connections: Readonly<Record<string, Verb | undefined>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function handlerOf(verb: VerbRequest, path: ResourcePath): Handler | undefined {
  const { resource, subresource } = verb;
  if (subresource?.connects) {
    const wanted = connections[verb.request.method];
    return wanted && subresource.verbs.includes(wanted) ? connect : undefined;
  }
  const verbs: readonly Verb[] = subresource?.verbs ?? resource.module.verbs;
  const allowed = (wanted: Verb, handler: Handler): Handler | undefined =>
    verbs.includes(wanted) ? handler : undefined;
  if (path.watch && verb.request.method !== 'GET') return undefined;
  if (subresource?.scale) return scaleHandler(verb, subresource.scale, allowed);
  if (path.name !== '') return objectHandler(verb, path, allowed);
  switch (verb.request.method) {
    case 'GET':
      if (path.watch) return allowed('watch', watchCollection);
      return allowed('list', resource.module.virtual ? listVirtual : listOrWatch);
    case 'POST':
      return acrossNamespaces(verb) ? undefined : allowed('create', resource.module.virtual ? createVirtual : create);
    case 'DELETE':
      return acrossNamespaces(verb) ? undefined : allowed('deletecollection', deleteCollection);
    default:
      return undefined;
  }
}

function scaleHandler(
  verb: VerbRequest,
  paths: ScalePaths,
  allowed: (wanted: Verb, handler: Handler) => Handler | undefined,
): Handler | undefined {
  switch (verb.request.method) {
    case 'GET':
      return allowed('get', (request) => getScale(request, paths));
    case 'PUT':
      return allowed('update', (request) => updateScale(request, paths));
    case 'PATCH':
      return allowed('patch', (request) => (isApply(verb) ? applyScale(request, paths) : patchScale(request, paths)));
    default:
      return undefined;
  }
}

function objectHandler(
  verb: VerbRequest,
  path: ResourcePath,
  allowed: (wanted: Verb, handler: Handler) => Handler | undefined,
): Handler | undefined {
  switch (verb.request.method) {
    case 'GET':
      if (path.watch) return allowed('watch', watchObject);
      return allowed('get', verb.resource.module.virtual ? getVirtual : get);
    case 'POST':
      return verb.subresource?.kind ? allowed('create', createVirtual) : undefined;
    case 'PUT':
      return allowed('update', update);
    case 'PATCH':
      return allowed('patch', isApply(verb) ? apply : patch);
    case 'DELETE':
      return allowed('delete', deleteOne);
    default:
      return undefined;
  }
}

const acrossNamespaces = ({ resource, namespace }: VerbRequest): boolean =>
  resource.module.scope === 'Namespaced' && namespace === '';

function listOrWatch(verb: VerbRequest): MaybePromise<ApiResponse> {
  const options = readListOptions(verb);
  if (!options.ok) return answerFailure(verb, options.failure);
  if (!options.value.watch) return list(verb, options.value);
  return verb.resource.module.verbs.includes('watch')
    ? watch(verb, options.value)
    : answerFailure(verb, methodNotSupported());
}

function watchCollection(verb: VerbRequest): MaybePromise<ApiResponse> {
  const options = readListOptions(verb, 'watch');
  return options.ok ? watch(verb, options.value) : answerFailure(verb, options.failure);
}

/** The deprecated watch of one object: the collection's, narrowed to a name. */
function watchObject(verb: VerbRequest): MaybePromise<ApiResponse> {
  const options = readListOptions(verb, 'watch');
  if (!options.ok) return answerFailure(verb, options.failure);
  const { selection } = options.value;
  if (verb.query.text('fieldSelector') !== '' && selection.name !== verb.name) {
    return answerFailure(verb, badRequest("fieldSelector metadata.name doesn't match requested name"));
  }
  return watch({ ...verb, name: '' }, { ...options.value, selection: onlyNamed(selection, verb.name) });
}
