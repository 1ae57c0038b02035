/** A request and its answer, free of any transport: HTTP, and the in-process client, both speak this. */
import type { ClientCertificate, ExplainAdmission, JsonObject, Result, UserInfo } from '../contract/index.js';
import type { MaybePromise } from '../objects/turns.js';

/** Header values by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A connection of a client, which may bring several requests. */
export interface ClientConnection {
  once(event: 'close', listener: () => void): unknown;
  /** Takes no more requests by it. Absent where an answer says so, as in HTTP/1.1. */
  close?(): unknown;
}

/** One request as it arrived. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, percent-encoding kept, without the query. */
  readonly path: string;
  /** The query as sent, without its `?`; empty where there is none. */
  readonly search: string;
  /** The path that the server is mounted under, which `path` leaves out; absent or empty where that is the root. */
  readonly basePath?: string;
  /** Of a header that is sent more than once, the first value or all of them. */
  readonly headers: RequestHeaders;
  /** Whether the request line had the whole URL, which is how clients ask proxies; browsers ask nobody else so. */
  readonly throughProxy?: boolean;
  /** All values of a header, by its lower-case name, where `headers` has not all of them; absent where it has. */
  readonly valuesOf?: (name: string) => readonly string[];
  /** The address that the request came from, where it came over a network; it is seldom asked for. */
  readonly remoteAddress?: () => string | undefined;
  /** The certificate that the client has shown, verified or not; absent where it has shown none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Whether the client has gone, so that nobody can get an answer; absent where nobody can tell. */
  readonly isGone?: () => boolean;
  /** The connection that it came by; absent where it came by none, or its client has gone. */
  readonly connection?: () => ClientConnection | undefined;
  /** Notes on the request, kept with it; absent where nobody would read them. */
  readonly tags?: RequestTags | undefined;
  /** The app that the request passes through; absent for requests of the server itself. */
  passing?: Passing | undefined;
  /** Receives the steps of admission; absent for nearly all requests. */
  readonly explain?: ExplainAdmission;
  /**
   * Reads the whole body, the same whenever it is asked again; fails with `RequestEntityTooLarge` past `limit` bytes.
   */
  readBody(limit: number): Promise<Result<Uint8Array>>;
}

/** The way of one request through an app: what users put before the API, and beside it. */
export interface Passing {
  /** Shows a request whose user is known to middleware. `rest` authorizes and answers it, if no middleware answers instead. */
  admitted(user: UserInfo, rest: () => MaybePromise<ApiResponse>): MaybePromise<ApiResponse>;
  /** Returns the answer of a route to an authorized request; a 404 if no route has its path. */
  routed(): MaybePromise<ApiResponse>;
}

/**
 * Notes on a request: headers of its answer that tell of it, whatever the answer is, and its path. Whoever finds one of
 * them out writes it here.
 */
export interface RequestTags {
  /** Its path, taken apart. */
  path?: RequestPath;
  auditId?: string;
  /** Names and values by turns. */
  flow?: readonly string[];
  /** Headers that tell browsers about pages of other origins, in the same form. */
  sharing?: readonly string[];
}

/** Where a streamed answer goes. */
export interface StreamSink {
  /** Bytes written but not yet taken by the client. */
  readonly buffered: number;
  write(chunk: Uint8Array): void;
  /** Resolves, not at once, when there is room for more, or nobody can take it any more. */
  taken(): Promise<void>;
  /** Ends the stream in order. */
  end(): void;
  /** Breaks it off, so that the client knows that something is missing. */
  destroy(): void;
}

/** Starts a stream; called once, after the head was sent. Returns what to call once it has ended or its client has gone. */
export type StreamStart = (sink: StreamSink) => () => void;

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly stream: StreamStart;
  /** Whether it ends by itself, as a long list does and a watch does not. */
  readonly ends?: boolean;
  /** Set where no record of answers may hold it: it is too much, and too secret. */
  readonly unrecorded?: true;
  /** Called where the stream is never started, as its client has gone. */
  readonly abandoned?: () => void;
}

/** One answer. A body of several chunks is sent in order, with the pauses the client's pace asks for. */
export interface ApiResponse {
  readonly code: number;
  /** Empty for an answer without one. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
  /** Those of the headers that middleware has set; a WebSocket that is opened sends them too. */
  readonly added?: Readonly<Record<string, string | string[]>> | undefined;
  readonly body: Uint8Array | readonly Uint8Array[] | StreamedBody;
  /** The value of the body, where it is JSON and the client may have asked for another format. */
  readonly document?: JsonObject | undefined;
  /** The Status that the body is, where it tells of a success. */
  readonly status?: JsonObject | undefined;
  /** The object or list that the body is, in JSON, where the body is in Protobuf; for those who record answers. */
  readonly json?: (() => Uint8Array) | undefined;
}

/** Whether a body is made while it is sent. */
export const isStreamed = (body: ApiResponse['body']): body is StreamedBody =>
  !(body instanceof Uint8Array) && 'stream' in body;

/** An answer that many requests get. All have one shape, which those who look at answers are quicker with. */
export class Answer implements ApiResponse {
  readonly document: undefined;
  readonly status: undefined;

  constructor(
    readonly code: number,
    readonly contentType: string,
    readonly body: ApiResponse['body'],
    readonly headers: ApiResponse['headers'],
    readonly json: ApiResponse['json'],
  ) {}
}

/** Answers one request; synchronously where nothing has to be awaited. Never throws or rejects. */
export type Handle = (request: ApiRequest) => MaybePromise<ApiResponse>;

/** Told of the turns of the event loop in which requests come. */
export interface Turns {
  /** A request has come, the first of some that are handled when the turn ends. */
  announce(): void;
  /** The requests that were announced are handled now. */
  begin(requests: number): void;
  /** They have been handled, and answered as far as their answers are there. */
  end(): void;
}

/** The path of a request, decoded and taken apart once for all that look at it. */
export interface RequestPath {
  /** As it was sent. */
  readonly sent: string;
  /** Without its percent-encoding (RFC 3986, 2.1), or as it came where that is malformed. */
  readonly text: string;
  /** The parts between its slashes. The first is empty; slashes at the end add none. */
  readonly parts: readonly string[];
  /** The resource that it goes on to; undefined where it does not, and where it is malformed. */
  readonly resource: ResourcePath | undefined;
}

/** The names in an API path, empty for parts that it does not have. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** Whether the path has a place for a namespace, which may be empty: `/namespaces//pods`. */
  readonly namespaced: boolean;
  /** The deprecated `/watch/` form, in which a GET is a watch. */
  readonly watch: boolean;
}

/** Returns the value of a header by its lower-case name; the first if a client in the same process gives several. */
export function headerOf({ headers }: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The request with those headers in place of its own. All values of a header that has changed are those it has here. */
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
  };
}
