/** Answers to what is no request that anybody could look at, in plain text, after which the connection is closed. */
import type { ApiResponse } from '../request/api-request.js';

/** The refusal by a text that begins with its code. */
export const refusal = (text: string, headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  code: Number(text.slice(0, 3)),
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff', connection: 'close', ...headers },
  body: Buffer.from(text),
});

/** The answer where nothing is served. */
export const pageNotFound: ApiResponse = {
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
};

/** The answer to a request on a connection that is one too many. */
export const tooManyConnections = refusal('503 Service Unavailable: too many connections, please try again later.', {
  'retry-after': '1',
});
