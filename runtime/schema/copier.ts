/** Copies values that programs pass as objects, before a check. */
import type { JsonObject, JsonValue, Violation } from '../contract/index.js';
import { setOwn } from '../objects/guards.js';

/** The most levels of a value, and the most values in it. They also stop the copy of a value that contains itself. */
const mostLevels = 1000;
const mostValues = 1_000_000;

/** Copies one JSON value; integers may be `bigint`. */
export class Copier {
  /** The problem of the first value that cannot be copied. */
  violation: Violation | undefined;
  #level = 0;
  #values = 0;

  /** Returns the copy without fields that are `undefined`. The copy is not valid if there is a violation. */
  copy(value: unknown, path: string): JsonValue {
    if (this.violation !== undefined) return null;
    if (this.#values++ === mostValues) return this.#refuse('', `must not have more than ${mostValues} values`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
      return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') return this.#refuse(path, `must be a JSON value, not ${String(typeof value)}`);
    if (this.#level === mostLevels) return this.#refuse(path, `must not nest deeper than ${mostLevels} levels`);
    this.#level++;
    const copy = Array.isArray(value)
      ? value.map((item, i) => this.copy(item ?? null, `${path}[${i}]`))
      : this.#object(value, path);
    this.#level--;
    return copy;
  }

  #object(value: object, path: string): JsonObject {
    const copy: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) setOwn(copy, key, this.copy(item, path === '' ? key : `${path}.${key}`));
    }
    return copy;
  }

  #refuse(path: string, problem: string): null {
    this.violation ??= { path, reason: 'type', message: problem };
    return null;
  }
}
