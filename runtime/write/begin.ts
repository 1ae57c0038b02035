/** The start of every verb that writes: reads the options, decodes the object, and makes a write. */
import type { AdmissionContext, ApiObject, Failure, JsonObject, Result } from '../contract/index.js';
import { isObject, stringAt } from '../objects/guards.js';
import { formatTime } from '../objects/scan/time.js';
import { genericNotFound, internalFailure } from '../objects/status.js';
import { finish, inTurns, type MaybePromise } from '../objects/turns.js';
import { type DecodedBody, readObjectBody } from '../request/body.js';
import { listObjects, readObject } from '../request/object-access.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Representation } from '../request/representation/representation.js';
import { itself, ownManager, type VerbRequest, warn } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';
import { toObject } from './decode.js';
import { decodeObject } from './decode-object.js';
import { runCreate } from './run.js';
import { addPrecondition } from './stages/commit.js';
import { remoteVersionsOf } from './stages/ownership.js';
import { type OptionsKind, type Preconditions, readWriteOptions, type Write, type WriteOptions } from './write.js';

/** A whole object from a client, and the write that it asks for. */
export interface SentObject {
  /** The form of the answer. */
  readonly representation: Representation;
  readonly write: Write;
  /** The object of the kind `kind`, decoded, pruned and defaulted. */
  readonly object: ApiObject;
  readonly kind: ServedResource;
  /** Decodes the object again for another attempt, because the previous one has changed it. */
  readonly again: () => ApiObject;
}

/**
 * Reads the body and the options of a create or a replacement. `kinds` are the kinds that the body may have, by default
 * only the resource's own. The answer has the first kind.
 */
export async function readSent(
  verb: VerbRequest,
  optionsKind: OptionsKind,
  kinds: readonly ServedResource[] = [],
): Promise<Result<SentObject>> {
  const [first = verb.resource] = kinds;
  const ofFirst = first === verb.resource ? verb : { ...verb, resource: first };
  const representation = readForm(ofFirst, 'object');
  if (!representation.ok) return representation;
  const body = await readObjectBody(ofFirst);
  if (!body.ok) return body;
  const options = readWriteOptions(verb, optionsKind);
  if (!options.ok) return options;
  const kind = kindOfBody(kinds, body.value) ?? first;
  const ofKind = kind === first ? ofFirst : { ...verb, resource: kind };
  const object = await inTurns(decodeObject(ofKind, body.value, options.value.fieldValidation));
  if (!object.ok) return object;
  return {
    ok: true,
    value: {
      representation: representation.value,
      write: toWrite(verb, options.value),
      object: object.value,
      kind,
      again: () => decodeAgain(ofKind, body.value),
    },
  };
}

const kindOfBody = (kinds: readonly ServedResource[], { value }: DecodedBody): ServedResource | undefined =>
  kinds.length > 1 && isObject(value)
    ? kinds.find(({ apiVersion }) => apiVersion === stringAt(value, 'apiVersion'))
    : undefined;

function decodeAgain(verb: VerbRequest, body: DecodedBody): ApiObject {
  const sent = finish(decodeObject(verb, { ...body, value: body.again() }, 'Ignore'));
  if (!sent.ok) throw new Error(`a body reads differently the second time: ${sent.failure.message}`);
  return sent.value;
}

/** Returns the write of a request with its checked options. */
export function toWrite(verb: VerbRequest, options: Pick<WriteOptions, 'dryRun' | 'manager' | 'object'>): Write {
  return new RequestedWrite(verb, options);
}

class RequestedWrite implements Write {
  readonly resource: Write['resource'];
  readonly namespace: string;
  readonly name: string;
  readonly subresource: Write['subresource'];
  readonly user: Write['user'];
  readonly now: string;
  readonly manager: string;
  readonly dryRun: boolean;
  readonly options: JsonObject;
  readonly services: Write['services'];
  readonly warn: (text: string) => void;
  readonly preconditions: Preconditions = new Map();
  readonly remoteVersions: Write['remoteVersions'];
  readonly unconfirmed: Write['unconfirmed'];
  readonly superseded: Write['superseded'];
  readonly admission: RequestedAdmission;

