/** A request, its query and its answer, for HTTP and the in-process client. */
import type { Readable } from 'node:stream';
import type {
  Allows,
  Authenticated,
  ClientCertificate,
  ExplainAdmission,
  Failure,
  JsonObject,
  Result,
  Revision,
  UserInfo,
} from '../contract/index.js';
import { memoize } from '../objects/memoize.js';
import { parseInt64, parseUint64 } from '../objects/scan/numbers.js';
import { badRequest } from '../objects/status.js';
import type { MaybePromise } from '../objects/turns.js';

/** Header values by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A connection of a client, which may carry several requests. */
export interface ClientConnection {
  once(event: 'close', listener: () => void): unknown;
  /** Refuses further requests on it. Absent if a header of an answer does so, as in HTTP/1.1. */
  close?(): unknown;
}

/** One request as it arrived. */
export interface ApiRequest {
  readonly method: string;
  /** The path as the client sent it, with percent-encoding, without the query. */
  readonly path: string;
  /** The query as the client sent it, without its `?`; empty if there is none. */
  readonly search: string;
  /** The path under which an app mounts the server; `path` does not contain it. Absent or empty for the root. */
  readonly basePath?: string;
  /** The headers. A repeated header has its first value or all values. */
  readonly headers: RequestHeaders;
  /** Whether the request line has the whole URL. Clients only send it to proxies. */
  readonly throughProxy?: boolean;
  /** Returns all values of a header by its lower-case name; absent if `headers` has them all. */
  readonly valuesOf?: (name: string) => readonly string[];
  /** Returns the address of the client; absent if the request did not come over a network. */
  readonly remoteAddress?: () => string | undefined;
  /** The client's certificate, verified or not; absent if the client has shown none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Returns whether the client has disconnected, so that it cannot get an answer; absent if this is unknown. */
  readonly isGone?: () => boolean;
  /**
   * Returns the connection of the request; absent or `undefined` if there is none, or if the client has disconnected.
   */
  readonly connection?: () => ClientConnection | undefined;
  /** Notes on the request; absent if no code would read them. */
  readonly tags?: RequestTags | undefined;
  /** The app that the request passes through; absent for requests of the server itself. */
  passing?: Passing | undefined;
  /** Receives the steps of admission; absent for nearly all requests. */
  readonly explain?: ExplainAdmission;
  /** Reads the whole body. Later calls return the same. Fails with `RequestEntityTooLarge` above `limit` bytes. */
  readBody(limit: number): Promise<Result<Uint8Array>>;
  /** Returns the request as a stream for a proxy; absent or `undefined` if only the whole body can be read. */
  readonly passOn?: () => PassedRequest | undefined;
}

/** The parts of a request that a proxy forwards without reading them first. */
export interface PassedRequest {
  /** The body, which waits for its reader; `undefined` if there is none. */
  readonly body: Readable | undefined;
  /** Whether the connection can switch to another protocol after a 101. */
  readonly upgradable: boolean;
  /** Calls a function once the client has disconnected. Returns a function that removes the listener. */
  onGone(gone: () => void): () => void;
}

/** Takes one request through an app: through users' middleware, and to users' routes. */
export interface Passing {
  /**
   * Passes a request with a known user to middleware. If no middleware answers, `rest` authorizes and answers it.
   * `allows` asks the authorizer.
   */
  admitted(user: UserInfo, rest: () => MaybePromise<ApiResponse>, allows: Allows): MaybePromise<ApiResponse>;
  /** Returns a route's answer to an authorized request; a 404 if no route has its path. */
  routed(): MaybePromise<ApiResponse>;
}

/**
 * Notes on a request: its parsed path, and headers for any answer to it. The part of the server that knows a note sets
 * it.
 */
export interface RequestTags {
  /** The parsed path. */
  path?: RequestPath;
  auditId?: string;
  /** Headers as alternating names and values. */
  flow?: readonly string[];
  /** Subscribes to the end of the request's credentials, if they can end during the answer. */
  onEnd?: Authenticated['onEnd'];
  /** CORS headers: they name the other origins that may read the answer, in the same form. */
  sharing?: readonly string[];
}

