/** Turns the requests of h3 into requests for verbs, and these into requests of the Fetch standard for routes of h3. */
import { type H3Event, HTTPError } from 'h3';
import type { Failure, Result } from '../contract/index.js';
import { codeOf } from '../objects/status.js';
import type { ApiRequest } from '../request/api-request.js';
import { watchPace } from './body-progress.js';
import { brokenOff, readBefore, stopped, tooLarge } from './node-request.js';
import { firstValues, valuesOf } from './request-headers.js';
import { usualLimits } from './time-limits.js';

/** Returns the request behind an event. The part of the path that a mount leaves out is left out of its path, too. */
export function readEvent(event: H3Event): ApiRequest {
  const { method, headers } = event.req;
  const { pathname, search } = event.url;
  const node = event.runtime?.node?.req;
  // Apps that mount a path change the URL of the event; the URL of the request may change with it.
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

/** Methods that the Fetch standard forbids, and methods without a body. */
const forbidden = new Set(['CONNECT', 'TRACE', 'TRACK']);
const withoutBody = new Set(['GET', 'HEAD', ...forbidden]);

const isOfFetch = (method: string): boolean => !forbidden.has(method);

/**
 * Checks whether routes may be asked for a request; they see its path as `pathname`. They may not if the path is read
 * otherwise there, such as `/a/../b`: that is not the path that was authorized.
 */
export function isRoutable({ method, path }: ApiRequest, pathname: string): boolean {
  const asked = decoded(path);
  return isOfFetch(method) && asked !== undefined && asked === decoded(pathname) && !isRelative(asked);
}

/**
 * Checks whether a path leads elsewhere by `..`, behind escapes too: a route may read it so, and prefixes are
 * authorized.
 */
const isRelative = (path: string): boolean => /(^|[\\/])\.\.?([\\/]|$)/.test(path);

/** Decodes a path; returns `undefined` if an escape is malformed. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Makes the request of the Fetch standard. A body of more than `maxBodyBytes` breaks off. */
export function toWebRequest(request: ApiRequest, maxBodyBytes: number, url: string, signal: AbortSignal): Request {
  const { method } = request;
  const known = isOfFetch(method) ? method : 'GET';
  const body = bodyOf(request, maxBodyBytes);
  const sent = body ? { body, duplex: 'half' as const } : {};
  return new Request(url, { method: known, headers: toHeaders(request), signal, ...sent });
}

/** Returns the host that a request names, which may be any text; `localhost` if a URL cannot have it. */
export function hostOf({ headers }: ApiRequest): string {
  const host = headers.host ?? headers[':authority'];
  if (typeof host !== 'string') return 'localhost';
  if (host === lastHost) return host;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) return 'localhost';
  lastHost = host;
  return host;
}

/** The host of the last request: most name the same. */
let lastHost: string | undefined;

/** Returns all headers, repeated ones in order. HTTP/2 has more than headers among its headers. */
function toHeaders(request: ApiRequest): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of request.valuesOf?.(name) ?? [value].flat()) append(result, name, one);
  }
  return result;
}

/**
 * Adds a header. The Fetch standard takes a character for each byte. Clients in the same process can send invalid
 * names.
 */
function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, Buffer.from(value, 'utf8').toString('latin1'));
  } catch {
    // The API passes over such headers, too.
  }
}

const errorOf = ({ message, reason, code = codeOf(reason) }: Failure): HTTPError =>
  new HTTPError(message, { status: code });

/** Returns the body, read on demand; `null` for methods without one. It fails as the API would refuse it. */
function bodyOf(request: ApiRequest, maxBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (withoutBody.has(request.method)) return null;
  return new ReadableStream(
    {
      async pull(controller) {
        const body = await request.readBody(maxBytes);
        if (!body.ok) return controller.error(errorOf(body.failure));
        if (body.value.length > 0) controller.enqueue(new Uint8Array(body.value));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
