/** Sends a list that is made in pieces, each after the client has taken the one before. */

import { getHeapStatistics } from 'node:v8';
import type { StreamSink, StreamStart } from './api-request.js';

/** The time that a client may take for one piece, milliseconds: as long as the reference gives a whole request. */
const longestPieceMs = 60_000;

/**
 * Streams pieces. After an empty one, other requests get a turn. Calls `failed` if a piece cannot be made, and breaks
 * off the answer.
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

/** Sends pieces, and yields after each whether it had content. */
async function* sent(pieces: Iterator<Uint8Array>, sink: StreamSink): AsyncGenerator<boolean> {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    const { value } = piece;
    if (value.length > 0) sink.write(value);
    await sink.taken();
    yield value.length > 0;
  }
}

/** The heap for each list that is being made: its entries, and one piece that the client has not taken yet. */
const heapPerList = 2 * 1024 * 1024;

/** The lists that a server is making. */
export class ListsInMaking {
  readonly #most: number;
  readonly #making = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  /** `most` is the number of lists at a time. Default: as many as the heap has room for. */
  constructor(most = Math.max(1, Math.floor(getHeapStatistics().heap_size_limit / heapPerList))) {
    this.#most = most;
  }

  /** Whether the next list has to wait. */
  get isFull(): boolean {
    return this.#making.size >= this.#most;
  }

  /**
   * Starts to make a list, now or once there is room, because others may have taken the room since the answer began.
   * Returns a function to call at the end.
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
