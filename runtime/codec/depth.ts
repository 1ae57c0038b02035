/** Measures how deep values nest, level by level rather than down the stack, which has room for a bounded depth only. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { setOwn } from '../objects/guards.js';

/** Levels that all code which walks values copes with. V8's own encoder gives up at a few thousand. */
export const walkableLevels = 1000;

/** Levels of JSON that are read at all, as by the reference. */
export const readableLevels = 10_000;

type Container = JsonObject | JsonValue[];

/** Whether a value nests deeper than so many levels; a scalar has none. */
export const isDeeper = (value: JsonValue, levels: number): boolean => onLevel(value, levels + 1).length > 0;

/** Leaves out of a value, in place, what lies deeper than so many levels: empty objects are left there. */
export function cutBelow(value: JsonValue, levels: number): void {
  for (const container of onLevel(value, levels)) {
    if (Array.isArray(container)) {
      container.forEach((item, at) => {
        if (isContainer(item)) container[at] = {};
      });
    } else {
      for (const [key, child] of Object.entries(container)) if (isContainer(child)) setOwn(container, key, {});
    }
  }
}

/** The lists and objects on a level, the value itself being on the first. */
function onLevel(value: JsonValue, level: number): readonly Container[] {
  let these: readonly Container[] = [value].filter(isContainer);
  for (let at = 1; at < level && these.length > 0; at++)
    these = these.flatMap((container) => Object.values(container).filter(isContainer));
  return these;
}

const isContainer = (value: JsonValue | undefined): value is Container => typeof value === 'object' && value !== null;