/** Receives the pieces of a streamed answer. */
export interface StreamSink {
  /** The bytes that the client has not taken yet. */
  readonly buffered: number;
  write(chunk: Uint8Array): void;
  /** Resolves, in a later turn, when there is room for more bytes, or when the client has disconnected. */
  taken(): Promise<void>;
  /** Ends the stream normally. */
  end(): void;
  /** Breaks off the stream, so that the client knows that bytes are missing. */
  destroy(): void;
}

/**
 * Starts a stream. Called once, after the head is sent. Returns a function to call at the end of the stream, or when
 * the client disconnects.
 */
export type StreamStart = (sink: StreamSink) => () => void;

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly stream: StreamStart;
  /** Whether it ends by itself, as a long list does and a watch does not. */
  readonly ends?: boolean;
  /** Set if answers with this body must not be recorded, because it is large and secret. */
  readonly unrecorded?: true;
  /** Called instead of `stream` if the client has already disconnected. */
  readonly abandoned?: () => void;
}

/** One answer. The chunks of a body are sent in order, at the pace of the client. */
export interface ApiResponse {
  readonly code: number;
  /** Empty for an answer without a content type. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
  /** The headers of middleware. The answer to the handshake of a WebSocket has them too. */
  readonly added?: Readonly<Record<string, string | string[]>> | undefined;
  readonly body: Uint8Array | readonly Uint8Array[] | StreamedBody;
  /** The value of the body, if it is JSON and the client may have asked for another format. */
  readonly document?: JsonObject | undefined;
  /** The document in the words of later releases, if they have others. */
  readonly later?: JsonObject | undefined;
  /** The Status in the body of a success. */
  readonly status?: JsonObject | undefined;
  /** Returns the object or list in JSON if the body is protobuf, for recorders of answers. */
  readonly json?: (() => Uint8Array) | undefined;
  /** Receives the client's bytes after a 101. The body is then the stream for the client. */
  readonly receive?: ((client: Readable) => void) | undefined;
}

/** Checks whether a body is made while it is sent. */
export const isStreamed = (body: ApiResponse['body']): body is StreamedBody =>
  !(body instanceof Uint8Array) && 'stream' in body;

/** The usual class of answers. All have one shape, which makes reads of answers fast. */
export class Answer implements ApiResponse {
  readonly document: undefined;
  readonly later: undefined;
  readonly status: undefined;

  constructor(
    readonly code: number,
    readonly contentType: string,
    readonly body: ApiResponse['body'],
    readonly headers: ApiResponse['headers'],
    readonly json: ApiResponse['json'],
  ) {}
}

/** Answers one request, synchronously if it does not need to wait. Never throws or rejects. */
export type Handle = (request: ApiRequest) => MaybePromise<ApiResponse>;

/** Called around the requests that arrive in one turn of the event loop. */
export interface Turns {
  /** Announces requests, at the first one of a turn. The server handles them at the end of the turn. */
  announce(): void;
  /** Begins the handling of the announced requests. */
  begin(requests: number): void;
  /** Ends it, after the server has sent the answers that are ready. */
  end(): void;
}

/** The path of a request, decoded and divided once for all readers. */
export interface RequestPath {
  /** The path as the client sent it. */
  readonly sent: string;
  /** The path without percent-encoding (RFC 3986, section 2.1), or unchanged if that is malformed. */
  readonly text: string;
  /** The parts between its slashes. The first is empty; slashes at the end add none. */
  readonly parts: readonly string[];
  /** The resource in the path; `undefined` if it has none, or if the path is malformed. */
  readonly resource: ResourcePath | undefined;
}

