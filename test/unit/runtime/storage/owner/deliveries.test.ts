/** The owner sends changes to a worker no faster than it reads, and keeps few of them in memory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { beforeEach, expect, it } from 'vitest';
import type { StoreEvent } from '../../../../../runtime/contract/index.js';
import { Deliveries } from '../../../../../runtime/storage/owner/deliveries.js';
import type { Answer } from '../../../../../runtime/storage/owner/messages.js';

/** A socket of a worker that reads only when the test calls it. */
class UnreadChannel {
  waitingBytes = 0;
  isClosed = false;
  readonly messages: (readonly number[])[] = [];

  send(_id: number, message: Uint8Array): void {
    const { changes }: Extract<Answer, { readonly is: 'changes' }> = deserialize(message);
    this.messages.push(changes.map(({ revision }) => revision));
    this.waitingBytes += message.length;
  }

  close(): void {
    this.isClosed = true;
  }

  get revisions(): readonly number[] {
    return this.messages.flat();
  }
}

const event = (revision: number, bytes: number): StoreEvent => ({
  type: 'ADDED',
  revision,
  entry: { key: `g/things/${revision}`, revision, bytes: Buffer.alloc(bytes), attributes: { labels: {}, fields: {} } },
});

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

let channel: UnreadChannel;
let deliveries: Deliveries;
beforeEach(() => {
  channel = new UnreadChannel();
  deliveries = new Deliveries(channel, 1);
});

it('sends the changes of one turn together', async () => {
  deliveries.begun();
  for (const revision of upTo(3)) deliveries.add(event(revision, 10));
  expect(channel.messages).toEqual([]);
  await nextTurn();
  deliveries.add(event(4, 10));
  await nextTurn();
  expect(channel.messages).toEqual([[1, 2, 3], [4]]);
});

it('sends a long history as the worker reads it, in order', async () => {
  for (const revision of upTo(300)) deliveries.add(event(revision, 1024 * 1024));
  deliveries.begun();
  await nextTurn();
  expect(channel.waitingBytes).toBeLessThan(6 * 1024 * 1024);
  for (let reads = 0; reads < 300 && channel.revisions.length < 300; reads++) {
    channel.waitingBytes = 0;
    deliveries.drained();
  }
  deliveries.add(event(301, 10));
  channel.waitingBytes = 0;
  await nextTurn();
  expect(channel.revisions).toEqual(upTo(301));
  expect(channel.isClosed).toBe(false);
});

it('cuts off a worker that does not read', async () => {
  deliveries.begun();
  for (const revision of upTo(60)) deliveries.add(event(revision, 1024 * 1024));
  await nextTurn();
  expect(channel.isClosed).toBe(false);
  for (const revision of upTo(20)) deliveries.add(event(60 + revision, 1024 * 1024));
  expect(channel.isClosed).toBe(true);
});
