/** Reads the events of a watch. */
import { ApiError, ConnectionError, isStatus } from './errors.js';
import { parseJson } from './json.js';
import type { Parameters } from './requests.js';
import type { TransportResponse } from './transport.js';
import type { WatchEvent } from './types.js';

/**
 * Yields events in order until the stream ends, and bookmarks if wanted. Throws an `ApiError` for an error that the
 * server reports, and a `ConnectionError` if the connection breaks. Skips lines that `isRead` refuses, and does not
 * parse them. `open` begins the watch, or continues it from a revision: Node's fetch gives up after five minutes of
 * silence, but that does not end a watch.
 */
export async function* readWatch<T>(
  open: (from?: Parameters) => Promise<TransportResponse>,
  withBookmarks: boolean,
  isRead: (line: string) => boolean = () => true,
): AsyncGenerator<WatchEvent<T>> {
  let from: Parameters = {};
  for (;;) {
    const response = await open(from);
    try {
      for await (const lines of readLines(response.chunks())) {
        for (const line of lines) {
          if (line === '' || !isRead(line)) continue;
          const event = readEvent<T>(line);
          if (event.type === 'ERROR') throw errorOf(event.object);
          from = after(event.object) ?? from;
          if (event.type !== 'BOOKMARK' || withBookmarks) yield event;
        }
      }
      return;
    } catch (error) {
      if (!isOfSilence(error)) throw error;
    }
  }
}

/** Returns the parameters of a watch that continues after an object. */
function after(object: unknown): Parameters | undefined {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return undefined;
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null || !('resourceVersion' in metadata)) return undefined;
  const resourceVersion = String(metadata.resourceVersion);
  return { resourceVersion, resourceVersionMatch: undefined, sendInitialEvents: undefined };
}

/** Returns whether a client has ended a connection because the server was silent. */
function isOfSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'UND_ERR_BODY_TIMEOUT') || isOfSilence(error.cause);
}

const errorOf = (told: unknown): Error =>
  isStatus(told)
    ? new ApiError(told.code ?? 500, told)
    : new ConnectionError('the watch ended', 'the server reported an error without a Status');

function readEvent<T>(line: string): WatchEvent<T> | { type: 'ERROR'; object: unknown } {
  try {
    return parseJson(line);
  } catch (error) {
    throw new ConnectionError('a watch event is not JSON', error);
  }
}

/**
 * Yields the lines of a stream. Joins lines that end in one chunk. Yields a last line without a line end unless it is
 * empty. Takes linear time.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  const pending: string[] = [];
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = pending.splice(0).join('') + lines[0];
      yield lines;
    }
    pending.push(rest);
  }
  const last = pending.join('') + decoder.decode();
  if (last !== '') yield [last];
}
