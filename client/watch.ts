/** Reads the events of a watch. */
import { ApiError, isStatus } from './errors.js';
import { readLines } from './lines.js';
import type { TransportResponse } from './transport.js';
import type { WatchEvent } from './types.js';

/** Events in order, until the stream ends. An error that the server tells throws `ApiError`. */
export async function* readWatch<T>(response: TransportResponse): AsyncGenerator<WatchEvent<T>> {
  for await (const line of readLines(response.chunks())) {
    if (line === '') continue;
    const event: WatchEvent<T> | { type: 'ERROR'; object: unknown } = JSON.parse(line);
    if (event.type !== 'ERROR') yield event;
    else if (isStatus(event.object)) throw new ApiError(event.object.code ?? 500, event.object);
    else throw new Error('the watch ended with an error that has no Status');
  }
}
