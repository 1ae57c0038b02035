/** A live table for components: its rows in order, and its progress. */
import type { ServedKind, TableColumn } from 'kindforge/client';
import type { Session } from '../session/session.js';
import { connection } from './connection.svelte.js';
import { type Listing, LiveTable, type Row } from './live-table.js';
import { ShownRows } from './shown-rows.js';
import type { ViewOptions } from './table-view.js';

export class ShownTable {
  columns: readonly TableColumn[] = $state.raw([]);
  /** The rows that fit the filter, in order. */
  rows: readonly Row[] = $state.raw([]);
  /** The number of rows that wait until rows may move. */
  waiting = $state(0);
  /** Grows with each visible change. */
  #version = $state(0);
  /** The number of loaded objects, and the number that fit the filter. */
  size = $state(0);
  fitting = $state(0);
  expected: number | undefined = $state();
  isLoading = $state(true);
  /** Whether all pages have arrived once. */
  isWhole = $state(false);
  isReady = $state(false);
  isAgain = $state(false);
  isPolled = $state(false);
  error: unknown = $state.raw(undefined);
  readonly #shown = new ShownRows({ all: () => this.all.values(), onShow: () => this.#show() });
  readonly #begin: () => Promise<void>;
  #options: ViewOptions = { text: '', sort: '', isDescending: false };
  #arranged: readonly TableColumn[] = [];
  #ending = new AbortController();
  #table: LiveTable | undefined;

  /** Starts at once. `stop` ends it. */
  constructor(session: Session, kind: ServedKind, listing: Listing) {
    this.#begin = () => this.#start(session, kind, listing, this.#ending.signal);
    void this.#begin();
  }

  /** All rows by their ids. Components do not follow this. */
  get all(): ReadonlyMap<string, Row> {
    return this.#table?.rows ?? new Map();
  }

  /** Starts again after the server has refused. */
  retry(): void {
    this.#ending.abort();
    this.#ending = new AbortController();
    void this.#begin();
  }

  stop(): void {
    this.#ending.abort();
    this.#shown.stop();
  }

  /** Updates the filter and the order of the rows. With many rows, this takes some tenths of a second. */
  arrange(options: ViewOptions): void {
    this.#options = options;
    this.#arrange();
  }

  /** Keeps rows in their places until this is called with `false`. */
  hold(isHeld: boolean): void {
    this.#shown.hold(isHeld);
  }

  /** Returns whether the object of a held row is gone. */
  isGone(row: Row): boolean {
    return this.#version > 0 && this.#shown.isGone(row);
  }

  /** Asks the server. Never rejects. */
  async #start(session: Session, kind: ServedKind, listing: Listing, signal: AbortSignal): Promise<void> {
    try {
      const { group, version, plural, verbs } = kind;
      const source = await session.client.resource({ group, version, plural });
      this.#table ??= new LiveTable(source, listing, verbs.includes('watch'), {
        onChange: (changes) => this.#shown.take(changes),
        onAnswer: (error) => connection.report(error),
      });
      await this.#table.run(signal);
    } catch (error) {
      this.error = error;
    }
  }

  #arrange(): void {
    this.#arranged = this.#table?.columns ?? [];
    void this.#shown.arrange(this.#arranged, this.#options);
  }

  #show(): void {
    const table = this.#table;
    if (!table || this.#ending.signal.aborted) return;
    if (table.columns !== this.#arranged) {
      // Another call ends this one.
      this.#arrange();
      return;
    }
    this.columns = table.columns;
    this.rows = this.#shown.rows;
    this.waiting = this.#shown.waiting;
    this.size = table.rows.size;
    this.fitting = this.#shown.fitting;
    this.expected = table.expected;
    this.isLoading = table.isLoading;
    this.isReady = table.isReady;
    this.isWhole ||= table.isReady && !table.isLoading;
    this.isAgain = table.isAgain;
    this.isPolled = table.isPolled;
    this.error = table.error;
    this.#version++;
  }
}
