/** Asks the authorizer whether a request may be answered at all. */
import type { AccessAttributes, AccessDecision, Authorizer, Failure } from '../contract/index.js';
import { accessDenied, internalFailure, pathDenied } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiRequest } from '../request/api-request.js';

/**
 * Why a request is refused, `undefined` where it is allowed; `decided` is told of the decision. Waits only for authorizers
 * that do so themselves.
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

/** Where an authorizer could not tell, that is a 500: a 403 would say that asking again is of no use. */
function toRefusal(
  attributes: AccessAttributes,
  { decision, reason, evaluationError }: AccessDecision,
): Failure | undefined {
  if (decision === 'allow') return undefined;
  if (evaluationError !== undefined) return internalFailure(evaluationError);
  if ('path' in attributes) return pathDenied(attributes.user.name, attributes.verb, attributes.path, reason);
  return accessDenied(attributes, reason);
}

/** Called with each note once, while the request is under way. */
export type OnAuditNote = (key: string, value: string, request: ApiRequest) => void;

/** Passes notes on; the first of a key in a request stands. */
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
