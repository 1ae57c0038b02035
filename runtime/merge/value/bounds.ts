/** The bound on what patches copy. */
import type { JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';

/** The characters that are left to copy. Copies take from them. */
export interface CopyBudget {
  /** Characters of JSON text. */
  characters: number;
}

/** A deep copy paid for from the budget; `undefined` when it does not suffice. */
export function boundedCopy(value: JsonValue, budget: CopyBudget): JsonValue | undefined {
  budget.characters -= charactersOf(value, budget.characters);
  return budget.characters < 0 ? undefined : clone(value);
}

/**
 * About the characters of a value's JSON; escapes are not counted, which a bound does not need. Counts on no further
 * than beyond `most`.
 */
function charactersOf(value: JsonValue, most: number): number {
  let characters = 0;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined && characters <= most; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) {
      characters += scalarLength(next);
      continue;
    }
    characters += 2;
    for (const key of Object.keys(next)) {
      const child = Array.isArray(next) ? next[Number(key)] : next[key];
      if (child === undefined) continue;
      characters += Array.isArray(next) ? 1 : scalarLength(key) + 2;
      waiting.push(child);
    }
  }
  return characters;
}

function scalarLength(value: string | number | bigint | boolean | null): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}
