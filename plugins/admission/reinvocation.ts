/** Decides about each webhook or policy if it takes part in the second pass of mutating plugins. */
import type { ApiObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';

/** The state of one write over both passes. `T` is asked again if it was asked before and wants it. */
export class Reinvocation<T> {
  readonly #asked = new Set<T>();
  readonly #again = new Set<T>();
  #left: ApiObject | undefined;

  /** Begins the second pass. If other plugins have changed the object since, all are asked again. */
  begin(object: ApiObject | undefined): void {
    if (!equal(object, this.#left)) this.require();
  }

  /** Records that the object changed after the earlier ones saw it. */
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
