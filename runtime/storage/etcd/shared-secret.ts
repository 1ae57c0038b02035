/** Random bytes that all servers over the same data share: made by the first, found by the others. */
import { randomBytes } from 'node:crypto';
import { type Connection, READ } from './connection.js';
import type { Layout } from './layout.js';
import { CREATE } from './messages.js';
import { range, txn } from './protocol.js';

const LENGTH = 32;

/** The secret. Rejects with an `EtcdError`. */
export async function sharedSecret(connection: Connection, { secret: key }: Layout): Promise<Uint8Array> {
  const own = randomBytes(LENGTH);
  const request = {
    compare: [{ target: CREATE, key, createRevision: 0 }],
    success: [{ requestPut: { key, value: own } }, { requestRange: { key } }],
    failure: [{ requestRange: { key } }],
  } as const;
  // Made twice, it finds what it has made the first time.
  const { responses = [] } = await connection.ask(txn, request, READ);
  return responses.at(-1)?.responseRange?.kvs?.[0]?.value ?? own;
}

/** The secret where one was made. Rejects with an `EtcdError`. */
export async function foundSecret(connection: Connection, { secret: key }: Layout): Promise<Uint8Array | undefined> {
  return (await connection.ask(range, { key }, READ)).kvs?.[0]?.value;
}
