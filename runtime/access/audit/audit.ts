/** Records requests: each is followed from when its user is known until its answer has been sent. */
import { performance } from 'node:perf_hooks';
import { encodeJson } from '../../codec/json.js';
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
} from '../../contract/index.js';
import type { Naming } from '../../objects/naming.js';
import { internalFailure } from '../../objects/status.js';
import { type MaybePromise, thenSync } from '../../objects/turns.js';
import { pathOf } from '../../registry/route.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../request/api-request.js';
import type { BodyRecorder } from '../../request/verb-request.js';
import { attributesOf } from '../request-attributes.js';
import { followStream, statusOf, wholeBody } from './answer.js';
import { askedText, type EventNames, eventOf, type RequestFacts } from './event.js';
import { completed, referenceOf } from './object-reference.js';
import { agentOf, sourceAddresses, uriOf } from './origin.js';
import { answerText, objectText, patchText } from './recorded-bodies.js';

/** The options of the audit log. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly sinks: readonly AuditSink[];
}

/** Follows requests. A request that the policy records nothing of costs one look at the policy. */
export interface Audit {
  /** The user who asks is known. The failure, where there is one, is that requests which cannot be recorded are refused. */
  received(request: ApiRequest, user: UserInfo): MaybePromise<Failure | undefined>;
  /** The request counts as another user's. */
  impersonated(request: ApiRequest, user: UserInfo): void;
  authorized(request: ApiRequest, decision: AccessDecision): void;
  annotate(request: ApiRequest, key: string, value: string): void;
  /** There is an answer, which is to be sent once it is returned. */
  answered(request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse>;
  /** A defect of the server ends the request. */
  failed(request: ApiRequest): void;
  readonly bodies: BodyRecorder;
}

/** A request that is followed. */
interface Followed {
  readonly facts: RequestFacts;
  readonly decision: AuditDecision;
  readonly longRunning: boolean;
}

/** Requests whose user is known, followed or not. */
type FollowedRequests = WeakMap<ApiRequest, { readonly followed?: Followed }>;

const passedOver = {};

const nobody: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * `idOf` is the id of a request, which its answer is sent with. `onDefect` is told if the record of an answered request fails:
 * nobody waits for that.
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

  /** Records what nobody waits for. */
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

  /** A request that was refused before its user was known has one event. */
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
    impersonated(request, user) {
      const known = followedOf(request);
      if (known) known.facts.impersonated = user;
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

/** Whether an answer in pieces is complete only when its last piece is sent. */
const endsLate = ({ longRunning, decision }: Followed, ends = false): boolean =>
  longRunning || !ends || decision.level === 'RequestResponse';

/** Takes what there is of an answer before it is sent. */
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

/** A write that is tried again reads its body again; what was read first stands. */
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

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Profiles take as long as their client says. */
const profiles = '/debug/pprof/';

export const isLongRunning = (attributes: AccessAttributes): boolean =>
  'path' in attributes
    ? attributes.path.startsWith(profiles)
    : verbs.has(attributes.verb) || subresources.has(attributes.subresource ?? '');

/** Hands a record on; false where a sink has lost it that requests depend on. Waits only for sinks that do so themselves. */
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

/** Where the finer clock began, by the clock of the day. */
let origin = performance.timeOrigin;

/** Milliseconds since the epoch, with their fraction. It follows the clock of the day when that is set anew. */
export function microClock(): number {
  const [coarse, fine] = [Date.now(), performance.now()];
  if (Math.abs(origin + fine - coarse) > 2) origin = coarse - fine;
  return origin + fine;
}

/** As in `2026-01-02T03:04:05.678901Z`. */
export function microTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  if (whole !== last.ms) last = { ms: whole, text: new Date(whole).toISOString().slice(0, -1) };
  return `${last.text}${String(micros).padStart(3, '0')}Z`;
}

/** The millisecond that was asked for last: under load many events fall into one. */
let last = { ms: Number.NaN, text: '' };
