/** The selected rows, and the row with the focus, which keys move. */

export class Selection {
  /** A new set after each change: a reactive set costs too much for 100,000 members. */
  ids: ReadonlySet<string> = $state.raw(new Set());
  /** The id of the row with the focus, because its index may change. Empty for the first row. */
  current = $state('');
  #anchor = '';

  /** Selects a row or not. With `isRange`, also all rows between it and the last selected one. */
  toggle(order: readonly string[], index: number, isRange = false): void {
    const id = order[index];
    if (id === undefined) return;
    this.current = id;
    const next = new Set(this.ids);
    if (isRange) {
      const anchor = Math.max(0, order.indexOf(this.#anchor));
      for (const one of order.slice(Math.min(anchor, index), Math.max(anchor, index) + 1)) next.add(one);
    } else {
      this.#anchor = id;
      if (!next.delete(id)) next.add(id);
    }
    this.ids = next;
  }

  selectAll(order: readonly string[]): void {
    this.ids = new Set(order);
  }

  /** Takes rows out, such as deleted ones. */
  drop(ids: readonly string[]): void {
    const next = new Set(this.ids);
    for (const id of ids) next.delete(id);
    this.ids = next;
  }

  clear(): void {
    this.ids = new Set();
  }
}
