/** Short messages at the edge of the window, about actions that the user can undo. */

export interface Toast {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'info';
  readonly action?: { readonly label: string; run(): void };
}

/** How long a message stays, milliseconds. A message with an action stays longer, so that the user can reach it. */
const shownMs = { plain: 5_000, withAction: 12_000 };

class Toasts {
  list: readonly (Toast & { readonly id: number })[] = $state.raw([]);
  #last = 0;

  show(toast: Toast): void {
    const id = ++this.#last;
    this.list = [...this.list.slice(-3), { ...toast, id }];
    setTimeout(() => this.drop(id), toast.action ? shownMs.withAction : shownMs.plain);
  }

  drop(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toast = new Toasts();
