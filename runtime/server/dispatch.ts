/** Sends a request for a resource to its verb, or answers why there is none. */
import type { Failure, ScalePaths, Subresource, UserInfo, Verb } from '../contract/index.js';
import { pathSegment } from '../objects/names/names.js';
import { badRequest, genericNotFound, methodNotSupported, notFound, verbNotSupported } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { get } from '../read/get.js';
import { list } from '../read/list.js';
import { readListOptions } from '../read/list-options.js';
import { watch } from '../read/watch.js';
import type { Registry } from '../registry/registry.js';
import { deprecationFor, type ResourcePath } from '../registry/route.js';
import { type ApiRequest, type ApiResponse, type Query, queryOf } from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import { onlyNamed } from '../request/selection.js';
import type { UnconfirmedState, VerbRequest, VerbServices } from '../request/verb-request.js';
import type { ResourceNames, ResourceVersions, ServedResource, VersionCode } from '../resource/served-resource.js';
import { apply, isApply } from '../write/apply.js';
import { connect } from '../write/connect.js';
import { create } from '../write/create.js';
import { deleteOne } from '../write/delete.js';
import { deleteCollection } from '../write/delete-collection.js';
import { patch, patchTypeOf } from '../write/patch.js';
import { applyScale, getScale, patchScale, updateScale } from '../write/scale.js';
import { update } from '../write/update.js';
import { createVirtual, getVirtual, listVirtual } from '../write/virtual.js';
import { type Again, AnswerAttempt, onLatestState, type UnconfirmedWrite, type VerbHandler } from './latest-state.js';

/**
 * Answers a request for a resource; returns `undefined` if the resource does not exist. `confirmFirst` is set if an
 * earlier attempt used a state that was not the latest.
 */
export function dispatch(
  registry: Registry,
  services: VerbServices,
  request: ApiRequest,
  path: ResourcePath,
  user: UserInfo,
  confirmFirst = false,
): MaybePromise<ApiResponse> | undefined {
  const resource = registry.find(path.group, path.version, path.plural);
  if (!resource || !isPlaced(resource, path, request) || !isAnswered(resource, path)) return undefined;
  if (path.namespaced && path.namespace === '' && path.name !== '') {
    return answerFailure(undefined, badRequest('Namespace parameter required.'));
  }
  if (isRelative(path.namespace)) return answerFailure(undefined, invalidNamespace(path.namespace));
  const [problem] = path.name === '' ? [] : pathSegment(path.name);
  if (problem !== undefined) return answerFailure(undefined, invalidName(path.name, problem));
  const subresource = path.subresource === '' ? undefined : resource.subresources.get(path.subresource);
  const isCustom = resource.module.decoding === 'structural';
  if (path.subresource !== '' && !subresource && !isCustom) return answerFailure(undefined, genericNotFound());
  const deprecation = deprecationFor(resource, subresource);
  const isRead = methodOf(resource, request) === 'GET';
  // Nothing that affects the read of a built-in kind changes before the answer.
  const attempt = isRead && !resource.defined ? undefined : new AnswerAttempt(resource.defined);
  const superseded = resource.defined && attempt?.superseded;
  const verb = new DispatchedRequest(request, services, resource, path, subresource, user, superseded);
  if (deprecation) verb.warnings.push(deprecation.message);
  if (path.subresource !== '' && !subresource) return answerFailure(verb, notFound(path.group, path.plural, path.name));
  const handle = handlerOf(verb, path);
  if (!handle) {
    return isCustom
      ? answerFailure(verb, verbNotSupported(customVerb(path, request), path.group, path.plural))
      : answerFailure(undefined, methodNotSupported());
  }
  if (deprecation) services.noteDeprecated?.(request, resource, subresource, deprecation);
  if (!attempt) return thenSync(loadCode(resource, subresource), () => handle(verb));
  const again: Again = (first) =>
    dispatch(registry, services, request, path, user, first) ?? answerFailure(undefined, genericNotFound());
  const isServed = (): boolean => registry.find(path.group, path.version, path.plural) === resource;
  const write = { attempt, confirmFirst, isServed, again };
  const run = isRead ? handle : () => onLatestState(verb, handle, write);
  return thenSync(loadCode(resource, subresource), () => attempt.run(verb, run, again));
}

