/** Sends a list that is made piece by piece, each once the client has taken the one before it. */
import type { StreamSink, StreamStart } from './api-request.js';
import type { ListsInMaking } from './lists-in-making.js';

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
