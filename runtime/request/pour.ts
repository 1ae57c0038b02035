/** Sends a list that is made piece by piece, each once the client has taken the one before it. */

import { getHeapStatistics } from 'node:v8';
import type { StreamSink, StreamStart } from './api-request.js';

/** How long a client may take for one piece, milliseconds. As long as the reference gives a whole request. */
const longestPieceMs = 60_000;

/**
 * Streams pieces. An empty one lets others have their turn. `failed` is told of a piece that could not be made; the answer
 * is broken off then.
 */
export function pour(
  pieces: Iterator<Uint8Array>,
  lists: ListsInMaking,
  failed: (error: unknown) => void,
): StreamStart {
  return (sink) => {
    let open = true;
    const stop = (): void => {
      open = false;
      clearTimeout(timer);
      end();
    };
    const breakOff = (): void => {
      stop();
      sink.destroy();
    };
    const timer = setTimeout(breakOff, longestPieceMs);
    timer.unref();
    const send = async (): Promise<void> => {
      for await (const taken of sent(pieces, sink)) {
        if (!open) return;
        if (taken) timer.refresh();
      }
      stop();
      sink.end();
    };
    const end = lists.begin(() => {
      send().catch((error: unknown) => {
        failed(error);
        breakOff();
      });
    });
    return stop;
  };
}

/** Sends pieces, and yields after each whether there was something for the client to take. */
async function* sent(pieces: Iterator<Uint8Array>, sink: StreamSink): AsyncGenerator<boolean> {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    const { value } = piece;
    if (value.length > 0) sink.write(value);
    await sink.taken();
    yield value.length > 0;
  }
}

/** Heap for each list in the making: its entries, and a piece of it that its client has not taken yet. */
const heapPerList = 2 * 1024 * 1024;

/** The lists of a server that are being made. */
export class ListsInMaking {
  readonly #most: number;
  readonly #making = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  /** `most` is as many as the heap has room for, where it is not given. */
  constructor(most = Math.max(1, Math.floor(getHeapStatistics().heap_size_limit / heapPerList))) {
    this.#most = most;
  }

  /** Whether a further list has to wait. */
  get isFull(): boolean {
    return this.#making.size >= this.#most;
  }

  /**
   * Has a list made, now or once there is room: an answer may begin after others have taken the room that it saw. Returns
   * what to call when it has ended.
   */
  begin(make: () => void): () => void {
    (this.isFull ? this.#waiting : this.#making).add(make);
    if (this.#making.has(make)) make();
    return () => {
      this.#waiting.delete(make);
      if (this.#making.delete(make)) this.#makeNext();
    };
  }

  #makeNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    this.#making.add(next);
    next();
  }
}
