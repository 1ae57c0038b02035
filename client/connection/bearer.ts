/** Sends a bearer token that may change: asks for the token before each request, and again after a 401. */
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { untilAborted } from './until-aborted.js';

/**
 * Returns the token to send, or `undefined` to send none. `refused` is a token that the server has just answered with
 * 401. The client tries a different token once, and does not retry with the same token.
 */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

/** Wraps a transport. Rejects with what the source throws. */
export function bearing(transport: Transport, source: TokenSource): Transport {
  const send = (token: string | undefined, request: TransportRequest): Promise<TransportResponse> => {
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return transport.send({ ...request, headers: { ...request.headers, ...authorization } });
  };
  const ask = async (signal?: AbortSignal, refused?: string): Promise<string | undefined> =>
    untilAborted(Promise.resolve(source(refused)), signal);
  return {
    async send(request) {
      const token = await ask(request.signal);
      const response = await send(token, request);
      if (response.status !== 401) return response;
      const other = await ask(request.signal, token);
      if (other === token) return response;
      await response.text();
      return send(other, request);
    },
  };
}
