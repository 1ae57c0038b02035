/** A client whose writes are refused on this side as soon as a condition no longer holds. */
import { type ClientOptions, transportOf } from './create-client.js';

/** `check` is called right before each request that is no read, and throws where it must not be sent. */
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
