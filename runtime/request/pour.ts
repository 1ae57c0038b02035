/** Sends a list in pieces. Makes each piece after the client has taken the previous one. */

import { getHeapStatistics } from 'node:v8';
import type { StreamSink, StreamStart } from './api-request.js';

/** The time that a client may take for one piece, in milliseconds. The reference gives a whole request as long. */
const longestPieceMs = 60_000;

/**
 * Streams pieces. After an empty piece, other requests get a turn. If a piece fails, calls `failed` and breaks off the
 * answer.
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

/** Sends pieces. Yields after each whether it had content. */
async function* sent(pieces: Iterator<Uint8Array>, sink: StreamSink): AsyncGenerator<boolean> {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    const { value } = piece;
    if (value.length > 0) sink.write(value);
    await sink.taken();
    yield value.length > 0;
  }
}

/** The heap for each list in progress: its entries, and one piece that the client has not taken yet. */
const heapPerList = 2 * 1024 * 1024;

/** The lists that a server is making. */
export class ListsInMaking {
  readonly #most: number;
  readonly #making = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  /** `most` is the most lists at a time. Default: as many as fit in the heap. */
  constructor(most = Math.max(1, Math.floor(getHeapStatistics().heap_size_limit / heapPerList))) {
    this.#most = most;
  }

  /** Whether the next list must wait. */
  get isFull(): boolean {
    return this.#making.size >= this.#most;
  }

  /**
   * Starts to make a list, at once or when there is room, because other lists may have taken the room since the answer
   * began. Returns a function to call at the end.
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
