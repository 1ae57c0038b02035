/** Delivers changes to a worker, no faster than the worker reads. */
import { serialize } from 'node:v8';
import type { Entry, StoreEvent } from '../../contract/index.js';
import { Ring } from '../ring.js';
import type { Channel } from './channel.js';
import { bufferOf } from './found.js';
import type { Answer, WrittenChange } from './messages.js';

/** The bytes of objects in one message. Also the bytes that may wait for the worker before the next message. */
const PIECE_BYTES = 1024 * 1024;
const AHEAD_BYTES = 4 * 1024 * 1024;
/**
 * The bytes of objects that may wait here, besides the history that the worker has asked for. A worker that is further
 * behind is disconnected. It connects again, and follows from its last change.
 */
const WAITING_BYTES = 64 * 1024 * 1024;

export class Deliveries {
  readonly #channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>;
  readonly #id: number;
  #waiting = new Ring<StoreEvent>();
  #bytes = 0;
  #most = Number.POSITIVE_INFINITY;
  #isScheduled = false;

  /** `id` is the number of the question that the changes answer. */
  constructor(channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>, id: number) {
    this.#channel = channel;
    this.#id = id;
  }

  /** Adds a change. Sends it with the other changes of this turn, unless the worker must read first. */
  add(event: StoreEvent): void {
    this.#waiting.push(event);
    this.#bytes += sizeOf(event);
    if (this.#bytes > this.#most) {
      this.stop();
      this.#channel.close();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(() => this.#send());
    }
  }

  /** Notes that all changes so far are history, which is in memory anyway. */
  begun(): void {
    this.#most = this.#bytes + WAITING_BYTES;
  }

  /** Notes that the worker has read all sent messages. */
  drained(): void {
    if (this.#waiting.length > 0) this.#send();
  }

  stop(): void {
    this.#waiting = new Ring();
    this.#bytes = 0;
  }

  #send(): void {
    this.#isScheduled = false;
    while (this.#waiting.length > 0 && this.#channel.waitingBytes < AHEAD_BYTES) {
      this.#channel.send(this.#id, messageOf(this.#next()));
    }
  }

  /** Takes the changes of the next message. */
  #next(): readonly StoreEvent[] {
    const events: StoreEvent[] = [];
    let bytes = 0;
    while (bytes < PIECE_BYTES) {
      const event = this.#waiting.shift();
      if (!event) break;
      bytes += sizeOf(event);
      events.push(event);
    }
    this.#bytes -= bytes;
    return events;
  }
}

/** Includes the size of the smallest object in a message and in memory. */
const sizeOf = ({ entry }: StoreEvent): number => 256 + entry.bytes.length;

/** The last message of this turn, for the other workers: usually all get the same changes. */
let latest: { readonly first: Entry; readonly last: StoreEvent; readonly message: Uint8Array } | undefined;

/** Returns the message with consecutive events. Serializing them one by one takes several times as long. */
function messageOf(events: readonly StoreEvent[]): Uint8Array {
  const [first, last] = [events[0]?.entry, events.at(-1)];
  // A delete may have the entry of the change before it, so the revision is compared too. Other stores have the same
  // revisions.
  const isLatest =
    latest?.first === first && latest?.last.entry === last?.entry && latest?.last.revision === last?.revision;
  if (latest && isLatest) return latest.message;
  const message = serialize({ is: 'changes', changes: events.map(changeOf) } satisfies Answer);
  if (!first || !last) return message;
  // Keeping it for longer would double the memory of the owner.
  if (!latest) setImmediate(forget);
  latest = { first, last, message };
  return message;
}

function forget(): void {
  latest = undefined;
}

function changeOf({ type, revision, entry, writer }: StoreEvent): WrittenChange {
  const { key, attributes } = entry;
  const value = bufferOf(entry.bytes);
  return { key, revision, ...(type === 'DELETED' ? { last: value } : { value }), attributes, writer };
}
