/** Finds the handler of a verb by the method and the path of a request. */
import type { ScalePaths, Subresource, Verb } from '../contract/index.js';
import { badRequest, methodNotSupported } from '../objects/status.js';
import type { MaybePromise } from '../objects/turns.js';
import { get } from '../read/get.js';
import { list } from '../read/list.js';
import { readListOptions } from '../read/list-options.js';
import { watch } from '../read/watch.js';
import type { ResourcePath } from '../registry/route.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import { onlyNamed } from '../request/selection.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ResourceNames } from '../resource/served-resource.js';
import { apply, isApply } from '../write/apply.js';
import { connect } from '../write/connect.js';
import { create } from '../write/create.js';
import { deleteOne } from '../write/delete.js';
import { deleteCollection } from '../write/delete-collection.js';
import { patch, patchTypeOf } from '../write/patch.js';
import { applyScale, getScale, patchScale, updateScale } from '../write/scale.js';
import { update } from '../write/update.js';
import { createVirtual, getVirtual, listVirtual } from '../write/virtual.js';
import type { VerbHandler } from './latest-state.js';

/** A verb that a method asks for, and what carries it out. */
type Found = readonly [verb: Verb, handler: VerbHandler] | undefined;

/** Finds the handler; absent where the method is none for the path, or its verb none that the resource has. */
export function handlerOf(request: VerbRequest, path: ResourcePath): VerbHandler | undefined {
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
  if (subresource?.connects) return connectVerb(request.request.method);
  if (path.watch && methodOf(request.resource, request.request) !== 'GET') return undefined;
  if (subresource?.scale) return scaleVerb(request, subresource.scale);
  return path.name === '' ? collectionVerb(request, path) : objectVerb(request, path, subresource);
}

/** Verbs by method, as subresources that connect have them. */
const verbsOfMethods: Readonly<Record<string, Verb | undefined>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function connectVerb(method: string): Found {
  const verb = verbsOfMethods[method];
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

/** Refuses a write of one custom resource whose path names none. For built-in kinds there is no such path. */
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
