/** Conditions of certificate signing requests: their values, their times, and which subresources may write them. */
import type { CertificateSigningRequest } from '../../generated/certificates.platform.io/v1/certificatesigningrequests/types.js';
import type { CertificateSigningRequestCondition } from '../../generated/types/certificates/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import type { Release } from '../../runtime/objects/release.js';

/** The decisions; a request has at most one. */
const decisions = ['Approved', 'Denied'] as const;
/** Conditions that can only be true and can never be removed. */
const lasting = [...decisions, 'Failed'] as const;

const path = 'status.conditions';

export type Request = DraftObject<CertificateSigningRequest>;

type Condition = Draft<CertificateSigningRequestCondition>;

/** Returns the conditions of a request. */
export const conditionsOf = ({ status }: Request): readonly Condition[] => status?.conditions ?? [];

const ofType = (request: Request, wanted: string): readonly Condition[] =>
  conditionsOf(request).filter(({ type = '' }) => type === wanted);

function setConditions(request: Request, conditions: Condition[]): void {
  if (conditions.length > 0) request.status = { ...request.status, conditions };
}

/** Restores the decisions of the old request if none was added or removed, because a signer must not change them. */
export function keepDecisions(request: Request, old: Request): void {
  for (const type of decisions) {
    const before = ofType(old, type);
    if (before.length !== ofType(request, type).length) continue;
    const kept = before.values();
    setConditions(
      request,
      conditionsOf(request).map((condition) =>
        condition.type === type ? (kept.next().value ?? condition) : condition,
      ),
    );
  }
}

/** Fills in missing times; `now` is RFC 3339 in seconds. */
export function fillTimes(request: Request, old: Request, now: string): void {
  const before = conditionsOf(old);
  setConditions(
    request,
    conditionsOf(request).map((condition) => ({
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? transitionTime(condition, before) ?? now,
    })),
  );
}

/** Returns since when a condition of the same type has had the same status. */
function transitionTime({ type, status }: Condition, before: readonly Condition[]): string | undefined {
  const same = before.find(
    (other) => other.type === type && other.status === status && other.lastTransitionTime !== undefined,
  );
  return same?.lastTransitionTime;
}

/** Checks the conditions themselves. */
export function conditionErrors(request: Request, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { type = '', status = '' }] of conditionsOf(request).entries()) {
    const field = `${path}[${i}]`;
    if (type === '') errors.push(required(`${field}.type`));
    errors.push(...statusErrors(`${field}.status`, type, status));
    const other = decisions.find((decision) => decision !== type && seen.has(decision));
    if (isDecision(type) && other) {
      const at = release.does('decisionsExcludedTogether') ? path : `${field}.type`;
      errors.push(invalidValue(at, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) errors.push(duplicate(`${field}.type`, type));
    seen.add(type);
  }
  return errors;
}

const isDecision = (type: string): boolean => decisions.some((decision) => decision === type);

function statusErrors(field: string, type: string, status: string): FieldError[] {
  if (status === '') return [required(field)];
  const allowed = lasting.some((one) => one === type) ? ['True'] : ['False', 'True', 'Unknown'];
  return allowed.includes(status) ? [] : [notSupported(field, status, allowed)];
}

/** Checks changes of the conditions. `mayDecide`: the update came through `approval`. */
export function conditionUpdateErrors(request: Request, old: Request, mayDecide: boolean): FieldError[] {
  const removed = lasting.filter((type) => ofType(request, type).length < ofType(old, type).length);
  const errors = removed.map((type) => forbidden(path, `updates may not remove a condition of type "${type}"`));
  return mayDecide ? errors : [...errors, ...decisions.flatMap((type) => decisionErrors(request, old, type))];
}

function decisionErrors(request: Request, old: Request, type: string): FieldError[] {
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length > before.length) return [forbidden(path, `updates may not add a condition of type "${type}"`)];
  if (now.length < before.length || equal([...now], [...before])) return [];
  return [forbidden(path, `updates may not modify a condition of type "${type}"`)];
}
