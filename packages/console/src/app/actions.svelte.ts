/** The actions that the present page offers, for the command palette and for keys. */
import { untrack } from 'svelte';
import type { IconShapes } from '../design/icon.js';

export interface Action {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconShapes;
  /** The key that runs it while no field has the focus, as in `e`. */
  readonly keys?: string;
  run(): void;
}

class Actions {
  #offers: readonly (readonly Action[])[] = $state.raw([]);

  /** The actions of all parts of the page. */
  readonly list: readonly Action[] = $derived(this.#offers.flat());

  /** Offers actions until the returned function is called: `$effect(() => actions.offer([…]))`. */
  offer(list: readonly Action[]): () => void {
    // An effect that offers actions must not run again because of its own offer.
    untrack(() => {
      this.#offers = [...this.#offers, list];
    });
    return () => {
      untrack(() => {
        this.#offers = this.#offers.filter((offer) => offer !== list);
      });
    };
  }
}

export const actions = new Actions();
