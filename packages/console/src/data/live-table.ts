/** The rows of a kind as the server prints them, kept up to date by a watch. */
import {
  ApiError,
  isForbidden,
  isGone,
  isNotFound,
  type Table,
  type TableColumn,
  type TableRow,
} from 'kindforge/client';

/** An object as a row. */
export interface Row {
  /** Namespace and name. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** As in `2026-01-31T12:00:00Z`; empty if unknown. */
  readonly created: string;
  /** One for each column. */
  readonly cells: readonly unknown[];
  /** The object's resource version; empty if unknown. */
  readonly revision: string;
  /** Time of its last change, milliseconds since 1970; 0 if it has not changed since the list. */
  readonly changedAt: number;
}

/** A change of one object: its row before, and its row now. */
export interface RowChange {
  /** `undefined` for an object that is new. */
  readonly before: Row | undefined;
  /** `undefined` for an object that is gone. */
  readonly after: Row | undefined;
}

/** A choice of objects. */
export interface Listing {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The requests that a table needs. A dynamic resource of the SDK has them. */
export interface TableSource {
  table(options: Listing & { limit?: number; continue?: string; signal?: AbortSignal }): Promise<Table>;
  watchTable(
    options: Listing & { resourceVersion: string; signal?: AbortSignal },
  ): AsyncIterable<{ readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly table: Table }>;
}

/** Calls that a table makes to its page. */
export interface TableEvents {
  /** Takes the changes of rows; empty if only something else has changed. */
  onChange(changes: readonly RowChange[]): void;
  /** Takes the error of a request, or `undefined` for an answer. */
  onAnswer(error: unknown): void;
}

/** Objects on a page of a list. The first page is small, so that it appears at once. */
const pageSizes = { first: 200, later: 2_000 };
/** Milliseconds. A watch that ends sooner than `steady` counts as a failure. */
const times = { shortest: 500, longest: 10_000, poll: 5_000, steady: 2_000 };

export class LiveTable {
  columns: readonly TableColumn[] = [];
  /**
   * The number of objects, while they still arrive; `undefined` once all have arrived, or if the server does not report
   * it.
   */
  expected: number | undefined;
  /** Whether pages are still loading. */
  isLoading = true;
  isReady = false;
  /** Whether the list had to begin again halfway, because the server did not keep the rest. */
  isAgain = false;
  /** Whether the user may list the objects but not watch them. Then the table lists them again and again. */
  isPolled: boolean;
  /** The last error, if the rows may be old because of it. */
  error: unknown;
  readonly #rows = new Map<string, Row>();
  readonly #source: TableSource;
  readonly #listing: Listing;
  readonly #events: TableEvents;
  #failures = 0;

  constructor(source: TableSource, listing: Listing, canWatch: boolean, events: TableEvents) {
    this.#source = source;
    this.#listing = listing;
    this.isPolled = !canWatch;
    this.#events = events;
  }

  /** By their ids. The map stays the same one when they change. */
  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  /** Keeps the rows current until the signal ends it or the server refuses for good. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let from: string | undefined;
    while (!signal.aborted) {
      const began = Date.now();
      let watchedSince = Number.POSITIVE_INFINITY;
      try {
        from ??= await this.#list(signal);
        if (this.isPolled) {
          // Waits longer after a list that took long.
          await sleep(Math.max(times.poll, 4 * (Date.now() - began)), signal);
          from = undefined;
        } else {
          watchedSince = Date.now();
          from = await this.#watch(from, signal);
          await this.#pause(watchedSince, signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (from !== undefined && isRefusedWatch(error)) {
          this.isPolled = true;
          this.#events.onChange([]);
          continue;
        }
        this.isAgain = isGone(error) && this.isLoading;
        this.#answered(isGone(error) ? undefined : error);
        if (isForbidden(error) || isNotFound(error)) return;
        // A server that restarts with an empty memory would wait for this revision.
        from = undefined;
        await this.#pause(watchedSince, signal);
      }
    }
  }

  /** Waits longer after each failure, with a random part: otherwise all tabs would come back at once. */
  async #pause(watchedSince: number, signal: AbortSignal): Promise<void> {
    if (Date.now() - watchedSince >= times.steady) this.#failures = 0;
    const longest = Math.min(times.longest, times.shortest * 2 ** this.#failures++);
    await sleep(longest * (0.5 + Math.random() / 2), signal);
  }

