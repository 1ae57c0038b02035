/**
 * Makes events of h3 from requests of the API, and requests of the API from events of other apps. The Fetch request of
 * an event costs nothing until code uses it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type H3, H3Event, type H3EventContext, HTTPError } from 'h3';
import { FastURL } from 'srvx/node';
import type { Can, Failure, Result, UserInfo } from '../contract/index.js';
import { codeOf } from '../objects/status.js';
import type { ApiRequest } from '../request/api-request.js';
import { usualLimits } from './limits.js';
import { isNodeResponse, type NodeRequest, type NodeResponse, watchPace } from './node-messages.js';
import { brokenOff, firstValues, readBefore, stopped, tooLarge, valuesOf } from './node-request.js';

/** Facts about a request, for handlers. It is a class because each request makes one (see `eventOf`). */
export class EventContext implements H3EventContext {
  [key: string]: unknown;
  [key: symbol]: unknown;
  user?: UserInfo;
  can?: Can;
}

/**
 * Makes the event of a request, with the request of Node unless its client is in the same process. Does not use the
 * requests of `srvx`, because they are object literals. V8 keeps those until a full garbage collection, so a get would
 * take a third longer.
 */
export function eventOf(
  app: H3,
  context: EventContext,
  request: ApiRequest,
  maxBodyBytes: number,
  req?: NodeRequest,
  res?: NodeResponse,
): H3Event {
  return new H3Event(new EventRequest(request, maxBodyBytes, req, res), context, app);
}

/** A class with the members of a `Request`. Each member reads the real request, which is made on demand. */
const LazyRequest = delegating();

function delegating(): new () => Request & { made(): Request } {
  class Delegating {
    made(): Request {
      throw new Error('a subclass must make the request');
    }
  }
  const { constructor: _constructor, ...members } = Object.getOwnPropertyDescriptors(Request.prototype);
  for (const name of Object.keys(members)) {
    Object.defineProperty(Delegating.prototype, name, {
      get(this: Delegating): unknown {
        const made = this.made();
        const value: unknown = Reflect.get(made, name);
        return typeof value === 'function' ? value.bind(made) : value;
      },
    });
  }
  Object.setPrototypeOf(Delegating.prototype, Request.prototype);
  return Object.setPrototypeOf(Delegating, Request);
}

/**
 * A request as middleware and routes see it. Its body is the API's, with the same limits on size and pace, so
 * middleware may read it first.
 */
class EventRequest extends LazyRequest {
  context: H3EventContext | undefined = undefined;
  readonly _url: URL;
  readonly #request: ApiRequest;
  readonly #maxBodyBytes: number;
  readonly #req: NodeRequest | undefined;
  readonly #res: NodeResponse | undefined;
  #runtime: Runtime | undefined = undefined;
  #made: Request | undefined = undefined;

  constructor(request: ApiRequest, maxBodyBytes: number, req: NodeRequest | undefined, res: NodeResponse | undefined) {
    super();
    this._url = new FastURL(new UrlParts(request, req));
    this.#request = request;
    this.#maxBodyBytes = maxBodyBytes;
    this.#req = req;
    this.#res = res;
  }

  override get method(): string {
    return this.#request.method;
  }

  override get url(): string {
    return this._url.href;
  }

  get ip(): string | undefined {
    return this.#request.remoteAddress?.();
  }

  get runtime(): Runtime | undefined {
    if (this.#req) this.#runtime ??= runtimeOf(this.#req, this.#res);
    return this.#runtime;
  }

  /** Makes the real request. Its signal aborts if the client leaves before it has the whole answer. */
  override made(): Request {
    this.#made ??= toWebRequest(this.#request, this.#maxBodyBytes, this._url.href, signalOf(this.#res ?? this.#req));
    return this.#made;
  }

  /** Returns the same. h3 and `srvx` read it by this name if they need a real request. */
  get _request(): Request {
    return this.made();
  }
}

/** The parts of a request's URL. */
class UrlParts {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;

  constructor(request: ApiRequest, req: NodeRequest | undefined) {
    const { path, search } = request;
    this.protocol = req && 'encrypted' in req.socket ? 'https:' : 'http:';
    this.host = hostOf(request);
    this.pathname = path.startsWith('/') ? path : `/${path}`;
    this.search = search === '' ? '' : `?${search}`;
  }
}

/** The messages of Node, for middleware that needs Node. */
interface Runtime {
  readonly name: 'node';
  readonly node: {
    readonly req: IncomingMessage | Http2ServerRequest;
    readonly res?: ServerResponse | Http2ServerResponse;
  };
}

const runtimeOf = (req: NodeRequest, res: NodeResponse | undefined): Runtime => ({
  name: 'node',
  node: res && isNodeResponse(res) ? { req, res } : { req },
});

function signalOf(message: NodeRequest | NodeResponse | undefined): AbortSignal {
  const leaving = new AbortController();
  message?.once('close', () => {
    if (!('writableEnded' in message) || message.writableEnded !== true) leaving.abort();
  });
  return leaving.signal;
}

/** Returns the request of an event. If another app mounts this one under a path, the request's path lacks it, too. */
export function readEvent(event: H3Event): ApiRequest {
  const { method, headers } = event.req;
  const { pathname, search } = event.url;
  const node = event.runtime?.node?.req;
  // An app that mounts another one changes the URL of the event. The URL of the request may change with it.
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

/** Reads a body up to a limit. Refuses a larger body as soon as its size is known, and a body that stops arriving. */
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
 * Checks whether routes may answer a request. They see its path as `pathname`. If this can mean another path, such as
 * `/a/../b`, they may not, because nobody has authorized the other path.
 */
export function isRoutable({ method, path }: ApiRequest, pathname: string): boolean {
  const asked = decoded(path);
  return isOfFetch(method) && asked !== undefined && asked === decoded(pathname) && !isRelative(asked);
}

/** Checks for the segments `.` and `..`. A route may resolve them, and so leave the authorized prefix. */
const isRelative = (path: string): boolean => /(^|[\\/])\.\.?([\\/]|$)/.test(path);

/** Decodes a path; returns `undefined` if an escape is malformed. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Makes the request of the Fetch standard. A body of more than `maxBodyBytes` fails while it is read. */
function toWebRequest(request: ApiRequest, maxBodyBytes: number, url: string, signal: AbortSignal): Request {
  const { method } = request;
  const known = isOfFetch(method) ? method : 'GET';
  const body = bodyOf(request, maxBodyBytes);
  const sent = body ? { body, duplex: 'half' as const } : {};
  return new Request(url, { method: known, headers: toHeaders(request), signal, ...sent });
}

/** Returns the host that a request names; `localhost` if a URL cannot have it. Clients may send any text as host. */
function hostOf({ headers }: ApiRequest): string {
  const host = headers.host ?? headers[':authority'];
  if (typeof host !== 'string') return 'localhost';
  if (host === lastHost) return host;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}/`)) return 'localhost';
  lastHost = host;
  return host;
}

/** The host of the last request, because most requests name the same. */
let lastHost: string | undefined;

/** Returns all headers, repeated ones in order. Skips the pseudo-headers of HTTP/2. */
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
    // The API ignores such headers, too.
  }
}

const errorOf = ({ message, reason, code = codeOf(reason) }: Failure): HTTPError =>
  new HTTPError(message, { status: code });

/**
 * Returns the body as a stream that reads on demand; `null` for methods without a body. The stream fails if the API
 * would refuse the body.
 */
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
