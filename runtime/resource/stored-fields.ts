/** Finds out which field of the stored version a field of another one is. */
import type { Conversion, JsonObject, JsonValue } from '../contract/index.js';
import { isObject, setOwn } from '../objects/guards.js';

/** A value that nothing else in the object has. */
const mark = '\u0000field';

/**
 * The path that a field such as `regarding.name` has in the stored version: a marked object is converted, and the mark
 * looked for. A field that no step moves is where it was.
 */
export function storedFieldOf(path: string, conversion: Pick<Conversion, 'toStored'> | undefined): string {
  if (!conversion) return path;
  const object = nest(path.split('.'));
  conversion.toStored(object, (name) => name);
  return findMark(object) ?? path;
}

function nest([key = '', ...rest]: readonly string[]): JsonObject {
  const object: JsonObject = {};
  setOwn(object, key, rest.length === 0 ? mark : nest(rest));
  return object;
}

function findMark(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (child === mark) return key;
    const below = findMark(child);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}
