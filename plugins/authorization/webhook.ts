/** Asks a webhook for decisions and caches its answers. */
import { createHash } from 'node:crypto';
import type { Expression } from '../../runtime/cel/index.js';
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  JsonObject,
  JsonValue,
  SelectorRequirement,
  UserInfo,
} from '../../runtime/contract/index.js';
import { getOwn, stringAt } from '../../runtime/objects/guards.js';
import { answerCache, CallsInFlight, type PostReview, readStatus } from '../webhook.js';
import { matchConditions } from './match-conditions.js';

export interface AuthorizationWebhookOptions {
  readonly post: PostReview;
  /** Conditions that a request must meet so that the webhook is asked about it. Default: none. */
  readonly matchConditions?: readonly Expression[];
  /** The decision if the webhook fails, or if conditions cannot be evaluated. Default: `no opinion`. */
  readonly onFailure?: 'no opinion' | 'deny';
  /** The group of the reviews, as in `authorization.k8s.io`. */
  readonly group: string;
  readonly version: ReviewVersion;
  /** Whether reviews have a null for the time of their creation, as before release 1.34. Default: false. */
  readonly unsetTimes?: boolean;
  /** How long an admission is cached, milliseconds; 0 disables it. */
  readonly authorizedTtlMs: number;
  /** How long any other answer is cached, milliseconds; 0 disables it. */
  readonly unauthorizedTtlMs: number;
  /** Called for each call that yields no decision. */
  readonly onProblem?: (problem: string) => void;
  readonly observer?: AuthorizationWebhookObserver | undefined;
  /** Milliseconds since any fixed time. Default: the system's clock. */
  readonly clock?: () => number;
}

/** Receives what a webhook does, for metrics. Times are in seconds. */
export interface AuthorizationWebhookObserver {
  /** Counts the conditions of a request. Not called if there are none. */
  matched(outcome: 'met' | 'excluded' | 'error', seconds: number): void;
  asked(result: 'success' | 'error' | 'timeout', seconds: number): void;
  /** Counts a failure that leaves the decision to the next authorizer. */
  failedOpen(result: 'error' | 'timeout'): void;
}

/** Creates the authorizer. By default it has no opinion if the webhook fails, so that a failure lets nobody in. */
export function defineAuthorizationWebhook(options: AuthorizationWebhookOptions): Authorizer {
  const { group, version, authorizedTtlMs, unauthorizedTtlMs, clock = () => performance.now() } = options;
  const { matchConditions: conditions = [], onFailure = 'no opinion', observer } = options;
  const apiVersion = `${group}/${version}`;
  const cache = answerCache<AccessDecision>(8192, clock);
  const calls = new CallsInFlight<AccessDecision>();

  async function ask(body: string): Promise<AccessDecision & { readonly failed?: true }> {
    const start = clock();
    const answer = await options.post(body);
    const read = answer.ok ? readDecision(answer.text, apiVersion) : answer;
    const failure = !answer.ok && answer.isLate ? 'timeout' : 'error';
    observer?.asked(read.ok ? 'success' : failure, (clock() - start) / 1000);
    if (read.ok) return read.decision;
    options.onProblem?.(read.problem);
    if (onFailure === 'no opinion') observer?.failedOpen(failure);
    return { decision: onFailure, evaluationError: read.problem, failed: true };
  }

  /** Returns the decision that conditions make, or `undefined` if the webhook must be asked. */
  function decideByConditions(attributes: AccessAttributes): AccessDecision | undefined {
    if (conditions.length === 0) return undefined;
    const start = clock();
    const matched = matchConditions(conditions, specOf(attributes, 'v1'));
    const seconds = (clock() - start) / 1000;
    observer?.matched(!matched.ok ? 'error' : matched.matches ? 'met' : 'excluded', seconds);
    if (!matched.ok) return { decision: onFailure, evaluationError: matched.problem };
    return matched.matches ? undefined : { decision: 'no opinion' };
  }

  async function askAndKeep(key: string, body: string): Promise<AccessDecision> {
    const { failed, ...decision } = await ask(body);
    const ttl = decision.decision === 'allow' ? authorizedTtlMs : unauthorizedTtlMs;
    if (!failed && ttl > 0 && (decision.reason ?? '').length < maxKeptLength) cache.set(key, decision, { ttl });
    return decision;
  }

  return {
    name: 'Webhook',
    decide(attributes) {
      const decided = decideByConditions(attributes);
      if (decided) return decided;
      const spec = specOf(attributes, version);
      const body = reviewOf(apiVersion, spec, options.unsetTimes === true);
      if (!isKept(attributes)) return ask(body).then(({ failed, ...decision }) => decision);
      // Users may have long lists of groups, so answers are kept by hash.
      const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
      const kept = cache.get(key);
      if (kept) return kept;
      return calls.share(key, () => askAndKeep(key, body));
    },
    rules: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }),
  };
}

