/** Decides for each webhook or policy whether it takes part in the second pass of mutating plugins. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';

/**
 * The state of one write over both passes. A `T` is asked again if `asked` recorded it before a change of the object.
 */
export class Reinvocation<T> {
  readonly #asked = new Set<T>();
  readonly #again = new Set<T>();
  #left: ApiObject | undefined;

  /** Begins the second pass. If other plugins have changed the object since, all that were recorded are asked again. */
  begin(object: ApiObject | undefined): void {
    if (!equal(object, this.#left)) this.require();
  }

  /** Marks all that were recorded so far to be asked again, because the object has changed since. */
  require(): void {
    for (const one of this.#asked) this.#again.add(one);
    this.#asked.clear();
  }

  asked(one: T): void {
    this.#asked.add(one);
  }

  takes(one: T): boolean {
    return this.#again.has(one);
  }

  /** Ends a pass and remembers the object. */
  end(object: ApiObject | undefined): void {
    this.#left = object;
  }
}
