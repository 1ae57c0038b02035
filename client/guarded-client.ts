/** A client that refuses writes as soon as a condition no longer holds. */
import { type ClientOptions, transportOf } from './create-client.js';

/** Calls `check` right before each request that is not a read. `check` throws if the request must not be sent. */
export function guardWrites(options: ClientOptions, check: () => void): ClientOptions {
  const transport = transportOf(options);
  return {
    ...options,
    transport: {
      send: async (request) => {
        if (request.method !== 'GET') check();
        return transport.send(request);
      },
    },
  };
}
