/** Finds items of a list by what makes them the same, in linear time. */
import { signatureOf } from './signature.js';
import { CelMap, type CelValue, StructValue } from './value.js';

/** Items of a set by their value, or items of a list that is merged by the values of their keys. */
export class ItemIndex {
  /** The items in the order in which they came first. */
  readonly items: CelValue[] = [];
  /** Positions by a text that items which are the same share; a few others may share it, too. */
  readonly #positions = new Map<string, number[]>();

  /**
   * @param keys the fields that tell items apart; a set where absent
   * @param equal the equality of values
   */
  constructor(
    private readonly keys: readonly string[] | undefined,
    private readonly equal: (a: CelValue, b: CelValue) => boolean,
  ) {}

  /** The item that is the same; `undefined` where there is none. */
  find(item: CelValue): CelValue | undefined {
    const found = this.#positions.get(this.#text(item));
    const at = found?.find((position) => this.#isSame(position, item));
    return at === undefined ? undefined : this.items[at];
  }

  /** Takes an item in, in place of one that is the same. */
  set(item: CelValue): void {
    const text = this.#text(item);
    const found = this.#positions.get(text) ?? [];
    const at = found.find((position) => this.#isSame(position, item));
    if (at !== undefined) this.items[at] = item;
    else if (found.push(this.items.push(item) - 1) === 1) this.#positions.set(text, found);
  }

  #text(item: CelValue): string {
    return this.#parts(item)
      .map((part) => (part === undefined ? '' : signatureOf(part)))
      .join();
  }

  #isSame(position: number, item: CelValue): boolean {
    const others = this.#parts(this.items[position] ?? null);
    return this.#parts(item).every((part, i) => {
      const other = others[i];
      return part === undefined || other === undefined ? part === other : this.equal(part, other);
    });
  }

  /** The parts of an item that tell it from others. What has no fields is told by its value. */
  #parts(item: CelValue): readonly (CelValue | undefined)[] {
    if (this.keys !== undefined && (item instanceof StructValue || item instanceof CelMap))
      return this.keys.map((key) => item.get(key));
    return [item];
  }
}
