/** A queue over a circular array: first in, first out, with access by position. */

const SMALLEST = 16;

export class Ring<T> {
  #slots: (T | undefined)[] = new Array(SMALLEST);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the item at a position; 0 is the oldest. */
  at(position: number): T | undefined {
    if (position < 0 || position >= this.#length) return undefined;
    return this.#slots[(this.#head + position) & (this.#slots.length - 1)];
  }

  /** Replaces the item at a position, if there is one. */
  set(position: number, item: T): void {
    if (position < 0 || position >= this.#length) return;
    this.#slots[(this.#head + position) & (this.#slots.length - 1)] = item;
  }

  push(item: T): void {
    if (this.#length === this.#slots.length) this.#resize(this.#length * 2);
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = item;
    this.#length++;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length--;
    // Releases the memory of a burst.
    if (this.#slots.length > SMALLEST && this.#length < this.#slots.length / 8)
      this.#resize(Math.max(SMALLEST, this.#slots.length / 4));
    return item;
  }

  #resize(size: number): void {
    const slots: (T | undefined)[] = new Array(size);
    for (let position = 0; position < this.#length; position++) slots[position] = this.at(position);
    this.#slots = slots;
    this.#head = 0;
  }
}
