/** The path of a field in an object, as in `spec.replicas`, `data['a.b']` or `spec.containers[0].image`. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject } from '../../../runtime/objects/guards.js';

/** Keys of objects, and places in lists. */
export type FieldPath = readonly (string | number)[];

/** `undefined` where a text is no path. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  const step = /^(?:\.?([^.[\]'"]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\])/;
  for (let rest = text; rest !== ''; ) {
    const found = step.exec(rest);
    if (!found) return undefined;
    const [whole, key, index, single, double] = found;
    path.push(index === undefined ? (key ?? single ?? double ?? '') : Number(index));
    rest = rest.slice(whole.length);
  }
  return path.length > 0 && !text.startsWith('.') ? path : undefined;
}

/** The value of a field; `undefined` where an object has no such. */
export function valueAt(object: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let value = object;
  for (const step of path) {
    if (typeof step === 'number') value = isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? getOwn(value, step) : undefined;
  }
  return value;
}
