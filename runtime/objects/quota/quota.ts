/** A quota as it is enforced: amounts of its status, and the scope of objects that it is about. */
import type { ApiObject, JsonObject } from '../../contract/index.js';
import { type Amounts, amountsAt } from '../amounts.js';
import { isString, objectAt, objectsAt, stringAt } from '../guards.js';
import { memoizeByObject } from '../memoize.js';
import type { Evaluator, ScopeCondition } from './evaluator.js';

export interface Quota {
  readonly name: string;
  /** The limits that hold: those of the status. */
  readonly hard: Amounts;
  readonly used: Amounts;
  /** Objects are in all of these scopes. */
  readonly scopes: readonly ScopeCondition[];
}

/** Read once for each state of a stored quota, which must be frozen. */
export const quotaOf: (object: ApiObject) => Quota = memoizeByObject(readQuota);

/** Reads a quota from an object that may still change. */
export function readQuota(object: ApiObject): Quota {
  const status = objectAt(object, 'status');
  return {
    name: object.metadata.name ?? '',
    hard: amountsAt(status, 'hard'),
    used: amountsAt(status, 'used'),
    scopes: scopesOf(objectAt(object, 'spec')),
  };
}

/** The conditions of a quota's spec. */
export function scopesOf(spec: JsonObject | undefined): readonly ScopeCondition[] {
  const { scopes } = spec ?? {};
  const plain = Array.isArray(scopes) ? scopes.filter(isString) : [];
  return [
    ...plain.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
    ...objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions').map((condition) => ({
      scopeName: stringAt(condition, 'scopeName'),
      operator: stringAt(condition, 'operator'),
      values: Array.isArray(condition.values) ? condition.values.filter(isString) : [],
    })),
  ];
}

/** Whether a quota is about an object. */
export const isAbout = ({ hard, scopes }: Quota, evaluator: Evaluator, object: JsonObject): boolean =>
  [...hard.keys()].some(evaluator.covers) && isInScopes(scopes, evaluator, object);

/** Whether an object is in all of these scopes. */
export const isInScopes = (scopes: readonly ScopeCondition[], evaluator: Evaluator, object: JsonObject): boolean =>
  scopes.every((condition) => evaluator.inScope(object, condition));
