/** Recognizes users by asking a webhook about their tokens. Answers are cached. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Authentication, Authenticator, JsonObject, JsonValue, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { answerCache, CallsInFlight, type PostReview, readStatus } from '../webhook.js';
import { bearerToken } from './tokens.js';
import { authenticatedUser } from './user-info.js';

export interface TokenWebhookOptions {
  readonly post: PostReview;
  /** The apiVersion of the reviews, as in `authentication.k8s.io/v1`. */
  readonly apiVersion: string;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  /** Whether reviews have a null for the time of their creation, as before release 1.34. Default: false. */
  readonly unsetTimes?: boolean;
  /** How long an answer is cached, milliseconds; 0 disables the cache. */
  readonly ttlMs: number;
  /** Called with the reason of each refusal. */
  readonly onProblem?: (problem: string) => void;
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  readonly clock?: () => number;
}

/** The reason of a refusal if the webhook gives none. */
const generic = 'the webhook does not authenticate the token';

/** Longer tokens are ignored, characters. */
const maxLength = 64 * 1024;

export function defineTokenWebhook(options: TokenWebhookOptions): Authenticator {
  const ask = remembering(options, async (token, audiences) => {
    const answer = await options.post(reviewOf(options, token, audiences));
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

/** Caches answers by hashes, so that no tokens stay in memory. Failures are not cached. */
function remembering({ ttlMs, clock = () => performance.now(), onProblem }: TokenWebhookOptions, ask: Ask): Ask {
  const secret = randomBytes(32);
  const known = answerCache<Review>(4096, clock);
  const calls = new CallsInFlight<Review>();
  const askAndKeep = async (id: string, token: string, audiences: readonly string[]): Promise<Review> => {
    const review = await ask(token, audiences);
    if (review.kind !== 'authenticated') onProblem?.(`token webhook: ${problemOf(review)}`);
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
  if (review.kind !== 'authenticated') {
    return { refused: `token webhook: ${problemOf(review)}`, publicReason: problemOf(review) };
  }
  // If the webhook knows no audiences, its answer holds for the server's own.
  const said = review.audiences ?? own;
  const audiences = wanted.filter((audience) => said.includes(audience));
  if (audiences.length === 0 && wanted.length > 0) return undefined;
  return { user: review.user, audiences };
}

type Review =
  | { readonly kind: 'authenticated'; readonly user: UserInfo; readonly audiences: readonly string[] | undefined }
  | { readonly kind: 'unknown' }
  /** The webhook failed or its answer is invalid; asking again may help. */
  | { readonly kind: 'failed'; readonly problem: string };

type Refusal = Exclude<Review, { readonly kind: 'authenticated' }>;

const problemOf = (review: Refusal): string => (review.kind === 'failed' ? review.problem : generic);

const reviewOf = (
  { apiVersion, unsetTimes = false }: TokenWebhookOptions,
  token: string,
  audiences: readonly string[],
): string =>
  JSON.stringify({
    kind: 'TokenReview',
    apiVersion,
    metadata: unsetTimes ? { creationTimestamp: null } : {},
    spec: { token, ...(audiences.length === 0 ? {} : { audiences }) },
    status: { user: {} },
  });

/** Reads an answer, which must be a review of the version that was sent. */
function readReview(text: string, apiVersion: string): Review {
  const answer = readStatus(text, 'TokenReview', apiVersion);
  if (!answer.ok) return failed(answer.problem);
  const { status } = answer;
  const authenticated = status && getOwn(status, 'authenticated');
  if (authenticated === true) return readUser(status);
  if (authenticated !== undefined && authenticated !== false)
    return failed('status.authenticated is not true or false');
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
  if (!groups || !extra || !audiences) return failed('groups, extras and audiences must be lists of strings');
  return {
    kind: 'authenticated',
    user: { ...authenticatedUser(name, stringAt(said, 'uid'), groups), extra },
    audiences: audiences.length === 0 ? undefined : audiences,
  };
}

/** Returns a list of strings, empty if it is missing, or `undefined` if it is something else. */
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
