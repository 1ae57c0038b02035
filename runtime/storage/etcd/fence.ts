/**
 * Keeps a transaction with an unknown outcome from being made later, after it was repeated: a member that was frozen
 * may still pass it on after minutes. An object that was created twice would come back after its delete.
 */
import { toDriverError } from '../shared/errors.js';
import type { Connection } from './connection.js';
import { notMade } from './errors.js';
import type { Layout } from './layout.js';
import { type TxnRequest, type TxnResponse, txn, VERSION } from './messages.js';

/**
 * A key of this server. Each transaction that creates objects requires its version, so a new version ends all of them
 * before it. Other changes require a revision of their objects, which does not come back.
 */
export class Fence {
  readonly #connection: Pick<Connection, 'ask'>;
  readonly #key: Buffer;
  #version = 0;
  /** True if a transaction since the last version has an unknown outcome. */
  #isDue = false;

  /** `writer` is the name of this server. */
  constructor(connection: Pick<Connection, 'ask'>, layout: Layout, writer: string) {
    this.#connection = connection;
    this.#key = layout.fence(writer);
  }

  /** Sends a transaction that creates objects. Rejects with an `EtcdError`. */
  async send(request: TxnRequest, withinMs: number): Promise<TxnResponse> {
    const until = performance.now() + withinMs;
    if (this.#isDue) await this.#raise(withinMs).catch(notMade);
    const compare = [...request.compare, this.#condition];
    const left = Math.max(1, until - performance.now());
    try {
      return await this.#connection.ask(txn, { ...request, compare }, { withinMs: left, repeatable: false });
    } catch (error) {
      if (toDriverError(error).problem === 'uncertain') this.#isDue = true;
      throw error;
    }
  }

  get #condition() {
    return { target: VERSION, key: this.#key, version: this.#version } as const;
  }

  /** Increments the version. It does so once, even if the request is repeated or arrives late. */
  async #raise(withinMs: number): Promise<void> {
    const success = [{ requestPut: { key: this.#key } }];
    await this.#connection.ask(txn, { compare: [this.#condition], success }, { withinMs, repeatable: true });
    this.#version++;
    this.#isDue = false;
  }
}
