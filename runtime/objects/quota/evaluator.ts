/** The way in which quotas count the objects of one resource. */
import type { JsonObject } from '../../contract/index.js';
import type { Amounts } from '../amounts.js';
import type { Quantity } from '../scan/quantity.js';

/** A condition on the scope of the objects that a quota is about. */
export interface ScopeCondition {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface Evaluator {
  /** Whether nothing counts but how many objects there are, each as one under all names. */
  readonly numberOnly: boolean;
  /** Whether an update can make an object cost more than before; a create always costs. */
  readonly chargesUpdates: boolean;
  /** Whether objects of the resource use something of this name in quotas, as `requests.cpu`. */
  readonly covers: (name: string) => boolean;
  /** The amounts that an object uses at a time, milliseconds since 1970. */
  readonly usage: (object: JsonObject, now: number) => Amounts;
  /** Whether an object is in a scope. */
  readonly inScope: (object: JsonObject, condition: ScopeCondition) => boolean;
  /** Names of the containers that do not say how much they use, by the amounts that they have to give. */
  readonly unsaid: (object: JsonObject, names: readonly string[]) => ReadonlyMap<string, readonly string[]>;
}

/** An evaluator of objects without scopes that need not say anything. */
export const evaluatorOf = (parts: Pick<Evaluator, 'covers' | 'usage'> & Partial<Evaluator>): Evaluator => ({
  numberOnly: false,
  chargesUpdates: false,
  inScope: () => false,
  unsaid: () => new Map(),
  ...parts,
});

/** A number of objects as an amount. */
export const countOf = (count: number): Quantity => ({ digits: BigInt(count), exponent: 0, notation: 'decimal' });

/** Under this name a quota limits the number of objects of any resource. */
export const countName = (group: string, plural: string): string => `count/${plural}${group === '' ? '' : `.${group}`}`;

/** Objects of which nothing but their number counts, under these names. */
export function numberOfObjects(...names: readonly string[]): Evaluator {
  const one = new Map(names.map((name) => [name, countOf(1)]));
  return evaluatorOf({ numberOnly: true, covers: (name) => one.has(name), usage: () => one });
}
