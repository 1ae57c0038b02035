/** Turns the requests of h3 into those of verbs, and these into requests of the Fetch standard for routes of h3. */
import type { H3Event } from 'h3';
import type { Result } from '../contract/index.js';
import type { ApiRequest } from '../verbs/api-request.js';
import { watchPace } from './body-progress.js';
import { brokenOff, readBefore, stopped, tooLarge } from './node-request.js';
import { firstValues, valuesOf } from './request-headers.js';
import { usualLimits } from './time-limits.js';

/** The request behind an event. What a mounted path leaves out is left out of its path, too. */
export function readEvent(event: H3Event): ApiRequest {
  const { method, headers } = event.req;
  const { pathname, search } = event.url;
  const node = event.runtime?.node?.req;
  // Apps that mount a path change the URL of the event, which that of the request may be.
  const asked = node?.url?.replace(/\?.*/s, '') ?? new URL(event.req.url).pathname;
  let body: Promise<Result<Uint8Array>> | undefined;
  return {
    method,
    path: pathname,
    search: search.slice(1),
    basePath: asked.endsWith(pathname) ? asked.slice(0, -pathname.length) : '',
    tags: {},
    headers: node ? firstValues(node.rawHeaders) : Object.fromEntries(headers),
    valuesOf: (name) => (node ? valuesOf(node.rawHeaders, name) : (headers.get(name)?.split(/, */) ?? [])),
    readBody: (limit) => {
      body ??= readBody(event.req, limit);
      return body;
    },
  };
}

/** Reads a body up to a limit; a larger one is refused as soon as that is known, and so is one that stops coming. */
function readBody({ body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>, limit: number): Promise<Result<Uint8Array>> {
  if (bodyUsed) return Promise.resolve(readBefore);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const read = async (): Promise<Result<Uint8Array>> => {
    try {
      for await (const chunk of body ?? []) {
        length += chunk.length;
        if (length > limit) return tooLarge(limit);
        chunks.push(chunk);
      }
    } catch {
      return brokenOff;
    }
    return { ok: true, value: Buffer.concat(chunks, length) };
  };
  return new Promise((resolve) => {
    const end = watchPace(
      usualLimits.bodyPace,
      () => length,
      () => resolve(stopped),
    );
    read()
      .then(resolve, () => resolve(brokenOff))
      .finally(end);
  });
}

/** Methods that have no body, and those that the Fetch standard forbids. */
const withoutBody = new Set(['GET', 'HEAD']);
const forbidden = new Set(['CONNECT', 'TRACE', 'TRACK']);

/**
 * The request as the Fetch standard has it. Absent where its path is read otherwise there, such as `/a/../b`: that is
 * not the path that was authorized. A body of more than `maxBodyBytes` breaks off.
 */
export function toWebRequest(request: ApiRequest, maxBodyBytes: number): Request | undefined {
  const { method, path, search } = request;
  const url = urlOf(request);
  if (forbidden.has(method) || decoded(url.pathname) !== decoded(path) || isRelative(decoded(path))) return undefined;
  url.search = search;
  const body = withoutBody.has(method) ? {} : { body: bodyOf(request, maxBodyBytes), duplex: 'half' as const };
  return new Request(url, { method, headers: toHeaders(request), ...body });
}

/** Whether a path leads elsewhere by `..`, behind escapes too: a route may read it so, and prefixes are authorized. */
const isRelative = (path: string | undefined): boolean => path !== undefined && /(^|[\\/])\.\.?([\\/]|$)/.test(path);

function urlOf({ path, headers }: ApiRequest): URL {
  const url = new URL('http://localhost/');
  const host = headers.host ?? headers[':authority'];
  if (typeof host === 'string') url.host = host;
  url.pathname = path;
  return url;
}

/** `undefined` where an escape is malformed. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** All headers, repeated ones in order. HTTP/2 has more than headers among its headers. */
function toHeaders(request: ApiRequest): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of request.valuesOf?.(name) ?? [value].flat()) result.append(name, toBytes(one));
  }
  return result;
}

/** The Fetch standard takes a character for each byte. */
const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** The body, read when it is asked for. */
const bodyOf = (request: ApiRequest, maxBytes: number): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const body = await request.readBody(maxBytes);
        if (!body.ok) return controller.error(new Error(body.failure.message));
        controller.enqueue(body.value);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
