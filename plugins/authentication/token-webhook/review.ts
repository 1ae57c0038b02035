/** Writes the review of a token (TokenReview) that a webhook is asked for, and reads what it answers. */
import type { JsonObject, JsonValue, UserInfo } from '../../../runtime/contract/index.js';
import { getOwn, isObject, isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { readStatus } from '../../webhook/read-status.js';
import { authenticatedUser } from '../users.js';

/** The answer of a webhook about a token. */
export type Review =
  | { readonly kind: 'authenticated'; readonly user: UserInfo; readonly audiences: readonly string[] | undefined }
  | { readonly kind: 'unknown' }
  /** It could not say, or said what cannot be relied on; it may say otherwise the next time. */
  | { readonly kind: 'failed'; readonly problem: string };

/** The body to post. */
export const reviewOf = (apiVersion: string, token: string, audiences: readonly string[]): string =>
  JSON.stringify({
    kind: 'TokenReview',
    apiVersion,
    metadata: { creationTimestamp: null },
    spec: { token, ...(audiences.length === 0 ? {} : { audiences }) },
    status: { user: {} },
  });

/** Reads an answer, which has to be a review of the version that was sent. */
export function readReview(text: string, apiVersion: string): Review {
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
