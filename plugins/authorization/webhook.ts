/** Decides as a webhook does, and remembers what it says. */
import { createHash } from 'node:crypto';
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  JsonObject,
  JsonValue,
  UserInfo,
} from '../../runtime/contract/index.js';
import { getOwn, stringAt } from '../../runtime/objects/guards.js';
import { answerCache, CallsInFlight, type PostReview, readStatus } from '../webhook.js';

export interface AuthorizationWebhookOptions {
  readonly post: PostReview;
  /** Group of the reviews, as in `authorization.k8s.io`. */
  readonly group: string;
  readonly version: ReviewVersion;
  /** How long an admission is relied on, milliseconds; 0 to ask each time. */
  readonly authorizedTtlMs: number;
  /** The same for all else that it decides. */
  readonly unauthorizedTtlMs: number;
  /** Told of each call that brought no decision. */
  readonly onProblem?: (problem: string) => void;
  /** Milliseconds since any fixed time; the system's where absent. */
  readonly clock?: () => number;
}

/** A webhook that cannot be asked has no opinion, so that nobody gets in by that. */
export function defineAuthorizationWebhook(options: AuthorizationWebhookOptions): Authorizer {
  const { group, version, authorizedTtlMs, unauthorizedTtlMs, clock = () => performance.now() } = options;
  const apiVersion = `${group}/${version}`;
  const cache = answerCache<AccessDecision>(8192, clock);
  const calls = new CallsInFlight<AccessDecision>();

  async function ask(body: string): Promise<AccessDecision & { readonly failed?: true }> {
    const answer = await options.post(body);
    const read = answer.ok ? readDecision(answer.text, apiVersion) : answer;
    if (read.ok) return read.decision;
    options.onProblem?.(read.problem);
    return { decision: 'no opinion', evaluationError: read.problem, failed: true };
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
      const spec = specOf(attributes, version);
      const body = reviewOf(apiVersion, spec);
      if (!isKept(attributes)) return ask(body).then(({ failed, ...decision }) => decision);
      // Users may have long lists of groups, so that questions are kept by their hashes.
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

/** Questions that clients make as long as they like are not kept from this length on, nor are reasons; characters. */
const maxKeptLength = 10_000;

function isKept(attributes: AccessAttributes): boolean {
  const { user, ...asked } = attributes;
  const texts: readonly (string | undefined)[] = Object.values(asked);
  return texts.reduce((length, text = '') => length + text.length, 0) < maxKeptLength;
}

// Writes the review of a request (SubjectAccessReview) that a webhook is asked for, and reads what it decides.

/** The versions of the reviews. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The spec of a review. The older version has the user's groups under another name. */
function specOf(attributes: AccessAttributes, version: ReviewVersion): JsonObject {
  return { ...whatIsAsked(attributes), ...whoAsks(attributes.user, version === 'v1' ? 'groups' : 'group') };
}

function whatIsAsked(attributes: AccessAttributes): JsonObject {
  if ('path' in attributes) {
    return { nonResourceAttributes: present({ path: attributes.path, verb: attributes.verb }) };
  }
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  return { resourceAttributes: present({ namespace, verb, group, version, resource, subresource, name }) };
}

function whoAsks({ name, uid, groups, extra }: UserInfo, groupsField: string): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return {
    ...present({ user: name, uid }),
    ...(groups.length === 0 ? {} : { [groupsField]: [...groups] }),
    ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) }),
  };
}

/** The fields that say something. */
const present = (fields: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== ''),
  );

/** The body to post. */
const reviewOf = (apiVersion: string, spec: JsonObject): string =>
  JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: { allowed: false },
  });

/** The decision of a webhook, or why its answer is none. */
type WebhookDecision =
  | { readonly ok: true; readonly decision: AccessDecision }
  | { readonly ok: false; readonly problem: string };

/** Reads an answer, which has to be a review of the version that was sent. A denial counts more than an admission. */
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
