/** Bounds on values that patches build: how much they copy and how deep they nest. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { setOwn } from '../../objects/guards.js';

/** The characters that are left to copy. Copies take from them. */
export interface CopyBudget {
  /** Characters of JSON text. */
  characters: number;
  /** Deepest nesting of one copied value. */
  readonly depth: number;
}

/** A deep copy paid for from the budget; `undefined` when it does not suffice. */
export function boundedCopy(value: JsonValue, budget: CopyBudget): JsonValue | undefined {
  return copyWithin(value, budget, budget.depth);
}

function copyWithin(value: JsonValue, budget: CopyBudget, depth: number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) {
    budget.characters -= scalarLength(value);
    return budget.characters < 0 ? undefined : value;
  }
  if (depth === 0) return undefined;
  budget.characters -= 2;
  return Array.isArray(value) ? copyList(value, budget, depth) : copyMap(value, budget, depth);
}

function copyList(list: readonly JsonValue[], budget: CopyBudget, depth: number): JsonValue[] | undefined {
  const copy: JsonValue[] = [];
  for (const item of list) {
    budget.characters -= 1;
    const copied = copyWithin(item, budget, depth - 1);
    if (copied === undefined) return undefined;
    copy.push(copied);
  }
  return copy;
}

function copyMap(map: JsonObject, budget: CopyBudget, depth: number): JsonObject | undefined {
  const copy: JsonObject = {};
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    budget.characters -= scalarLength(key) + 2;
    const copied = copyWithin(value, budget, depth - 1);
    if (copied === undefined) return undefined;
    setOwn(copy, key, copied);
  }
  return copy;
}

/** About the characters of a scalar's JSON; escapes are not counted, which a bound does not need. */
function scalarLength(value: string | number | bigint | boolean | null): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}

/** Whether no path through a value is longer than `depth` containers. */
export function withinDepth(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  const children = Array.isArray(value) ? value : Object.values(value);
  return children.every((child) => child === undefined || withinDepth(child, depth - 1));
}
