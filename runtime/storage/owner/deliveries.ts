/** Delivers changes to a worker, no faster than it reads. */
import { serialize } from 'node:v8';
import type { SharedChange, StoreEvent } from '../../contract/index.js';
import { Ring } from '../ring.js';
import type { Channel } from './channel.js';
import { bufferOf } from './found.js';
import type { Answer } from './messages.js';

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
      const changes = this.#next();
      this.#channel.send({ id: this.#id, is: 'changes', changes } satisfies Answer);
    }
  }

  /** Takes the changes of the next message. */
  #next(): readonly Uint8Array[] {
    const changes: Uint8Array[] = [];
    let bytes = 0;
    while (bytes < PIECE_BYTES) {
      const event = this.#waiting.shift();
      if (!event) break;
      bytes += sizeOf(event);
      changes.push(serializedOnce(event));
    }
    this.#bytes -= bytes;
    return changes;
  }
}

/** Counts what the smallest object takes in a message and in memory, too. */
const sizeOf = ({ entry }: StoreEvent): number => 256 + entry.bytes.length;

/**
 * The changes that were serialized in this turn, for the other workers. To keep them for longer would double what the
 * owner holds in memory.
 */
let serialized = new Map<StoreEvent['entry'], Uint8Array>();

function serializedOnce({ type, revision, entry, writer }: StoreEvent): Uint8Array {
  const known = serialized.get(entry);
  if (known) return known;
  const { key, attributes } = entry;
  const value = bufferOf(entry.bytes);
  const change: SharedChange & { readonly writer: string | undefined } = {
    key,
    revision,
    ...(type === 'DELETED' ? { last: value } : { value }),
    attributes,
    writer,
  };
  const bytes = serialize(change);
  if (serialized.size === 0) {
    setImmediate(() => {
      serialized = new Map();
    });
  }
  serialized.set(entry, bytes);
  return bytes;
}
