/** Delivers changes to a worker, no faster than it reads. */
import { serialize } from 'node:v8';
import type { Entry, StoreEvent } from '../../contract/index.js';
import { Ring } from '../ring.js';
import type { Channel } from './channel.js';
import { bufferOf } from './found.js';
import type { Answer, WrittenChange } from './messages.js';

/** Bytes of objects in one message, and bytes that may wait for the worker before the next message. */
const PIECE_BYTES = 1024 * 1024;
const AHEAD_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of objects that may wait here, beside the history that the worker has asked for. A worker that is further behind
 * is cut off. It connects again, and follows from the last change that it has.
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

  /** Adds a change. It is sent with the others of this turn, unless the worker has to read first. */
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

  /** Notes that what was added so far is history, which is in memory in any case. */
  begun(): void {
    this.#most = this.#bytes + WAITING_BYTES;
  }

  /** Notes that the worker has read what was sent. */
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

/** Counts what the smallest object takes in a message and in memory, too. */
const sizeOf = ({ entry }: StoreEvent): number => 256 + entry.bytes.length;

/** The last message of this turn, for the other workers: as a rule, all get the same changes. */
let latest: { readonly first: Entry; readonly last: StoreEvent; readonly message: Uint8Array } | undefined;

/** Returns the message with events, which follow each other. To serialize them one by one takes several times as long. */
function messageOf(events: readonly StoreEvent[]): Uint8Array {
  const [first, last] = [events[0]?.entry, events.at(-1)];
  // A delete may have the entry of the change before it, so the revision counts, too. Other stores have the same revisions.
  const isLatest =
    latest?.first === first && latest?.last.entry === last?.entry && latest?.last.revision === last?.revision;
  if (latest && isLatest) return latest.message;
  const message = serialize({ is: 'changes', changes: events.map(changeOf) } satisfies Answer);
  if (!first || !last) return message;
  // To keep it for longer would double what the owner holds in memory.
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
