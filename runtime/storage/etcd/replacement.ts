/** Replaces all data of a store in etcd, marked as unfinished from the first change to the last. */
import type { RestoredObject, Revision } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import { type Connection, READ } from './connection.js';
import { encodeHead, type Layout } from './layout.js';
import { type RequestOp, range, txn } from './messages.js';
import { withPosition } from './numbering.js';
import type { EtcdData } from './records.js';
import {
  encodeState,
  FORMAT,
  isSameEpoch,
  type RestoreEpoch,
  type RestoreState,
  readRestoreEpoch,
} from './restore-epoch.js';

/** etcd takes 128 operations and 1.5 MiB in one transaction by default. */
const BATCH_OBJECTS = 100;
const BATCH_BYTES = 1024 * 1024;
const REMOVED_AT_ONCE = 1_000;
const ONCE = { withinMs: 10_000, repeatable: false };
/** The calls of a restore can be repeated. */
const REPEATABLE = { withinMs: 30_000, repeatable: true };

/**
 * Does what `Store.restore` promises. Keeps out other servers and other restores: they only make a change if no restore
 * has begun since they started. Rejects with an `EtcdError` if etcd refuses or cannot be reached.
 */
export async function replaceAll(
  { connection, layout, epoch, numbering, encryption }: EtcdData,
  objects: AsyncIterable<RestoredObject>,
  behind: Revision,
  secret?: Uint8Array,
): Promise<void> {
  const { header } = await connection.ask(range, { key: layout.head, keysOnly: true }, READ);
  const base = epoch.base + Math.max(0, behind - numbering.toStore(header?.revision ?? 0));
  const begun = await begin(connection, layout, epoch, { format: FORMAT, base, unfinished: true });
  const replacement = new Replacement(connection, layout, begun, encryption);
  await replacement.removeAll();
  for await (const restored of objects) await replacement.put(restored);
  await replacement.flush();
  if (secret) await replacement.change([{ requestPut: { key: layout.secret, value: Buffer.from(secret) } }]);
  await replacement.finish({ format: FORMAT, base, unfinished: false });
}

async function begin(
  connection: Pick<Connection, 'ask'>,
  layout: Layout,
  epoch: RestoreEpoch,
  state: RestoreState,
): Promise<RestoreEpoch> {
  const request = { compare: [isSameEpoch(layout, epoch)], success: stateChange(layout, state) };
  const { succeeded, header } = await connection.ask(txn, request, ONCE);
  if (!succeeded) throw overtaken();
  return { ...state, revision: header?.revision ?? 0 };
}

/** Writes the state and the head. The head notifies the servers, which wait for all changes up to it. */
function stateChange({ restore, head }: Layout, state: RestoreState): readonly RequestOp[] {
  return [
    { requestPut: { key: restore, value: encodeState(state) } },
    { requestPut: { key: head, value: encodeHead(1, []) } },
  ];
}

function overtaken(): Error {
  return new Error('another restore of the same store has begun');
}

class Replacement {
  readonly #connection: Pick<Connection, 'ask'>;
  readonly #layout: Layout;
  readonly #epoch: RestoreEpoch;
  readonly #encryption: Encryption | undefined;
  #batch: RestoredObject[] = [];
  #bytes = 0;

  constructor(
    connection: Pick<Connection, 'ask'>,
    layout: Layout,
    epoch: RestoreEpoch,
    encryption: Encryption | undefined,
  ) {
    this.#encryption = encryption;
    this.#connection = connection;
    this.#layout = layout;
    this.#epoch = epoch;
  }

  async removeAll(): Promise<void> {
    const { objectsStart: key, objectsEnd: rangeEnd } = this.#layout;
    for (;;) {
      const page = await this.#connection.ask(range, { key, rangeEnd, limit: REMOVED_AT_ONCE, keysOnly: true }, READ);
      const last = page.kvs?.at(-1)?.key;
      if (!last) return;
      await this.change([{ requestDeleteRange: { key, rangeEnd: Buffer.concat([last, Buffer.of(0)]) } }]);
    }
  }

  async put(restored: RestoredObject): Promise<void> {
    const bytes = Buffer.byteLength(restored.object.text) + Buffer.byteLength(restored.key);
    if (this.#batch.length === BATCH_OBJECTS || this.#bytes + bytes > BATCH_BYTES) await this.flush();
    this.#batch.push(restored);
    this.#bytes += bytes;
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#bytes = 0;
    try {
      await this.change(
        batch.map(({ key, object }, position) => {
          const value = Buffer.from(withPosition(object, position));
          return {
            requestPut: { key: this.#layout.object(key), value: this.#encryption?.encrypt(key, value) ?? value },
          };
        }),
      );
    } catch (error) {
      const which = batch.length === 1 ? batch[0]?.key : `${batch[0]?.key} to ${batch.at(-1)?.key}`;
      throw new Error(`${which}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  async change(success: readonly RequestOp[]): Promise<void> {
    if (!(await this.#make(success))) throw overtaken();
  }

  async finish(state: RestoreState): Promise<void> {
    if (await this.#make(stateChange(this.#layout, state))) return;
    // A first try may have written it before its answer was lost.
    if ((await readRestoreEpoch(this.#connection, this.#layout)).unfinished) throw overtaken();
  }

  async #make(success: readonly RequestOp[]): Promise<boolean> {
    const request = { compare: [isSameEpoch(this.#layout, this.#epoch)], success };
    return (await this.#connection.ask(txn, request, REPEATABLE)).succeeded ?? false;
  }
}
