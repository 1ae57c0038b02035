/** The place at which a walk is; put together only if it has to be told. */
import type { Place } from '../../contract/index.js';

export class Path {
  readonly #steps: (string | number)[] = [];

  /** Goes down: to an item by its index, or by a step such as `.name` or `[key]`. An empty step leads nowhere. */
  enter(step: string | number): void {
    this.#steps.push(step);
  }

  /** Goes back to where the last step began. */
  leave(): void {
    this.#steps.pop();
  }

  /** Returns the path as errors write it: `spec.ports[0].name`; empty for the whole object. */
  toString(): string {
    let path = '';
    for (const step of this.#steps) path += typeof step === 'number' ? `[${step}]` : step;
    return path.startsWith('.') ? path.slice(1) : path;
  }

  /** Returns the steps themselves, without what paths write around names. */
  place(): Place {
    return this.#steps.filter((step) => step !== '').map((step) => (typeof step === 'number' ? step : nameOf(step)));
  }

  /** Returns the path of something below, which is reached by a step. */
  below(step: string): string {
    const path = this.toString();
    return path === '' && step.startsWith('.') ? step.slice(1) : path + step;
  }
}

const nameOf = (step: string): string => (step.startsWith('[') ? step.slice(1, -1) : step.slice(1));