  constructor(verb: VerbRequest, options: Pick<WriteOptions, 'dryRun' | 'manager' | 'object'>) {
    this.resource = verb.resource;
    this.namespace = verb.namespace;
    this.name = verb.name;
    this.subresource = verb.subresource;
    this.user = verb.user;
    this.now = formatTime(verb.services.clock());
    this.manager = options.manager;
    this.dryRun = options.dryRun;
    this.options = options.object;
    this.services = verb.services;
    this.warn = (text) => warn(verb, text);
    this.remoteVersions = remoteVersionsOf(verb.resource);
    this.unconfirmed = verb.unconfirmed;
    this.superseded = verb.superseded;
    this.admission = new RequestedAdmission(verb, this.preconditions, this.warn);
  }

  get mayHoldUnknown(): boolean {
    return this.admission.mayHoldUnknown;
  }
}

class RequestedAdmission implements AdmissionContext {
  readonly get: AdmissionContext['get'];
  readonly list: AdmissionContext['list'];
  readonly rely: AdmissionContext['rely'];
  readonly authorize: AdmissionContext['authorize'];
  readonly decide: AdmissionContext['decide'];
  readonly convert: AdmissionContext['convert'];
  readonly annotate: AdmissionContext['annotate'];
  /** Whether a plugin has changed the object as JSON. Then it may have unknown fields. */
  mayHoldUnknown = false;
  #until: number | undefined;

  constructor(
    private readonly verb: VerbRequest,
    preconditions: Preconditions,
    readonly warn: (text: string) => void,
  ) {
    const { services, request } = verb;
    this.get = (group, resource, namespace, name) => readObject(services, { group, resource, namespace, name });
    this.list = (group, resource, namespace) => listObjects(services, { group, resource, namespace });
    this.rely = (place, check) => addPrecondition(services, preconditions, place, check);
    this.authorize = services.authorize;
    this.decide = (attributes) => services.authorizer.decide(attributes);
    this.convert = services.convert;
    this.annotate = (key, value) => services.annotate?.(request, key, value);
  }

  get decode(): AdmissionContext['decode'] {
    const { decode } = this.verb.services;
    return (
      decode &&
      ((value, strict) => {
        this.mayHoldUnknown = true;
        return decode(value, strict);
      })
    );
  }

  get merge(): AdmissionContext['merge'] {
    return this.verb.services.merge;
  }

  async create(group: string, plural: string, value: JsonObject): Promise<Result<ApiObject>> {
    const { services } = this.verb;
    const resource = services.resource(group, plural);
    if (!resource) return { ok: false, failure: genericNotFound() };
    await resource.ready();
    const decoded = toObject(resource, value);
    if (!decoded.ok) return { ok: false, failure: internalFailure(decoded.problem) };
    const { object } = decoded.value;
    const created = await runCreate(ownWrite(this.verb, resource, object.metadata.namespace ?? ''), object);
    return created.ok ? { ok: true, value: created.value.object } : created;
  }

  confirm(): MaybePromise<Failure | undefined> {
    return this.verb.unconfirmed?.confirm();
  }

  get explain(): AdmissionContext['explain'] {
    return this.verb.request.explain;
  }

  /** Returns the milliseconds left, counted from the first call. So requests without waiting plugins read no clock. */
  timeLeft(): number {
    const { services, request } = this.verb;
    const now = performance.now();
    this.#until ??= now + (services.timeAllowed?.(request) ?? Number.POSITIVE_INFINITY);
    return this.#until - now;
  }
}

/** Returns a write of the server itself that a request causes. */
function ownWrite(verb: VerbRequest, resource: Write['resource'], namespace: string): Write {
  const own = { ...verb, resource, namespace, name: '', subresource: undefined, user: itself, warnings: [] };
  const object = { kind: 'CreateOptions', apiVersion: `${verb.services.metaGroup}/v1` };
  return new RequestedWrite({ ...own, superseded: undefined }, { dryRun: false, manager: ownManager, object });
}
