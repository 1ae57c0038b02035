/** Which webhooks are asked again in the second pass over a write. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { Webhook } from './webhook.js';

/** The state of one write over both passes. Only webhooks that have been asked, and want it, are asked again. */
export class Reinvocation {
  readonly #asked = new Set<Webhook>();
  readonly #again = new Set<Webhook>();
  #left: ApiObject | undefined;

  /** Begins the second pass. Where other plugins have changed the object since, all are asked again. */
  begin(object: ApiObject | undefined): void {
    if (!equal(object, this.#left)) this.require();
  }

  /** The object is another one now than those have seen who were asked before. */
  require(): void {
    for (const webhook of this.#asked) this.#again.add(webhook);
    this.#asked.clear();
  }

  asked(webhook: Webhook): void {
    this.#asked.add(webhook);
  }

  takes(webhook: Webhook): boolean {
    return this.#again.has(webhook);
  }

  /** Ends a pass, which leaves the object like this. */
  end(object: ApiObject | undefined): void {
    this.#left = object;
  }
}
