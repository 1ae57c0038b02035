/** Asks the authorizer whether a request is allowed. */
import type { AccessAttributes, AccessDecision, Authorizer, Failure } from '../contract/index.js';
import { accessDenied, internalFailure, pathDenied } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiRequest } from '../request/api-request.js';

/**
 * Returns the reason for refusing a request, or `undefined` if it is allowed. `decided` receives the decision. Only
 * waits for authorizers that wait.
 */
export const refusalOf = (
  authorizer: Authorizer,
  attributes: AccessAttributes,
  decided?: (decision: AccessDecision) => void,
): MaybePromise<Failure | undefined> =>
  thenSync(authorizer.decide(attributes), (decision) => {
    decided?.(decision);
    return toRefusal(attributes, decision);
  });

/** An authorizer's error is a 500, because a 403 would mean that a retry is useless. */
function toRefusal(
  attributes: AccessAttributes,
  { decision, reason, evaluationError }: AccessDecision,
): Failure | undefined {
  if (decision === 'allow') return undefined;
  if (evaluationError !== undefined) return internalFailure(evaluationError);
  if ('path' in attributes) return pathDenied(attributes.user.name, attributes.verb, attributes.path, reason);
  return accessDenied(attributes, reason);
}

/** Receives each note once, while the request is in flight. */
export type OnAuditNote = (key: string, value: string, request: ApiRequest) => void;

/** Passes on notes. Of several notes with one key in a request, the first is kept. */
export function defineAuditNotes(onNote: OnAuditNote): (request: ApiRequest, key: string, value: string) => void {
  const noted = new WeakMap<ApiRequest, Set<string>>();
  return (request, key, value) => {
    const keys = noted.get(request) ?? new Set();
    noted.set(request, keys);
    if (keys.has(key)) return;
    keys.add(key);
    onNote(key, value, request);
  };
}
