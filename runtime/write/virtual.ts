/** The verbs of virtual resources, which the server never stores: a handler answers them. */
import type {
  ApiObject,
  Entry,
  Failure,
  FieldError,
  ObjectAccess,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../contract/index.js';
import { invalid, successStatus, verbNotSupported } from '../objects/status.js';
import type { ApiResponse } from '../request/api-request.js';
import { listObjects, readObject, updateObject, withResource } from '../request/object-access.js';
import { jsonRepresentation } from '../request/representation/json.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Page, Representation } from '../request/representation/representation.js';
import { answerFailure, answerPage, answerStatus, recordable, warningHeaders } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { attributesOf, encodeAnswer } from '../resource/encoding.js';
import { keyOf, type ServedResource } from '../resource/served-resource.js';
import { readSent, toWrite } from './begin.js';
import { runDelete } from './run.js';
import { admit, validateAdmission } from './stages/admission.js';
import { placeInNamespace } from './stages/metadata.js';
import { recordOwnership } from './stages/ownership.js';
import { checkRules } from './stages/validation.js';
import type { Write } from './write.js';

/** Answers a POST of an object to a virtual resource, or to a subresource with its own kind. */
export async function createVirtual(verb: VerbRequest): Promise<ApiResponse> {
  const sent = await readSent(verb, 'CreateOptions', kindsOf(verb));
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, kind, object } = sent.value;
  const done = await runVirtual(write, kind, object, handlerOf(verb), contextOf(verb, write));
  if (!done.ok) return answerFailure(verb, done.failure);
  return done.value === 'done'
    ? answerStatus(verb, representation, 201, successStatus(201))
    : answerObject(verb, representation, kind, 201, done.value);
}

/** Answers a GET of a virtual object: the handler makes it for this request. */
export async function getVirtual(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readForm(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const write = readingWrite(verb);
  const object = await ask(verb, write, 'get', (handler, context) => handler.get?.(context));
  if (!object.ok) return answerFailure(verb, object.failure);
  return answerObject(verb, representation.value, verb.resource, 200, object.value);
}

/** Answers a GET of all virtual objects. */
export async function listVirtual(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readForm(verb, 'list');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const objects = await ask(verb, readingWrite(verb), 'list', (handler, context) => handler.list?.(context));
  if (!objects.ok) return answerFailure(verb, objects.failure);
  const entries = objects.value.map((object) => entryOf(verb.resource, neverCreated(object)));
  const page: Page = { revision: 0, entries, repeated: false, selected: true, continueToken: '' };
  return answerPage(verb, representation.value, page);
}

type Answered<T> = Promise<Result<T>> | Result<T> | undefined;

export async function ask<T>(
  verb: VerbRequest,
  write: Write,
  name: string,
  question: (handler: VirtualHandler, context: VirtualContext) => Answered<T>,
): Promise<Result<T>> {
  const handler = handlerOf(verb);
  const answer = handler && (await question(handler, contextOf(verb, write)));
  return answer ?? { ok: false, failure: unanswered(write, name) };
}

const handlerOf = ({ resource, subresource }: VerbRequest): VirtualHandler | undefined =>
  resource.virtualHandlers.get(subresource?.name ?? '');

/** Returns the kind of a request in all versions that bodies may have. The first is the version of answers. */
const kindsOf = ({ resource, subresource }: VerbRequest): readonly ServedResource[] =>
  subresource?.kind ? resource.acceptedVersions(subresource.kind) : [resource];

/** Returns a write that changes nothing, for requests that only read. */
export const readingWrite = (verb: VerbRequest): Write => toWrite(verb, { dryRun: false, manager: '', object: {} });

function contextOf({ services, request, user, namespace, name, query }: VerbRequest, write: Write): VirtualContext {
  return {
    user,
    namespace,
    name,
    now: services.clock(),
    dryRun: write.dryRun,
    query: (parameter) => query.text(parameter),
    objects: openDoor(write),
    authorizer: services.authorizer,
    authenticate: services.authenticate,
    audiences: services.audiences,
    featureEnabled: services.featureEnabled,
    warn: write.warn,
    annotate: (key, value) => services.annotate?.(request, key, value),
  };
}

function answerObject(
  verb: VerbRequest,
  representation: Representation,
  kind: ServedResource,
  code: number,
  object: ApiObject,
): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const { contentType } = representation;
  const shown = verb.services.release.does('withoutUnsetTimestamps') ? object : neverCreated(object);
  const answer = { code, contentType, headers: warningHeaders(verb), body: representation.object(kind, shown) };
  return { ...answer, json: recordable(verb, representation, () => jsonRepresentation.object(kind, shown)) };
}

/** Makes an entry of an object that no store has, because answers to lists consist of entries. */
const entryOf = (resource: ServedResource, object: ApiObject): Entry => ({
  key: keyOf(resource, object.metadata.namespace ?? '', object.metadata.name ?? ''),
  revision: 0,
  bytes: Buffer.from(encodeAnswer(resource, object)),
  attributes: attributesOf(resource, object),
});

/** Sets the creation time to null, because the object was never created. */
const neverCreated = (object: ApiObject): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, creationTimestamp: object.metadata.creationTimestamp ?? null },
});

/**
 * Asks a handler to do what an object says. The object is decoded, pruned and defaulted; this changes it in place.
 * `kind` is the object's own kind; the write has the resource of the path.
 */
async function runVirtual(
  write: Write,
  kind: ServedResource,
  object: ApiObject,
  handler: VirtualHandler | undefined,
  context: VirtualContext,
): Promise<Result<ApiObject | 'done'>> {
  const create = handler?.create;
  if (!create) return { ok: false, failure: unanswered(write, 'create') };
  const misplaced = placeInNamespace({ object, write });
  if (misplaced) return { ok: false, failure: misplaced };
  recordOwnership(write, object, undefined, kind);
  const refused =
    (await admit(write, 'CREATE', { object })) ??
    (await handler.check?.(object, context)) ??
    brokenRules(kind, object) ??
    (await validateAdmission(write, 'CREATE', { object }));
  if (refused) return { ok: false, failure: refused };
  return create(object, context);
}

/** Returns the refusal of a verb that no handler answers. */
function unanswered({ resource: { module } }: Write, verb: string): Failure {
  return verbNotSupported(verb, module.group, module.names.plural);
}

/** Returns the failure of an object that breaks a rule of its kind. */
function brokenRules(kind: ServedResource, object: ApiObject): Failure | undefined {
  const errors: FieldError[] = [];
  kind.functions.validate(object, errors);
  checkRules(kind, object, undefined, errors);
  if (errors.length === 0) return undefined;
  return invalid(kind.module.group, kind.module.names.kind, object.metadata.name ?? '', errors);
}

/** Returns access to stored objects for a request. In a dry run, it stores no changes. */
function openDoor(write: Write): ObjectAccess {
  const { services } = write;
  return {
    get: (place) => readObject(services, place),
    list: (place) => [...listObjects(services, place)],
    update: (place, change) => updateObject(services, place, change, write.dryRun),
    delete: (place, { propagation, gracePeriodSeconds, ...preconditions }) =>
      withResource(services, place, async (resource) => {
        const { namespace, name } = place;
        const plan = {
          preconditions,
          ...(propagation === undefined ? {} : { propagation }),
          ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        };
        const outcome = await runDelete({ ...write, resource, namespace, name, subresource: undefined }, plan, true);
        return outcome.ok ? { ok: true, value: outcome.value.object } : outcome;
      }),
  };
}
