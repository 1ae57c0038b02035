/** Reads the events of a watch. */
import { ApiError, ConnectionError, isStatus } from './errors.js';
import { parseJson } from './json.js';
import { readLines } from './lines.js';
import type { TransportResponse } from './transport.js';
import type { WatchEvent } from './types.js';

/** Events in order, until the stream ends. An error that the server tells throws `ApiError`, one of the connection `ConnectionError`. */
export async function* readWatch<T>(response: TransportResponse): AsyncGenerator<WatchEvent<T>> {
  for await (const line of readLines(response.chunks())) {
    if (line === '') continue;
    const event = readEvent<T>(line);
    if (event.type !== 'ERROR') yield event;
    else if (isStatus(event.object)) throw new ApiError(event.object.code ?? 500, event.object);
    else throw new ConnectionError('the watch ended', 'the server told of an error without a Status');
  }
}

function readEvent<T>(line: string): WatchEvent<T> | { type: 'ERROR'; object: unknown } {
  try {
    return parseJson(line);
  } catch (error) {
    throw new ConnectionError('a watch event is no JSON', error);
  }
}
