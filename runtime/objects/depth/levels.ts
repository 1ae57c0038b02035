/** The levels that values may nest, measured without recursion. */
import type { JsonObject, JsonValue } from '../../contract/index.js';

/** Levels of JSON that are read, as by the reference. */
export const readableLevels = 10_000;

/**
 * Levels that a function goes down by calling itself before it goes on with an empty stack (`later.ts`,
 * `from-below.ts`). Few enough that functions which call each other so deep all fit on the stack, and more than any but
 * hostile values have.
 */
export const recursionLevels = 200;

/** Levels that V8 itself writes, and that are laid out in lines of their own: below, the indentation is most of a text. */
export const indentedLevels = 1000;

/** Whether a value nests deeper than so many levels; a scalar has none. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  let these: readonly Container[] = [value].filter(isContainer);
  for (let at = 0; at < levels && these.length > 0; at++)
    these = these.flatMap((container) => Object.values(container).filter(isContainer));
  return these.length > 0;
}

type Container = JsonObject | JsonValue[];

const isContainer = (value: JsonValue | undefined): value is Container => typeof value === 'object' && value !== null;
