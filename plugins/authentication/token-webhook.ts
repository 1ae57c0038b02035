/** Recognizes users by tokens that a webhook knows, and remembers what it says. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Authentication, Authenticator, JsonObject, JsonValue, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { answerCache, CallsInFlight, type PostReview, readStatus } from '../webhook.js';
import { authenticatedUser, bearerToken } from './users.js';

export interface TokenWebhookOptions {
  readonly post: PostReview;
  /** Of the reviews, as in `authentication.k8s.io/v1`. */
  readonly apiVersion: string;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  /** How long an answer is relied on, milliseconds; 0 to ask each time. */
  readonly ttlMs: number;
  /** Milliseconds since the epoch; the system's where absent. */
  readonly clock?: () => number;
}

/** Longest token that is asked about, in characters. */
const maxLength = 64 * 1024;

export function defineTokenWebhook(options: TokenWebhookOptions): Authenticator {
  const ask = remembering(options, async (token, audiences) => {
    const answer = await options.post(reviewOf(options.apiVersion, token, audiences));
    return answer.ok ? readReview(answer.text, options.apiVersion) : { kind: 'failed', problem: answer.problem };
  });
  return {
    name: 'token-webhook',
    authenticate(credentials) {
      const token = bearerToken(credentials);
      if (token === undefined || token.length > maxLength) return undefined;
      const wanted = credentials.audiences ?? options.audiences;
      return ask(token, wanted).then((review) => toAuthentication(review, wanted, options.audiences));
    },
  };
}

type Ask = (token: string, audiences: readonly string[]) => Promise<Review>;

/** Keeps answers by hashes, so that memory has no tokens. What failed is asked again. */
function remembering({ ttlMs, clock = Date.now }: TokenWebhookOptions, ask: Ask): Ask {
  const secret = randomBytes(32);
  const known = answerCache<Review>(4096, clock);
  const calls = new CallsInFlight<Review>();
  const askAndKeep = async (id: string, token: string, audiences: readonly string[]): Promise<Review> => {
    const review = await ask(token, audiences);
    if (review.kind !== 'failed' && ttlMs > 0) known.set(id, review, { ttl: ttlMs });
    return review;
  };
  return (token, audiences) => {
    const id = createHmac('sha256', secret)
      .update(JSON.stringify([token, ...audiences]))
      .digest('base64');
    const kept = known.get(id);
    return kept ? Promise.resolve(kept) : calls.share(id, () => askAndKeep(id, token, audiences));
  };
}

function toAuthentication(review: Review, wanted: readonly string[], own: readonly string[]): Authentication {
  if (review.kind === 'failed') return { refused: `token webhook: ${review.problem}`, told: review.problem };
  if (review.kind === 'unknown') return undefined;
  // A webhook that knows no audiences speaks for those of the server.
  const said = review.audiences ?? own;
  const audiences = wanted.filter((audience) => said.includes(audience));
  if (audiences.length === 0 && wanted.length > 0) return undefined;
  return { user: review.user, audiences };
}

/** The answer of a webhook about a token. */
type Review =
  | { readonly kind: 'authenticated'; readonly user: UserInfo; readonly audiences: readonly string[] | undefined }
  | { readonly kind: 'unknown' }
  /** It could not say, or said what cannot be relied on; it may say otherwise the next time. */
  | { readonly kind: 'failed'; readonly problem: string };

/** The body to post. */
const reviewOf = (apiVersion: string, token: string, audiences: readonly string[]): string =>
  JSON.stringify({
    kind: 'TokenReview',
    apiVersion,
    metadata: { creationTimestamp: null },
    spec: { token, ...(audiences.length === 0 ? {} : { audiences }) },
    status: { user: {} },
  });

/** Reads an answer, which has to be a review of the version that was sent. */
function readReview(text: string, apiVersion: string): Review {
  const answer = readStatus(text, 'TokenReview', apiVersion);
  if (!answer.ok) return failed(answer.problem);
  const { status } = answer;
  const authenticated = status && getOwn(status, 'authenticated');
  if (authenticated === true) return readUser(status);
  if (authenticated !== undefined && authenticated !== false) return failed('status.authenticated is no boolean');
  const problem = stringAt(status, 'error');
  return problem === '' ? { kind: 'unknown' } : failed(problem);
}

function readUser(status: JsonObject | undefined): Review {
  const said = objectAt(status, 'user');
  const name = stringAt(said, 'username');
  if (!status || !said || name === '') return failed('the webhook names no user');
  const groups = stringsAt(said, 'groups');
  const extra = extraOf(getOwn(said, 'extra'));
  const audiences = stringsAt(status, 'audiences');
  if (!groups || !extra || !audiences) return failed('groups, extras and audiences are lists of texts');
  return {
    kind: 'authenticated',
    user: { ...authenticatedUser(name, stringAt(said, 'uid'), groups), extra },
    audiences: audiences.length === 0 ? undefined : audiences,
  };
}

/** Empty where there are none. */
function stringsAt(object: JsonObject, key: string): readonly string[] | undefined {
  const value = getOwn(object, key) ?? [];
  return isStringArray(value) ? value : undefined;
}

function extraOf(value: JsonValue | undefined): Record<string, readonly string[]> | undefined {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return undefined;
  const entries = Object.keys(value).map((key) => [key, stringsAt(value, key)] as const);
  const read = entries.filter((entry): entry is [string, readonly string[]] => entry[1] !== undefined);
  return read.length === entries.length ? Object.fromEntries(read) : undefined;
}

const failed = (problem: string): Review => ({ kind: 'failed', problem });
