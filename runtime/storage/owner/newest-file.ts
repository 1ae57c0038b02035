/**
 * The newest revision of an owner's store, in a file of its folder. Workers read it with each consistent read, because
 * a question to the owner would take longer than the rest of a get. The file stays in the kernel's memory.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { Revision } from '../../contract/index.js';

/** The revision and its negative. They show that both come from one write. */
const BYTES = 16;
const UNKNOWN = -1;

export const newestFileOf = (socket: string): string => `${socket}.newest`;

/** The owner's side of the file. */
export class NewestWriter {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes = Buffer.alloc(BYTES);

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w', 0o600);
  }

  /** Writes the revision; `undefined` if workers must ask. */
  write(revision: Revision = UNKNOWN): void {
    this.#bytes.writeDoubleLE(revision, 0);
    this.#bytes.writeDoubleLE(-revision, 8);
    writeSync(this.#file, this.#bytes, 0, BYTES, 0);
  }

  /** Makes workers ask from now on. */
  close(): void {
    this.write(undefined);
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

/** The workers' side of the file. */
export class NewestReader {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(BYTES);

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** Returns the revision; `undefined` if the worker must ask the owner. */
  read(): Revision | undefined {
    if (readSync(this.#file, this.#bytes, 0, BYTES, 0) !== BYTES) return undefined;
    const revision = this.#bytes.readDoubleLE(0);
    return revision >= 0 && this.#bytes.readDoubleLE(8) === -revision ? revision : undefined;
  }

  close(): void {
    closeSync(this.#file);
  }
}
