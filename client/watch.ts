/** Reads the events of a watch. */
import { ApiError, ConnectionError, isStatus } from './errors.js';
import { parseJson } from './json.js';
import { readLines } from './lines.js';
import type { TransportResponse } from './transport.js';
import type { WatchEvent } from './types.js';

/**
 * Events in order, until the stream ends; bookmarks only where they are wanted. An error that the server tells throws
 * `ApiError`, one of the connection `ConnectionError`. Lines that `isRead` refuses are passed over as text.
 */
export async function* readWatch<T>(
  open: () => Promise<TransportResponse>,
  withBookmarks: boolean,
  isRead: (line: string) => boolean = () => true,
): AsyncGenerator<WatchEvent<T>> {
  const response = await open();
  for await (const lines of readLines(response.chunks())) {
    for (const line of lines) {
      if (line === '' || !isRead(line)) continue;
      const event = readEvent<T>(line);
      if (event.type === 'ERROR') throw errorOf(event.object);
      if (event.type !== 'BOOKMARK' || withBookmarks) yield event;
    }
  }
}

const errorOf = (told: unknown): Error =>
  isStatus(told)
    ? new ApiError(told.code ?? 500, told)
    : new ConnectionError('the watch ended', 'the server told of an error without a Status');

function readEvent<T>(line: string): WatchEvent<T> | { type: 'ERROR'; object: unknown } {
  try {
    return parseJson(line);
  } catch (error) {
    throw new ConnectionError('a watch event is no JSON', error);
  }
}
