/** Records requests, from the moment the user is known until the answer has been sent. */
import { encodeJson } from '../codec/json.js';
import type {
  AccessAttributes,
  AccessDecision,
  AuditDecision,
  AuditPolicy,
  AuditRecord,
  AuditSink,
  AuditStage,
  Failure,
  UserInfo,
} from '../contract/index.js';
import type { Naming } from '../objects/names/naming.js';
import { internalFailure } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { pathOf } from '../registry/route.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../request/api-request.js';
import type { BodyRecorder } from '../request/verb-request.js';
import { answerText, followStream, objectText, patchText, statusOf, wholeBody } from './audit-bodies.js';
import {
  agentOf,
  askedText,
  completed,
  type EventNames,
  eventOf,
  microClock,
  microTime,
  type RequestFacts,
  referenceOf,
  sourceAddresses,
  uriOf,
} from './audit-event.js';
import type { ActingUser } from './authentication.js';
import { attributesOf, isConnection } from './authorization.js';

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly sinks: readonly AuditSink[];
}

/** Follows requests. If the policy records nothing of a request, that costs one look at the policy. */
export interface Audit {
  /** Begins a request with a known user. Fails if requests that cannot be recorded are refused. */
  received(request: ApiRequest, user: UserInfo): MaybePromise<Failure | undefined>;
  /** Notes that the request is made as another user. */
  impersonated(request: ApiRequest, acting: ActingUser): void;
  authorized(request: ApiRequest, decision: AccessDecision): void;
  annotate(request: ApiRequest, key: string, value: string): void;
  /** Records the answer, and returns the answer to send. */
  answered(request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse>;
  /** Records that a defect of the server ended the request. */
  failed(request: ApiRequest): void;
  readonly bodies: BodyRecorder;
}

/** A request in the log. */
interface Followed {
  readonly facts: RequestFacts;
  readonly decision: AuditDecision;
  readonly longRunning: boolean;
}

/** Requests with a known user, recorded or not. */
type FollowedRequests = WeakMap<ApiRequest, { readonly followed?: Followed }>;

const passedOver = {};

const nobody: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * Returns the audit of a server. `idOf` returns the request id of the answer's header. `onDefect` receives errors in
 * the record of an answered request, because nothing waits for that record.
 */
export function defineAudit(
  { policy, sinks }: AuditOptions,
  { rename }: Naming,
  idOf: (request: ApiRequest) => string,
  onDefect: (error: unknown, request: ApiRequest) => void,
): Audit {
  const group = rename('audit.platform.io');
  const names: EventNames = { apiVersion: `${group}/v1`, truncated: `${group}/truncated` };
  const authorization = rename('authorization.platform.io');
  const [decisionKey, reasonKey] = [`${authorization}/decision`, `${authorization}/reason`];
  const followed: FollowedRequests = new WeakMap();
  const followedOf = (request: ApiRequest): Followed | undefined => followed.get(request)?.followed;

  const record = (
    { facts, decision }: Followed,
    stage: AuditStage,
    at: string = microTime(microClock()),
  ): MaybePromise<boolean> => decision.omitStages.has(stage) || writeToAll(sinks, eventOf(facts, stage, at, names));

  /** Writes a record without waiting for it. */
  function recordLate(request: ApiRequest, known: Followed, stage: AuditStage): void {
    const recorded = async (): Promise<unknown> => record(known, stage);
    recorded().catch((error: unknown) => onDefect(error, request));
  }

  function begin(request: ApiRequest, user: UserInfo | undefined): Followed | undefined {
    const path = pathOf(request);
    const attributes = attributesOf(request, path, user ?? nobody);
    const decision = policy.decide(attributes);
    if (decision.level === 'None') return undefined;
    const facts: RequestFacts = {
      level: decision.level,
      id: idOf(request),
      asked: askedText(uriOf(request), attributes.verb, user, sourceAddresses(request), agentOf(request)),
      receivedAt: microTime(microClock()),
      reference: referenceOf(attributes, path),
      annotations: new Map(),
    };
    return { facts, decision, longRunning: isLongRunning(attributes) };
  }

  /** Records a request that was refused before its user was known, as one event. */
  function refusedEarly(request: ApiRequest, answer: ApiResponse): MaybePromise<boolean> {
    const refused = begin(request, undefined);
    if (!refused) return true;
    takeAnswer(refused, answer);
    return record(refused, 'ResponseStarted');
  }

  function answered(request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse> {
    const received = followed.get(request);
    if (!received) return thenSync(refusedEarly(request, answer), () => answer);
    const known = received.followed;
    if (!known) return answer;
    takeAnswer(known, answer);
    const started = known.longRunning ? record(known, 'ResponseStarted') : true;
    const { body } = answer;
    if (!isStreamed(body) || !endsLate(known, body.ends)) {
      return thenSync(started, () => thenSync(record(known, 'ResponseComplete'), () => answer));
    }
    const collects = !known.longRunning && !body.unrecorded;
    const followedBody = followStream(body, collects, (bytes) => {
      if (collects && bytes) takeBody(known, answer, bytes);
      recordLate(request, known, 'ResponseComplete');
    });
    return thenSync(started, () => ({ ...answer, body: followedBody }));
  }

  return {
    received(request, user) {
      const known = begin(request, user);
      followed.set(request, known ? { followed: known } : passedOver);
      if (!known) return undefined;
      const { receivedAt } = known.facts;
      return thenSync(record(known, 'RequestReceived', receivedAt), (kept) => (kept ? undefined : notRecorded));
    },
    impersonated(request, acting) {
      const known = followedOf(request);
      if (known) known.facts.acting = acting;
    },
    authorized(request, { decision, reason = '', evaluationError }) {
      const annotations = followedOf(request)?.facts.annotations;
      if (decision !== 'allow' && evaluationError !== undefined) annotations?.set(reasonKey, 'internal error');
      else annotations?.set(decisionKey, decision === 'allow' ? 'allow' : 'forbid').set(reasonKey, reason);
    },
    annotate(request, key, value) {
      const annotations = followedOf(request)?.facts.annotations;
      if (annotations && !annotations.has(key)) annotations.set(key, value);
    },
    answered,
    failed(request) {
      const known = followedOf(request);
      if (!known) return;
      known.facts.status = { metadata: {}, status: 'Failure', message: defect, reason: 'InternalError', code: 500 };
      recordLate(request, known, 'Panic');
    },
    bodies: bodiesOf(followedOf),
  };
}

const defect = 'a defect of the server ended the request; its log says more';

const notRecorded = internalFailure('failed to store audit event');

/** Checks whether the record of a streamed answer must wait for its end. */
const endsLate = ({ longRunning, decision }: Followed, ends = false): boolean =>
  longRunning || !ends || decision.level === 'RequestResponse';

/** Records the known parts of an answer before it is sent. */
function takeAnswer(known: Followed, answer: ApiResponse): void {
  known.facts.status = statusOf(answer);
  if (known.decision.level !== 'RequestResponse' || known.longRunning) return;
  const bytes = wholeBody(answer);
  if (bytes) takeBody(known, answer, bytes);
}

function takeBody({ facts, decision }: Followed, answer: ApiResponse, bytes: Uint8Array): void {
  const text = answerText(answer, bytes, facts.reference !== undefined, decision);
  if (text !== undefined) facts.responseObject = text;
}

const recordsBodies = ({ level }: AuditDecision): boolean => level === 'Request' || level === 'RequestResponse';

/** Records the first body of a request: a retried write reads its body again. */
function bodiesOf(followedOf: (request: ApiRequest) => Followed | undefined): BodyRecorder {
  const take = (request: ApiRequest, text: (decision: AuditDecision) => string | undefined): void => {
    const known = followedOf(request);
    if (!known || !recordsBodies(known.decision) || known.facts.requestObject !== undefined) return;
    const found = text(known.decision);
    if (found !== undefined) known.facts.requestObject = found;
  };
  return {
    object(request, object, typed) {
      const facts = followedOf(request)?.facts;
      if (!facts) return;
      if (facts.reference) facts.reference = completed(facts.reference, object.metadata);
      take(request, (decision) => objectText(object, typed, decision));
    },
    patch: (request, bytes) => take(request, () => patchText(bytes)),
    configuration: (request, configuration) => take(request, () => encodeJson(configuration)),
    deletion: (request, options) => take(request, () => encodeJson(options)),
  };
}

/** The client chooses how long requests under this path take. */
const profiles = '/debug/pprof/';

export const isLongRunning = (attributes: AccessAttributes): boolean =>
  'path' in attributes ? attributes.path.startsWith(profiles) : attributes.verb === 'watch' || isConnection(attributes);

/** Passes a record to all sinks. Returns false if a strict sink lost it. Only waits for sinks that wait. */
function writeToAll(sinks: readonly AuditSink[], record: AuditRecord): MaybePromise<boolean> {
  let kept: MaybePromise<boolean> = true;
  for (const { strict = false, write } of sinks) {
    const written = thenSync(write(record), (done) => done || !strict);
    kept = both(kept, written);
  }
  return kept;
}

const both = (a: MaybePromise<boolean>, b: MaybePromise<boolean>): MaybePromise<boolean> =>
  thenSync(a, (first) => thenSync(b, (second) => first && second));
