/** Reads requests of Node servers, of HTTP/1.1 and of HTTP/2. */
import type { Result } from '../contract/index.js';
import { badRequest, requestEntityTooLarge } from '../objects/status.js';
import type { ApiRequest } from '../verbs/api-request.js';
import { isTakenBack, type NodeRequest } from './node-messages.js';

/** The request as verbs take it. `target` is path and query; those of the request where absent. */
export function readRequest(req: NodeRequest, target = req.url ?? '/', basePath = ''): ApiRequest {
  const mark = target.indexOf('?');
  let body: Promise<Result<Uint8Array>> | undefined;
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark + 1),
    basePath,
    headers: req.headers,
    valuesOf: (name) => valuesOf(req.rawHeaders, name),
    readBody: (limit) => {
      body ??= readBody(req, limit);
      return body;
    },
  };
}

/** All values of a header. Node joins those of most headers, so that commas in them cannot be told from those between. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** Reads a body up to a limit; a larger one is refused as soon as that is known. */
function readBody(req: NodeRequest, limit: number): Promise<Result<Uint8Array>> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve(tooLarge(limit));
  // Its end has passed and does not come again.
  if (req.readableEnded) return Promise.resolve(readBefore);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) resolve(tooLarge(limit));
      else chunks.push(chunk);
    });
    req.on('end', () => {
      if (isTakenBack(req)) return resolve(brokenOff);
      const [only] = chunks;
      resolve({ ok: true, value: chunks.length === 1 && only ? only : Buffer.concat(chunks, length) });
    });
    req.on('error', () => resolve(brokenOff));
  });
}

/** The failure of a request whose client went before its body was complete. */
export const brokenOff: Result<never> = {
  ok: false,
  failure: badRequest('the body of the request broke off'),
};

/** The failure of a request whose body a middleware has taken. */
export const readBefore: Result<never> = {
  ok: false,
  failure: badRequest('the body of the request was read before the server could; mount it before parsers of bodies'),
};

/** The failure of a request whose body is longer than the limit, in bytes. */
export const tooLarge = (limit: number): Result<never> => ({
  ok: false,
  failure: requestEntityTooLarge(`limit is ${limit}`),
});
