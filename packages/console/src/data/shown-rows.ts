/** Keeps the visible rows up to date without long tasks: in short steps, and with many changes at a time. */
import type { TableColumn } from 'kindforge/client';
import type { Row, RowChange } from './live-table.js';
import { RowView, type ViewOptions } from './table-view.js';

/** The longest step without a pause for the page, milliseconds. */
const longestStep = 12;
/** Returns how long to gather changes, milliseconds, by the number of rows: each change costs time for each row. */
const pauseFor = (rows: number): number => (rows < 5_000 ? 16 : rows < 20_000 ? 50 : 250);

export interface ShownRowsEvents {
  /** Returns all present rows. */
  all(): Iterable<Row>;
  /** Draws the rows, after each change of them. */
  onShow(): void;
}

export class ShownRows {
  /** Whether rows are being sorted or filtered; `rows` has the old ones until then. */
  isBusy = false;
  readonly #view = new RowView();
  readonly #events: ShownRowsEvents;
  #changes: RowChange[] = [];
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the requested orders: a new one ends the work for an earlier one. */
  #asked = 0;

  constructor(events: ShownRowsEvents) {
    this.#events = events;
  }

  get rows(): readonly Row[] {
    return this.#view.order;
  }

  /** The number of rows that wait until rows may move. */
  get waiting(): number {
    return this.#view.waiting;
  }

  /** The number of objects that fit the filter. */
  get fitting(): number {
    return this.#view.fitting;
  }

  isGone(row: Row): boolean {
    return this.#view.isGone(row);
  }

  /**
   * Updates all rows: filters and sorts them again. Few rows are ready when it returns; with many rows, resolves once
   * all are. Never rejects.
   */
  async arrange(columns: readonly TableColumn[], options: ViewOptions): Promise<void> {
    const asked = ++this.#asked;
    // The present rows have all changes so far.
    this.#changes = [];
    this.isBusy = true;
    const steps = this.#view.arrange(this.#events.all(), columns, options);
    let began = performance.now();
    while (!steps.next().done) {
      if (performance.now() - began < longestStep) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (asked !== this.#asked) return;
      began = performance.now();
    }
    this.isBusy = false;
    this.#view.take(this.#changes.splice(0), this.#isHeld);
    this.#events.onShow();
  }

  /** Adds changes soon, many at a time. */
  take(changes: readonly RowChange[]): void {
    for (const change of changes) this.#changes.push(change);
    this.#timer ??= setTimeout(() => this.#takeNow(), pauseFor(this.rows.length));
  }

  /** Keeps each row in its place until this is called with `false`. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld || this.isBusy) return;
    this.#view.release();
    this.#events.onShow();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  #takeNow(): void {
    this.#timer = undefined;
    if (this.isBusy) return;
    this.#view.take(this.#changes.splice(0), this.#isHeld);
    this.#events.onShow();
  }
}
