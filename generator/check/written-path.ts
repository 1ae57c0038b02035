/** Finds the place in a text for a place in a schema with resolved references. */
import { isObject } from '../../runtime/objects/guards.js';
import { get, type Raw } from '../../runtime/schema/read.js';
import type { Path } from '../diagnostics/problem.js';

/**
 * Returns the path of something below a schema as written. It ends at the last node before a reference or a missing
 * node. `raw` is the schema as written and `start` its path.
 */
export function writtenPath(raw: Raw, start: Path, steps: Path): Path {
  const path = [...start];
  let value = raw;
  for (let index = 0; index < steps.length; ) {
    // A property has two steps, and its name alone is not a place.
    const taken = steps.slice(index, index + (steps[index] === 'properties' ? 2 : 1));
    value = taken.reduce<Raw>(child, value);
    if (value === undefined || value === null) break;
    path.push(...taken);
    index += taken.length;
  }
  return path;
}

function child(value: Raw, step: string | number): Raw {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) ? get(value, String(step)) : undefined;
}
