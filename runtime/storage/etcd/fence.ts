/**
 * Keeps a transaction with an unknown outcome from being made later, after it was repeated: a member that was frozen
 * may still pass it on after minutes. An object that was created twice would come back after its delete.
 */
import { toDriverError } from '../shared/errors.js';
import type { AskOptions } from './connection.js';
import { notMade } from './errors.js';
import type { Layout } from './layout.js';
import { CREATE, type TxnRequest, type TxnResponse } from './messages.js';

/** Sends a transaction. Rejects with an `EtcdError`. */
type AskTxn = (request: TxnRequest, options: AskOptions) => Promise<TxnResponse>;

/**
 * The fence of one server. Each transaction that creates objects requires the absence of a key. After an unknown
 * outcome, the server writes this key, which ends all transactions before it, and goes on with another key. Other
 * changes require a revision of their objects, which does not come back.
 */
export class Fence {
  readonly #ask: AskTxn;
  readonly #layout: Layout;
  readonly #writer: string;
  #number = 0;
  /** True if a transaction with the current key has an unknown outcome. */
  #isDue = false;
  #closing: Promise<void> | undefined;

  /** `writer` is the name of this server. No earlier server had it. */
  constructor(ask: AskTxn, layout: Layout, writer: string) {
    this.#ask = ask;
    this.#layout = layout;
    this.#writer = writer;
  }

  /** Sends a transaction that creates objects. Rejects with an `EtcdError`. */
  async send(request: TxnRequest, withinMs: number): Promise<TxnResponse> {
    const until = performance.now() + withinMs;
    if (this.#isDue) await this.#close(withinMs);
    const compare = [...request.compare, { target: CREATE, key: this.#key, createRevision: 0 } as const];
    const left = Math.max(1, until - performance.now());
    try {
      return await this.#ask({ ...request, compare }, { withinMs: left, repeatable: false });
    } catch (error) {
      if (toDriverError(error).problem === 'uncertain') this.#isDue = true;
      throw error;
    }
  }

  get #key(): Buffer {
    return this.#layout.fence(`${this.#writer}-${this.#number}`);
  }

  /** Writes the current key, once for all that wait, and goes on with the next. */
  #close(withinMs: number): Promise<void> {
    const request = { compare: [], success: [{ requestPut: { key: this.#key } }] };
    this.#closing ??= this.#ask(request, { withinMs, repeatable: true })
      .then(() => {
        this.#number++;
        this.#isDue = false;
      }, notMade)
      .finally(() => {
        this.#closing = undefined;
      });
    return this.#closing;
  }
}