/** One request for a verb. */
class DispatchedRequest implements UnconfirmedWrite {
  readonly namespace: string;
  readonly name: string;
  readonly query: Query;
  readonly warnings: string[] = [];
  unconfirmed: UnconfirmedState | undefined = undefined;

  constructor(
    readonly request: ApiRequest,
    readonly services: VerbServices,
    readonly resource: ServedResource,
    { namespace, name }: ResourcePath,
    readonly subresource: Subresource | undefined,
    readonly user: UserInfo,
    readonly superseded: (() => void) | undefined,
  ) {
    this.namespace = namespace;
    this.name = name;
    this.query = queryOf(request.search);
  }
}

/** Loads the code of a resource, and of the kind of one of its subresources. */
function loadCode(resource: VersionCode & ResourceVersions, subresource: Subresource | undefined): MaybePromise<void> {
  if (!subresource?.kind) return resource.ready();
  const loading = [resource, ...resource.acceptedVersions(subresource.kind)].map((kind) => kind.ready());
  return loading.some((one) => one instanceof Promise) ? Promise.all(loading).then(() => undefined) : undefined;
}

/** Returns the verb by which refusals of custom resources name a method. */
function customVerb({ name }: ResourcePath, { method }: ApiRequest): string {
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
}

/** Refuses names such as `..` and names with `%`, because they have another meaning in a path. */
const invalidName = (name: string, problem: string): Failure =>
  badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);

/**
 * Checks whether a namespace has another meaning in a path. All other texts name namespaces, whether they exist or not.
 */
const isRelative = (namespace: string): boolean => namespace === '.' || namespace === '..';

const invalidNamespace = (namespace: string): Failure =>
  badRequest(`Namespace parameter invalid: ${JSON.stringify(namespace)}: may not be '${namespace}'`);

/** Checks whether the namespace and the name in a path fit the scope of the resource. */
function isPlaced(resource: ResourceNames, { namespaced, name }: ResourcePath, request: ApiRequest): boolean {
  const { module } = resource;
  if (module.scope === 'Cluster') return !namespaced;
  if (namespaced) return true;
  // Across namespaces, clients can only read. Built-in kinds have a path that refuses other requests.
  return name === '' && (methodOf(resource, request) === 'GET' || module.decoding === 'typed');
}

/**
 * Returns whether any verb has such a path. A kind that can only be created has no path for single objects or across
 * namespaces.
 */
function isAnswered({ module }: ResourceNames, { namespaced, name, subresource }: ResourcePath): boolean {
  if (subresource !== '') return true;
  if (name !== '') return module.verbs.some((verb) => verb !== 'create' && verb !== 'list');
  return module.scope === 'Cluster' || namespaced || module.verbs.some((verb) => verb !== 'create');
}

/** A verb, and the function that runs it. */
type Found = readonly [verb: Verb, handler: VerbHandler] | undefined;

/**
 * Finds the handler; returns `undefined` if the path does not take the method, or the resource does not have the verb.
 */
function handlerOf(request: VerbRequest, path: ResourcePath): VerbHandler | undefined {
  const { resource, subresource } = request;
  const [verb, handler] = findVerb(request, path) ?? [];
  const verbs = subresource?.verbs ?? resource.module.verbs;
  return verb && verbs.includes(verb) ? handler : undefined;
}

/** Returns the method that decides the verb: custom resources answer HEAD as GET, without the body. */
export function methodOf({ module }: ResourceNames, { method }: ApiRequest): string {
  return method === 'HEAD' && module.decoding === 'structural' ? 'GET' : method;
}

