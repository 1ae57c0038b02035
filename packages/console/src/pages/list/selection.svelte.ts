/** The rows that are selected, and the row that the keys move. */

export class Selection {
  /** Another set after each change: a set that reports each of its members costs too much for 100,000 of them. */
  ids: ReadonlySet<string> = $state.raw(new Set());
  /** The row that has the focus, by its id: other rows may come before it. Empty for the first row. */
  current = $state('');
  #anchor = '';

  /** Selects a row or not. With `isRange`, all rows from the last one that was selected, too. */
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
