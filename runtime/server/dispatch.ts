/** Sends a resource request to its verb, or answers why there is none. */
import type { Failure, Subresource, UserInfo } from '../contract/index.js';
import { pathSegment } from '../objects/names/names.js';
import { badRequest, genericNotFound, methodNotSupported, notFound, verbNotSupported } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import { deprecationFor, type ResourcePath } from '../registry/route.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { type Query, queryOf } from '../request/query.js';
import { answerFailure } from '../request/responses.js';
import type { UnconfirmedState, VerbServices } from '../request/verb-request.js';
import type { ResourceNames, ResourceVersions, ServedResource, VersionCode } from '../resource/served-resource.js';
import { type Again, AnswerAttempt, onLatestState, type UnconfirmedWrite } from './latest-state.js';
import { handlerOf, methodOf } from './verb-handlers.js';

/**
 * Answers a request whose path has the shape of a resource's; `undefined` where there is no such resource. `confirmFirst`
 * is set for a write that was decided on a state which was not the latest.
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
  // Nothing that a built-in kind is read by changes before there is an answer.
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

/** A request on its way to its verb. */
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

/** Loads the code that verbs of a resource, or of one of its subresources, work with. */
function loadCode(resource: VersionCode & ResourceVersions, subresource: Subresource | undefined): MaybePromise<void> {
  if (!subresource?.kind) return resource.ready();
  const loading = [resource, ...resource.acceptedVersions(subresource.kind)].map((kind) => kind.ready());
  return loading.some((one) => one instanceof Promise) ? Promise.all(loading).then(() => undefined) : undefined;
}

/** The verb that refusals of custom resources name for a method. */
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

/** Names such as `..`, and those with `%`, would be read as something else in a path. */
const invalidName = (name: string, problem: string): Failure =>
  badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);

/** Whether a namespace would be read as another one. All other texts are namespaces that there may be or not. */
const isRelative = (namespace: string): boolean => namespace === '.' || namespace === '..';

const invalidNamespace = (namespace: string): Failure =>
  badRequest(`Namespace parameter invalid: ${JSON.stringify(namespace)}: may not be '${namespace}'`);

/** Whether namespace and name of the path fit the resource's scope. */
function isPlaced(resource: ResourceNames, { namespaced, name }: ResourcePath, request: ApiRequest): boolean {
  const { module } = resource;
  if (module.scope === 'Cluster') return !namespaced;
  if (namespaced) return true;
  // Across namespaces there is nothing but reading; for built-in kinds there is a path that refuses the rest.
  return name === '' && (methodOf(resource, request) === 'GET' || module.decoding === 'typed');
}

/** Whether any verb has such a path. A kind that can only be created has none for single objects or across namespaces. */
function isAnswered({ module }: ResourceNames, { namespaced, name, subresource }: ResourcePath): boolean {
  if (subresource !== '') return true;
  if (name !== '') return module.verbs.some((verb) => verb !== 'create' && verb !== 'list');
  return module.scope === 'Cluster' || namespaced || module.verbs.some((verb) => verb !== 'create');
}
