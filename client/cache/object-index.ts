/** Indexes the objects of a cache by a property, such as their owner. */
import type { ApiObjectLike } from '../types.js';
import { keyOf, type ObjectChange } from './collection-events.js';

/** Returns the values that an object is found by. Must return the same values for the same object. */
export type ValuesOf<T> = (object: T) => Iterable<string>;

export class ObjectIndex<T extends ApiObjectLike> {
  readonly #valuesOf: ValuesOf<T>;
  readonly #byValue = new Map<string, Map<string, T>>();

  /** Gives an object no values if `valuesOf` throws, and calls `onThrown` with the error. */
  constructor(valuesOf: ValuesOf<T>, onThrown: (error: unknown) => void) {
    this.#valuesOf = (object) => {
      try {
        return [...valuesOf(object)];
      } catch (error) {
        onThrown(error);
        return [];
      }
    };
  }

  /** Returns the objects with a value, in no particular order. */
  find(value: string): T[] {
    return [...(this.#byValue.get(value)?.values() ?? [])];
  }

  note(change: ObjectChange<T>): void {
    if (change.type !== 'added') this.#drop(change.before);
    if (change.type === 'removed') return;
    const key = keyOf(change.object);
    for (const value of this.#valuesOf(change.object)) {
      const found = this.#byValue.get(value);
      if (found === undefined) this.#byValue.set(value, new Map([[key, change.object]]));
      else found.set(key, change.object);
    }
  }

  #drop(object: T): void {
    const key = keyOf(object);
    for (const value of this.#valuesOf(object)) {
      const found = this.#byValue.get(value);
      found?.delete(key);
      if (found?.size === 0) this.#byValue.delete(value);
    }
  }
}
