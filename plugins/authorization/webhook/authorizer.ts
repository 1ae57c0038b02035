/** Decides as a webhook does, and remembers what it says. */
import { createHash } from 'node:crypto';
import type { AccessAttributes, AccessDecision, Authorizer } from '../../../runtime/contract/index.js';
import { CallsInFlight } from '../../webhook/calls-in-flight.js';
import type { PostReview } from '../../webhook/post-review.js';
import { TimedCache } from '../../webhook/timed-cache.js';
import { type ReviewVersion, readDecision, reviewOf, specOf } from './review.js';

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
  const cache = new TimedCache<AccessDecision>(clock);
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
    if (!failed && (decision.reason ?? '').length < maxKeptLength)
      cache.set(key, decision, decision.decision === 'allow' ? authorizedTtlMs : unauthorizedTtlMs);
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
