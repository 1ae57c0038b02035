/** Short messages at the edge of the window, for what has happened and can be undone. */

export interface Toast {
  readonly text: string;
  readonly tone?: 'good' | 'bad' | 'info';
  readonly action?: { readonly label: string; run(): void };
}

/** How long a message stays, milliseconds. With an action it stays longer, so that one can reach it. */
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