/** Questions and reasons of this many characters are not cached, because clients choose how long they are. */
const maxKeptLength = 10_000;

function isKept(attributes: AccessAttributes): boolean {
  const { user, ...asked } = attributes;
  const parts: readonly (string | readonly SelectorRequirement[] | undefined)[] = Object.values(asked);
  return parts.reduce((length, part = '') => length + lengthOf(part), 0) < maxKeptLength;
}

const lengthOf = (part: string | readonly SelectorRequirement[]): number =>
  typeof part === 'string' ? part.length : JSON.stringify(part).length;

// Writes the review of a request (SubjectAccessReview) and reads the webhook's decision.

export type ReviewVersion = 'v1' | 'v1beta1';

/** Writes the spec of a review. The older version calls the user's groups `group`. */
function specOf(attributes: AccessAttributes, version: ReviewVersion): JsonObject {
  return { ...whatIsAsked(attributes), ...whoAsks(attributes.user, version === 'v1' ? 'groups' : 'group') };
}

function whatIsAsked(attributes: AccessAttributes): JsonObject {
  if ('path' in attributes) {
    return { nonResourceAttributes: present({ path: attributes.path, verb: attributes.verb }) };
  }
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector } = attributes;
  return {
    resourceAttributes: {
      ...present({ namespace, verb, group, version, resource, subresource, name }),
      ...(fieldSelector ? { fieldSelector: { requirements: fieldSelector.map(writeRequirement) } } : {}),
      ...(labelSelector ? { labelSelector: { requirements: labelSelector.map(writeRequirement) } } : {}),
    },
  };
}

const writeRequirement = ({ key, operator, values }: SelectorRequirement): JsonObject => ({
  key,
  operator,
  ...(values ? { values: [...values] } : {}),
});

function whoAsks({ name, uid, groups, extra }: UserInfo, groupsField: string): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return {
    ...present({ user: name, uid }),
    ...(groups.length === 0 ? {} : { [groupsField]: [...groups] }),
    ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) }),
  };
}

/** Returns the fields that are not empty. */
const present = (fields: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== ''),
  );

const reviewOf = (apiVersion: string, spec: JsonObject, unsetTimes: boolean): string =>
  JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion,
    metadata: unsetTimes ? { creationTimestamp: null } : {},
    spec,
    status: { allowed: false },
  });

/** The decision of a webhook, or why its answer cannot be used. */
type WebhookDecision =
  | { readonly ok: true; readonly decision: AccessDecision }
  | { readonly ok: false; readonly problem: string };

/** Reads an answer, which must be a review of the version that was sent. A denial wins over an admission. */
function readDecision(text: string, apiVersion: string): WebhookDecision {
  const answer = readStatus(text, 'SubjectAccessReview', apiVersion);
  if (!answer.ok) return answer;
  const [allowed, denied] = ['allowed', 'denied'].map((field) => answer.status && getOwn(answer.status, field));
  if (!isFlag(allowed) || !isFlag(denied)) {
    return { ok: false, problem: 'status.allowed and status.denied of the answer are not true or false' };
  }
  const said = stringAt(answer.status, 'reason');
  const reason = said === '' ? {} : { reason: said };
  if (denied && allowed) {
    const evaluationError = 'webhook subject access review returned both allow and deny response';
    return { ok: true, decision: { decision: 'deny', ...reason, evaluationError } };
  }
  const decision = denied ? 'deny' : allowed ? 'allow' : 'no opinion';
  return { ok: true, decision: { decision, ...reason } };
}

const isFlag = (value: JsonValue | undefined): value is boolean | null | undefined =>
  value === undefined || value === null || typeof value === 'boolean';
