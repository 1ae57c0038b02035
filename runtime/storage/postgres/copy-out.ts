/** Runs COPY … TO STDOUT, and passes on rows while more of them arrive. */
import type { Connection, Submittable } from 'pg';
import { CopiedRows, type Row } from './copied-rows.js';

/** The bytes of rows in a page. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * A call for the client. It runs statements, and one of them copies rows out. `take` gets about 8 MiB of rows at a
 * time. While it works, the server continues to send until the buffers between them are full, so the next page is
 * already on its way.
 */
export class CopyOut implements Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #take: (rows: readonly Row[]) => Promise<void> | void;
  readonly #rows = new CopiedRows();
  #page: Row[] = [];
  #bytes = 0;
  #taking: Promise<void> | undefined;
  #error: unknown;
  #movedAt = performance.now();
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(text: string, take: (rows: readonly Row[]) => Promise<void> | void) {
    this.#text = text;
    this.#take = take;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** The time for which the server has sent nothing although it could, in milliseconds. */
  get silentMs(): number {
    return this.#taking ? 0 : performance.now() - this.#movedAt;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: Connection): void {
    this.#movedAt = performance.now();
    if (this.#error !== undefined) return;
    this.#note(() => {
      for (const row of this.#rows.take(chunk)) this.#page.push(row);
    });
    this.#bytes += chunk.length;
    if (this.#bytes < PAGE_BYTES || this.#taking) return;
    const taking = this.#hand();
    if (!taking) return;
    stream.pause();
    // It never rejects.
    taking.then(() => stream.resume()).catch(() => {});
  }

  handleReadyForQuery(): void {
    void this.#finish();
  }

  handleError(error: unknown): void {
    this.#error ??= error;
    this.#settle?.reject(this.#error);
  }

  // Ignores the other answers.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}

  /** Passes on the last page. Never rejects: the caller that waits for the rows gets the error. */
  async #finish(): Promise<void> {
    await this.#taking;
    await this.#hand();
    if (this.#error === undefined) this.#settle?.resolve();
    else this.#settle?.reject(this.#error);
  }

  /** Passes on the page. Returns a promise, which never rejects, if that takes a while. */
  #hand(): Promise<void> | undefined {
    const page = this.#page;
    this.#page = [];
    this.#bytes = 0;
    if (page.length === 0 || this.#error !== undefined) return undefined;
    this.#note(() => {
      const taken = this.#take(page);
      if (taken) this.#taking = this.#taken(taken);
    });
    return this.#taking;
  }

  async #taken(taking: Promise<void>): Promise<void> {
    try {
      await taking;
    } catch (error) {
      this.#error ??= error;
    }
    this.#taking = undefined;
    this.#movedAt = performance.now();
  }

  #note(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#error ??= error;
    }
  }
}
