/** Turns a request to a writing verb into a write for the pipeline. */
import type { AdmissionContext, ApiObject, Failure, JsonObject, Result } from '../contract/index.js';
import { genericNotFound, internalFailure } from '../objects/status.js';
import { formatTime } from '../objects/time.js';
import type { MaybePromise } from '../objects/turns.js';
import { explainerOf } from '../request/explained-requests.js';
import { listObjects, readObject } from '../request/object-access.js';
import { itself, ownManager } from '../request/own-identity.js';
import { type VerbRequest, warn } from '../request/verb-request.js';
import { toObject } from './decode/decode.js';
import { addPrecondition } from './preconditions.js';
import { runCreate } from './run-create.js';
import { remoteVersionsOf } from './stages/ownership/remote-ownership.js';
import type { Preconditions, Write } from './write.js';
import type { WriteOptions } from './write-options.js';

/** The write of a request with its checked options. */
export function toWrite(verb: VerbRequest, options: Pick<WriteOptions, 'dryRun' | 'manager' | 'object'>): Write {
  return new RequestedWrite(verb, options);
}

/** The write of a request. */
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
  /** Whether a plugin has made an object of JSON, which may have unknown fields. */
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
      ((value) => {
        this.mayHoldUnknown = true;
        return decode(value);
      })
    );
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
    return explainerOf(this.verb.request);
  }

  /** Counted from the first time that a plugin asks, so that requests that nobody waits for have no clock. */
  timeLeft(): number {
    const { services, request } = this.verb;
    const now = performance.now();
    this.#until ??= now + (services.timeAllowed?.(request) ?? Number.POSITIVE_INFINITY);
    return this.#until - now;
  }
}

/** A write that the server makes itself, on account of a request. */
function ownWrite(verb: VerbRequest, resource: Write['resource'], namespace: string): Write {
  const own = { ...verb, resource, namespace, name: '', subresource: undefined, user: itself, warnings: [] };
  const object = { kind: 'CreateOptions', apiVersion: `${verb.services.metaGroup}/v1` };
  return new RequestedWrite({ ...own, superseded: undefined }, { dryRun: false, manager: ownManager, object });
}
