/** Conditions of certificate signing requests: what each says, when, and who may write which. */
import type { ApiObject, FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** The decision; a request has one of them at most. */
const decisions = ['Approved', 'Denied'] as const;
/** Conditions that can only be true, and that stay once they are there. */
const lasting = [...decisions, 'Failed'] as const;

const path = 'status.conditions';

/** The conditions of a request; what is no object among them reads as an empty one. */
export function conditionsOf(request: ApiObject): readonly JsonObject[] {
  const list = objectAt(request, 'status')?.conditions;
  return isArray(list) ? list.map((condition) => (isObject(condition) ? condition : {})) : [];
}

const ofType = (request: ApiObject, type: string): readonly JsonObject[] =>
  conditionsOf(request).filter((condition) => stringAt(condition, 'type') === type);

function setConditions(request: ApiObject, conditions: readonly JsonObject[]): void {
  if (conditions.length > 0) request.status = { ...objectAt(request, 'status'), conditions: [...conditions] };
}

/** Makes decisions what they were, where none was added or taken away: a signer has no say in them. */
export function keepDecisions(request: ApiObject, old: ApiObject): void {
  for (const type of decisions) {
    const before = ofType(old, type);
    if (before.length !== ofType(request, type).length) continue;
    const kept = before.values();
    setConditions(
      request,
      conditionsOf(request).map((condition) =>
        stringAt(condition, 'type') === type ? (kept.next().value ?? condition) : condition,
      ),
    );
  }
}

/** Fills in the times that the writer left out; `now` is RFC 3339 in seconds. */
export function fillTimes(request: ApiObject, old: ApiObject, now: string): void {
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

/** When the same condition came to have the same status. */
function transitionTime(condition: JsonObject, before: readonly JsonObject[]): JsonValue | undefined {
  const same = before.find(
    (other) =>
      other.type === condition.type &&
      other.status === condition.status &&
      typeof other.lastTransitionTime === 'string',
  );
  return same?.lastTransitionTime;
}

/** What is wrong with the conditions by themselves. */
export function conditionErrors(request: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, condition] of conditionsOf(request).entries()) {
    const type = stringAt(condition, 'type');
    const field = `${path}[${i}]`;
    if (type === '') errors.push(required(`${field}.type`));
    errors.push(...statusErrors(`${field}.status`, type, stringAt(condition, 'status')));
    const other = decisions.find((decision) => decision !== type && seen.has(decision));
    if (isDecision(type) && other) {
      errors.push(invalidValue(`${field}.type`, type, 'Approved and Denied conditions are mutually exclusive'));
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

/** What an update may not do to the conditions there were. `mayDecide`: it came through `approval`. */
export function conditionUpdateErrors(request: ApiObject, old: ApiObject, mayDecide: boolean): FieldError[] {
  const removed = lasting.filter((type) => ofType(request, type).length < ofType(old, type).length);
  const errors = removed.map((type) => forbidden(path, `updates may not remove a condition of type "${type}"`));
  return mayDecide ? errors : [...errors, ...decisions.flatMap((type) => undecidable(request, old, type))];
}

function undecidable(request: ApiObject, old: ApiObject, type: string): FieldError[] {
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length > before.length) return [forbidden(path, `updates may not add a condition of type "${type}"`)];
  if (now.length < before.length || equal([...now], [...before])) return [];
  return [forbidden(path, `updates may not modify a condition of type "${type}"`)];
}