/** The names in an API path; empty if it does not have them. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** Whether the path has a segment for a namespace, which may be empty: `/namespaces//pods`. */
  readonly namespaced: boolean;
  /** The deprecated `/watch/` form, in which a GET is a watch. */
  readonly watch: boolean;
}

/** Returns the value of a header by its lower-case name; the first if a client in the same process gives several. */
export function headerOf({ headers }: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns the request with other headers. */
export function withHeaders(request: ApiRequest, headers: RequestHeaders): ApiRequest {
  const { method, path, search, basePath = '', throughProxy = false, clientCertificate, tags, passing } = request;
  return {
    method,
    path,
    search,
    basePath,
    headers,
    throughProxy,
    clientCertificate,
    tags,
    passing,
    valuesOf(name) {
      const value = headers[name];
      if (value === undefined) return [];
      const all = value === request.headers[name] ? request.valuesOf?.(name) : undefined;
      return all ?? (typeof value === 'string' ? [value] : value);
    },
    remoteAddress: () => request.remoteAddress?.(),
    isGone: () => request.isGone?.() === true,
    connection: () => request.connection?.(),
    readBody: (limit) => request.readBody(limit),
    passOn: () => request.passOn?.(),
  };
}

/** A query, which is parsed on demand. */
export class Query {
  readonly #search: string;
  #parsed: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(search: string) {
    this.#search = search;
  }

  /** Returns the first value; empty if the parameter is absent. */
  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  has(name: string): boolean {
    return this.#params().has(name);
  }

  all(name: string): readonly string[] {
    return this.#params().get(name) ?? [];
  }

  /** Returns false for `false` and `0`, `undefined` for an absent parameter, and true for all others. */
  boolean(name: string): boolean | undefined {
    if (!this.has(name)) return undefined;
    const value = this.text(name).toLowerCase();
    return value !== 'false' && value !== '0';
  }

  /** Returns a signed 64-bit integer in decimal; `undefined` if the parameter is absent. */
  integer(name: string): Result<number | undefined> {
    if (!this.has(name)) return { ok: true, value: undefined };
    const value = this.text(name);
    const read = parseInt64(value);
    return read.ok
      ? { ok: true, value: Number(read.value) }
      : { ok: false, failure: notAnInteger(value, read.problem) };
  }

  #params(): ReadonlyMap<string, readonly string[]> {
    this.#parsed ??= parseQuery(this.#search);
    return this.#parsed;
  }
}

/**
 * Returns the query of a text. Clients repeat their queries, so it returns the same object while it remembers a text,
 * and callers can keep results with it.
 */
export const queryOf = memoize((search) => new Query(search));

/** Parses a query. Ignores pairs with a semicolon or a malformed escape. */
function parseQuery(search: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapeText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : unescapeText(pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** Decodes escapes, and plus signs as spaces; returns `undefined` for a malformed escape. */
function unescapeText(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (/%(?![0-9a-fA-F]{2})/.test(spaced)) return undefined;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // The escapes are well-formed, but their bytes are not UTF-8. Replaces invalid bytes.
    return Buffer.from(spaced.replace(/%([0-9a-fA-F]{2})/g, escapedByte), 'latin1').toString();
  }
}

const escapedByte = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const notAnInteger = (value: string, why: string): Failure =>
  badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);

/** Reads a revision; an empty text has none. `place` is the field's name in a refusal. */
export function readRevision(text: string, place = 'resourceVersion'): Result<Revision | undefined> {
  if (text === '') return { ok: true, value: undefined };
  const read = parseUint64(text);
  if (read.ok) return { ok: true, value: Number(read.value) };
  const quoted = JSON.stringify(text);
  return {
    ok: false,
    failure: badRequest(`${place}: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${read.problem}`),
  };
}

/** Returns whether to indent an answer: if the query requests it, and by default for curl, Wget and browsers. */
export function prettyRequested(request: Pick<ApiRequest, 'headers'>, query: Query): boolean {
  const asked = query.text('pretty');
  if (asked !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerOf(request, 'user-agent') ?? '');
}
