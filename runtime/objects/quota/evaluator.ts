/** How quotas count the objects of one resource. */
import type { ApiObject, JsonObject } from '../../contract/index.js';
import { isString, objectAt, objectsAt, stringAt } from '../guards.js';
import { memoizeByObject } from '../memoize.js';
import type { Quantity } from '../scan/quantity.js';
import { type Amounts, amountsAt } from './amounts.js';

/** A condition on the scope of the objects that a quota is about. */
export interface ScopeCondition {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Evaluator {
  /** Whether quotas only count the objects: each object counts as one under every name. */
  readonly numberOnly: boolean;
  /** Whether an update can make an object cost more than before; a create always costs. */
  readonly chargesUpdates: boolean;
  /** Whether objects of the resource use the amount of this name in quotas, such as `requests.cpu`. */
  readonly covers: (name: string) => boolean;
  /** The amounts that an object uses at a time; the time is in milliseconds since 1970. */
  readonly usage: (object: JsonObject, now: number) => Amounts;
  /** Whether an object is in a scope. */
  readonly inScope: (object: JsonObject, condition: ScopeCondition) => boolean;
  /** Returns the containers that do not specify an amount but must, by the name of the amount. */
  readonly unsaid: (object: JsonObject, names: readonly string[]) => ReadonlyMap<string, readonly string[]>;
}

/** Makes an evaluator of objects without scopes; other parts are optional. */
export const evaluatorOf = (parts: Pick<Evaluator, 'covers' | 'usage'> & Partial<Evaluator>): Evaluator => ({
  numberOnly: false,
  chargesUpdates: false,
  inScope: () => false,
  unsaid: () => new Map(),
  ...parts,
});

/** Returns a number of objects as an amount. */
export const countOf = (count: number): Quantity => ({ digits: BigInt(count), exponent: 0, notation: 'decimal' });

/** Returns the name of a quota's limit on the number of objects of a resource. */
export const countName = (group: string, plural: string): string => `count/${plural}${group === '' ? '' : `.${group}`}`;

/** Makes an evaluator that only counts objects, under these names. */
export function numberOfObjects(...names: readonly string[]): Evaluator {
  const one = new Map(names.map((name) => [name, countOf(1)]));
  return evaluatorOf({ numberOnly: true, covers: (name) => one.has(name), usage: () => one });
}

export interface Quota {
  readonly name: string;
  /** The limits in effect, from the status. */
  readonly hard: Amounts;
  readonly used: Amounts;
  /** Objects are in all of these scopes. */
  readonly scopes: readonly ScopeCondition[];
}

/** Reads a stored quota once for each of its states. It must be frozen. */
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

/** Returns the conditions of a quota's spec. */
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

/** Returns whether a quota applies to an object. */
export const isAbout = ({ hard, scopes }: Quota, evaluator: Evaluator, object: JsonObject): boolean =>
  [...hard.keys()].some(evaluator.covers) && isInScopes(scopes, evaluator, object);

/** Returns whether an object is in all of these scopes. */
export const isInScopes = (scopes: readonly ScopeCondition[], evaluator: Evaluator, object: JsonObject): boolean =>
  scopes.every((condition) => evaluator.inScope(object, condition));