function findVerb(request: VerbRequest, path: ResourcePath): Found {
  const { subresource } = request;
  if (subresource?.connects) return path.watch ? undefined : connectVerb(request.request.method, subresource.proxy);
  if (path.watch && methodOf(request.resource, request.request) !== 'GET') return undefined;
  if (subresource?.scale) return scaleVerb(request, subresource.scale);
  return path.name === '' ? collectionVerb(request, path) : objectVerb(request, path, subresource);
}

/** Verbs by method, for subresources that connect. */
const verbsOfMethods: Readonly<Record<string, Verb | undefined>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Returns the verb of a connection. Proxies also take HEAD and OPTIONS. */
function connectVerb(method: string, isProxy = false): Found {
  const verb = isProxy && (method === 'HEAD' || method === 'OPTIONS') ? 'get' : verbsOfMethods[method];
  return verb && [verb, connect];
}

function scaleVerb(verb: VerbRequest, paths: ScalePaths): Found {
  switch (methodOf(verb.resource, verb.request)) {
    case 'GET':
      return ['get', (request) => getScale(request, paths)];
    case 'PUT':
      return ['update', (request) => updateScale(request, paths)];
    case 'PATCH':
      return ['patch', (request) => (isApply(verb) ? applyScale(request, paths) : patchScale(request, paths))];
    default:
      return undefined;
  }
}

function collectionVerb(verb: VerbRequest, path: ResourcePath): Found {
  const { module } = verb.resource;
  const acrossNamespaces = module.scope === 'Namespaced' && verb.namespace === '';
  switch (methodOf(verb.resource, verb.request)) {
    case 'GET':
      if (path.watch) return ['watch', watchCollection];
      return ['list', module.virtual ? listVirtual : listOrWatch];
    case 'POST':
      return acrossNamespaces ? undefined : ['create', module.virtual ? createVirtual : create];
    case 'DELETE':
      return acrossNamespaces ? undefined : ['deletecollection', deleteCollection];
    case 'PUT':
      return module.decoding === 'structural' ? ['update', refuseWithoutName] : undefined;
    case 'PATCH':
      return module.decoding === 'structural' ? ['patch', refuseWithoutName] : undefined;
    default:
      return undefined;
  }
}

function objectVerb(verb: VerbRequest, path: ResourcePath, subresource: Subresource | undefined): Found {
  switch (methodOf(verb.resource, verb.request)) {
    case 'GET':
      if (path.watch) return ['watch', watchObject];
      return ['get', verb.resource.module.virtual ? getVirtual : get];
    case 'POST':
      return subresource?.kind ? ['create', createVirtual] : undefined;
    case 'PUT':
      return ['update', update];
    case 'PATCH':
      return ['patch', isApply(verb) ? apply : patch];
    case 'DELETE':
      return ['delete', deleteOne];
    default:
      return undefined;
  }
}

/** Refuses a write of a single custom resource without a name in its path. Built-in kinds have no such path. */
function refuseWithoutName(verb: VerbRequest): ApiResponse {
  const mediaType = verb.request.method === 'PATCH' ? patchTypeOf(verb) : undefined;
  const failure = mediaType?.ok === false ? mediaType.failure : badRequest('name must be provided');
  return answerFailure(verb, failure);
}

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

/** Watches one object, which is deprecated: it is a watch of the collection that is limited to one name. */
function watchObject(verb: VerbRequest): MaybePromise<ApiResponse> {
  const options = readListOptions(verb, 'watch');
  if (!options.ok) return answerFailure(verb, options.failure);
  const { selection } = options.value;
  if (verb.query.text('fieldSelector') !== '' && selection.name !== verb.name) {
    return answerFailure(verb, badRequest("fieldSelector metadata.name doesn't match requested name"));
  }
  return watch({ ...verb, name: '' }, { ...options.value, selection: onlyNamed(selection, verb.name) });
}