  /** Reads all pages. The old rows stay until all have arrived. Resolves to the revision of the list. */
  async #list(signal: AbortSignal): Promise<string> {
    const isFirst = !this.isReady;
    const found = new Set<string>();
    let next: string | undefined;
    let revision: string;
    this.isLoading = true;
    do {
      const limit = next === undefined ? pageSizes.first : pageSizes.later;
      const page = await this.#source.table({ ...this.#listing, limit, signal, ...(next ? { continue: next } : {}) });
      revision = page.metadata.resourceVersion ?? '';
      next = page.metadata.continue || undefined;
      this.#takeColumns(page.columnDefinitions);
      const rows = page.rows.map((row) => readRow(row, isFirst ? 0 : Date.now()));
      for (const { id } of rows) found.add(id);
      const left = Number(page.metadata.remainingItemCount ?? 0);
      this.expected = next !== undefined && left > 0 ? found.size + left : undefined;
      this.isLoading = next !== undefined;
      if (next === undefined) this.isAgain = false;
      this.isReady = true;
      this.#answered(
        undefined,
        rows.flatMap((row) => this.#put(row) ?? []),
      );
    } while (next !== undefined);
    const gone = [...this.#rows.values()].filter(({ id }) => !found.has(id));
    this.#events.onChange(gone.map((row) => this.#drop(row)));
    return revision;
  }

  /** Takes changes until the server ends the watch. Resolves to the revision to continue from. */
  async #watch(from: string, signal: AbortSignal): Promise<string> {
    let revision = from;
    for await (const { type, table } of this.#source.watchTable({ ...this.#listing, resourceVersion: from, signal })) {
      const rows = table.rows.map((row) => readRow(row, Date.now()));
      this.#events.onChange(rows.flatMap((row) => (type === 'DELETED' ? this.#drop(row) : (this.#put(row) ?? []))));
      revision = rows.at(-1)?.revision || revision;
    }
    return revision;
  }

  /** Keeps the old columns if they have not changed, so that nothing is sorted again. */
  #takeColumns(columns: readonly TableColumn[]): void {
    if (columns.length > 0 && JSON.stringify(columns) !== JSON.stringify(this.columns)) this.columns = columns;
  }

  /** Returns the changed row, or `undefined` if nothing has changed. */
  #put(row: Row): RowChange | undefined {
    const before = this.#rows.get(row.id);
    const isSame = before?.revision === row.revision;
    if (isSame && before.cells.every((cell, at) => cell === row.cells[at])) return undefined;
    // Some cells change with time only, such as ages.
    const after = isSame ? { ...row, changedAt: before.changedAt } : row;
    this.#rows.set(row.id, after);
    return { before, after };
  }

  #drop({ id }: Row): RowChange {
    const before = this.#rows.get(id);
    this.#rows.delete(id);
    return { before, after: undefined };
  }

  #answered(error: unknown, changes: readonly RowChange[] = []): void {
    this.error = error;
    this.#events.onAnswer(error);
    this.#events.onChange(changes);
  }
}

/** Returns whether the server lets the user list objects but not watch them. */
const isRefusedWatch = (error: unknown): boolean =>
  isForbidden(error) || (error instanceof ApiError && error.code === 405);

function readRow({ cells, object }: TableRow, changedAt: number): Row {
  const {
    name = '',
    namespace = '',
    labels = {},
    creationTimestamp = '',
    resourceVersion = '',
  } = object?.metadata ?? {};
  const created = String(creationTimestamp);
  return { id: `${namespace}/${name}`, namespace, name, labels, created, cells, revision: resourceVersion, changedAt };
}

/** Resolves after a time, or once the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
