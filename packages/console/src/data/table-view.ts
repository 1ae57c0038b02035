/** Chooses and sorts the rows of a table. */
import type { TableColumn } from 'kindforge/client';
import type { Row, RowChange } from './live-table.js';

export interface ViewOptions {
  /** A row must contain each of its words, in any case, in a cell, the namespace or a label. */
  readonly text: string;
  /** The name of the column to sort by; empty for the order of names. */
  readonly sort: string;
  readonly isDescending: boolean;
}

/** The column of the namespace, which the server does not print. */
export const namespaceColumn = 'Namespace';

/** Rows to sort at once, and rows to check between two chances to stop. Each takes a millisecond or two. */
const perStep = 500;

/** The rows to show, kept in order: a change costs far less than sorting all rows again. */
export class RowView {
  order: readonly Row[] = [];
  #words: readonly string[] = [];
  #compare: Comparing = byName;
  /** Objects that have changed while rows are held, by id: the row in `order`, and the row that will replace it. */
  readonly #held = new Map<string, { readonly shown: Row | undefined; readonly now: Row | undefined }>();

  /** The number of rows that wait to come, go or move. */
  get waiting(): number {
    return this.#held.size;
  }

  /** The number of objects that fit the filter, even while rows are held. */
  get fitting(): number {
    let sum = this.order.length;
    for (const { shown, now } of this.#held.values()) sum += Number(now !== undefined) - Number(shown !== undefined);
    return sum;
  }

  /** Returns whether the object of a held row is gone. */
  isGone({ id }: Row): boolean {
    const held = this.#held.get(id);
    return held !== undefined && held.now === undefined;
  }

  /** Updates all rows: filters and sorts them again, in short steps. `order` does not change before the last step. */
  *arrange(rows: Iterable<Row>, columns: readonly TableColumn[], options: ViewOptions): Generator<void, void> {
    const words = options.text.toLowerCase().split(/\s+/).filter(Boolean);
    const compare = comparing(columns, options);
    const all = [...rows];
    let runs: (readonly Row[])[] = [];
    for (let at = 0; at < all.length; at += perStep) {
      const fitting = all.slice(at, at + perStep).filter((row) => fits(row, words));
      runs.push(fitting.sort(compare));
      yield;
    }
    while (runs.length > 1) {
      const pairs: (readonly Row[])[] = [];
      for (let at = 0; at < runs.length; at += 2)
        pairs.push(yield* mergedInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
      runs = pairs;
    }
    this.order = runs[0] ?? [];
    this.#words = words;
    this.#compare = compare;
    this.#held.clear();
  }

  /** Adds changes. Held rows stay in their places, but show changed cells. */
  take(changes: readonly RowChange[], isHeld: boolean): void {
    const replaced = new Map<Row, Row>();
    const first = new Map<string, Row | undefined>();
    const last = new Map<string, Row | undefined>();
    for (const { before, after } of changes) {
      const id = (after ?? before)?.id ?? '';
      if (!first.has(id)) first.set(id, before);
      last.set(id, after);
    }
    for (const [id, after] of last) {
      const before = this.#held.has(id) ? this.#held.get(id)?.shown : this.#fitting(first.get(id));
      const now = this.#fitting(after);
      const isInPlace = before !== undefined && now !== undefined;
      if (isInPlace) replaced.set(before, now);
      const staysThere = isInPlace && !this.#held.has(id) && this.#compare(before, now) === 0;
      if (staysThere || (!before && !now)) this.#held.delete(id);
      else this.#held.set(id, { shown: isInPlace ? now : before, now });
    }
    if (replaced.size > 0) this.order = this.order.map((row) => replaced.get(row) ?? row);
    if (!isHeld) this.release();
  }

  /** Adds, removes and moves the held rows. */
  release(): void {
    if (this.#held.size === 0) return;
    const held = [...this.#held.values()];
    const out = new Set(held.map(({ shown }) => shown));
    const into = held.flatMap(({ now }) => now ?? []).sort(this.#compare);
    this.#held.clear();
    this.order = merged(
      this.order.filter((row) => !out.has(row)),
      into,
      this.#compare,
    );
  }

  #fitting(row: Row | undefined): Row | undefined {
    return row && fits(row, this.#words) ? row : undefined;
  }
}

type Comparing = (a: Row, b: Row) => number;

/** Merges a few rows into many; both are sorted. */
function merged(many: readonly Row[], few: readonly Row[], compare: Comparing): readonly Row[] {
  if (follows(many, few, compare)) return [...many, ...few];
  const parts: (readonly Row[])[] = [];
  let from = 0;
  for (const row of few) {
    const to = placeOf(row, many, from, compare);
    parts.push(many.slice(from, to), [row]);
    from = to;
  }
  return parts.concat([many.slice(from)]).flat();
}

/**
 * Returns whether all rows of the second part come after the first. This is common, because the server sends objects by
 * name.
 */
function follows(first: readonly Row[], second: readonly Row[], compare: Comparing): boolean {
  const [end, start] = [first.at(-1), second[0]];
  return !end || !start || compare(end, start) <= 0;
}

function* mergedInSteps(
  left: readonly Row[],
  right: readonly Row[],
  compare: Comparing,
): Generator<void, readonly Row[]> {
  if (follows(left, right, compare)) return [...left, ...right];
  const both: Row[] = [];
  let [l, r] = [0, 0];
  for (let a = left[0], b = right[0]; a && b; ) {
    if (compare(a, b) <= 0) {
      both.push(a);
      a = left[++l];
    } else {
      both.push(b);
      b = right[++r];
    }
    if (both.length % perStep === 0) yield;
  }
  return [...both, ...left.slice(l), ...right.slice(r)];
}

/** Returns the index, at least `low`, at which to insert a row. */
function placeOf(row: Row, sorted: readonly Row[], low: number, compare: Comparing): number {
  let [from, to] = [low, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = sorted[middle];
    if (other && compare(other, row) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

const fits = (row: Row, words: readonly string[]): boolean => words.every((word) => contains(row, word));

function contains({ namespace, cells, labels }: Row, word: string): boolean {
  if (namespace.toLowerCase().includes(word)) return true;
  if (cells.some((cell) => textOf(cell).toLowerCase().includes(word))) return true;
  return Object.entries(labels).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(word));
}

/** Returns the text of a cell. */
export function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares two objects. They are never equal: only the collator takes `o-1` and `o-01` for equal. */
const byName = (a: Row, b: Row): number =>
  collator.compare(a.namespace, b.namespace) || collator.compare(a.name, b.name) || compareTexts(a.id, b.id);

function comparing(columns: readonly TableColumn[], { sort, isDescending }: ViewOptions): Comparing {
  const compare = comparingBy(columns, sort);
  return (a, b) => (isDescending ? compare(b, a) : compare(a, b)) || byName(a, b);
}

function comparingBy(columns: readonly TableColumn[], sort: string): Comparing {
  if (sort === '') return byName;
  if (sort === namespaceColumn) return (a, b) => collator.compare(a.namespace, b.namespace);
  const at = columns.findIndex(({ name }) => name === sort);
  if (at < 0) return byName;
  // The cell has only a rounded age; the older, the greater.
  if (isAge(columns[at])) return (a, b) => compareTexts(b.created, a.created);
  return (a, b) => compareCells(a.cells[at], b.cells[at]);
}

export const isAge = (column: TableColumn | undefined): boolean => column?.name === 'Age';

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by value if both are numbers or quantities such as `100Mi`. */
export function compareCells(a: unknown, b: unknown): number {
  const [left, right] = [textOf(a), textOf(b)];
  const [x, y] = [amountOf(left), amountOf(right)];
  if (x !== undefined && y !== undefined) return x - y;
  return collator.compare(left, right);
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Returns the value of a number or a quantity. */
function amountOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^([+-]?\d+(?:\.\d+)?)([a-zA-Z]{0,2})$/.exec(text) ?? [];
  const factor = units[unit];
  return number === '' || factor === undefined ? undefined : Number(number) * factor;
}
