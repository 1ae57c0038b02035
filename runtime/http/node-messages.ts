/** Hides the remaining differences between requests and responses of HTTP/1.1 and HTTP/2, and cuts off slow bodies. */

import type { X509Certificate } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, Http2Session } from 'node:http2';
import type { ClientCertificate } from '../contract/index.js';
import type { ApiResponse, RequestTags } from '../request/api-request.js';
import type { Pace } from './limits.js';

export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The parts of a response that both have. */
export interface NodeResponse {
  /** The number of unsent bytes. */
  readonly writableLength: number;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  /** Writes bytes. Returns `false` if the caller should wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(chunk: Uint8Array): unknown;
  end(): unknown;
  cork(): void;
  uncork(): void;
  once(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
  off(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
}

/** Recognizes HTTP/2 by streams, because the use of its classes would load HTTP/2 in all servers. */
const isHttp2Request = (req: object): req is Http2ServerRequest => hasStream(req) && 'rawHeaders' in req;

/** Checks whether a response is Node's own, and not only similar. */
export const isNodeResponse = (res: object): res is ServerResponse | Http2ServerResponse =>
  res instanceof ServerResponse || isHttp2Response(res);

const isHttp2Response = (res: object): res is Http2ServerResponse => hasStream(res) && 'writeHead' in res;

const hasStream = (message: object): message is { readonly stream: unknown } => 'stream' in message;

/** Returns the HTTP/2 connection of a request; `undefined` over HTTP/1.1, or if the connection has ended. */
export const http2SessionOf = (req: NodeRequest): Http2Session | undefined =>
  isHttp2Request(req) ? req.stream.session : undefined;

/**
 * Checks whether a request's body ended because the client cancelled the request. HTTP/1.1 reports an error instead.
 */
export const isTakenBack = (req: NodeRequest): boolean =>
  isHttp2Request(req) && (req.stream.aborted || req.stream.rstCode !== 0);

/** Checks whether the client of a request has disconnected or cancelled it. */
export const hasGone = (req: NodeRequest): boolean =>
  isHttp2Request(req) ? req.stream.destroyed : req.socket.destroyed;

/**
 * Calls a function once the client of a request has disconnected or cancelled it. Returns a function that removes the
 * listener.
 */
export function onGone(req: NodeRequest, gone: () => void): () => void {
  const source = isHttp2Request(req) ? req.stream : req.socket;
  source.once('close', gone);
  return () => source.off('close', gone);
}

/** Checks whether a request has a body, by its headers. */
export function hasBody(req: NodeRequest): boolean {
  if (isHttp2Request(req)) return !req.stream.endAfterHeaders;
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** Checks whether the client can no longer receive the response. */
export function isGone(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.destroyed;
  return res instanceof ServerResponse && res.destroyed;
}

/** Checks whether to wait for `drain` before the next write. */
export function needsDrain(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.writableNeedDrain;
  return res instanceof ServerResponse && res.writableNeedDrain;
}

/**
 * Checks whether bytes go to the socket unchanged, and wait there without a copy. TLS sockets have the property
 * `encrypted`.
 */
export function sendsAsIs(res: NodeResponse): boolean {
  return res instanceof ServerResponse && !(res.socket && 'encrypted' in res.socket);
}

/** Sets the head of a response. Node sends it with the first bytes of the body. */
export function writeHead(res: NodeResponse, code: number, lines: HeaderLines): void {
  if (res instanceof ServerResponse) {
    res.writeHead(code, lines);
    return;
  }
  const headers: OutgoingHttpHeaders = {};
  for (let i = 0; i < lines.length; i += 2) headers[String(lines[i])] = lines[i + 1];
  res.writeHead(code, headers);
}

/** Sends the head before the body; HTTP/2 does so by itself. */
export function flushHead(res: NodeResponse): void {
  if (res instanceof ServerResponse) res.flushHeaders();
}

/** Ends a response so that the client notices that it is incomplete. Other streams of the connection continue. */
export function breakOff(res: NodeResponse): void {
  if (isHttp2Response(res)) res.stream.destroy(new Error('the answer is broken off'));
  else if (res instanceof ServerResponse) res.destroy();
}

/** Stops reading a request after its answer is sent. Other streams of an HTTP/2 connection continue. */
export function cutOff(req: NodeRequest): void {
  if (isHttp2Request(req)) req.stream.close();
  else req.socket.destroy();
}

/** Checks whether written bytes can still reach the client. */
export function isWritable(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.writable;
  if (!(res instanceof ServerResponse)) return false;
  // A response without a socket waits for earlier ones of its connection.
  return !res.destroyed && !res.writableEnded && res.socket?.writable !== false;
}

/** The events that end the wait for a reader: it has taken the bytes, or has disconnected. */
type Draining = 'close' | 'drain';

/** A stream with these events. */
interface Drains {
  once(event: Draining, listener: () => void): unknown;
  off(event: Draining, listener: () => void): unknown;
}

/** Resolves when the client has taken the bytes or has disconnected. */
export function drained(to: Drains): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done);
      to.off('close', done);
      resolve();
    };
    to.once('drain', done);
    to.once('close', done);
  });
}

/** Alternating names and values, which Node writes faster than properties. A list of values makes one line for each. */
export type HeaderLines = (string | string[])[];

/** Returns the headers of an answer. `length` is the length of its body in bytes; absent for a stream. */
export function headerLines(
  answer: ApiResponse,
  tags: RequestTags | undefined,
  length: number | undefined,
): HeaderLines {
  const { contentType, headers } = answer;
  const lines: HeaderLines = contentType === '' ? [] : ['content-type', contentType];
  if (headers?.['cache-control'] === undefined) lines.push('cache-control', 'no-cache, private');
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'content-type') lines.push(name, value);
  }
  if (tags?.flow) lines.push(...tags.flow);
  if (tags?.sharing) lines.push(...tags.sharing);
  if (tags?.auditId !== undefined) lines.push('audit-id', tags.auditId);
  // RFC 9110, section 8.6.
  if (length !== undefined && answer.code !== 204) lines.push('content-length', String(length));
  return lines;
}

/** The certificates by connection. A connection cannot show another one later, because renegotiation is off. */
const found = new WeakMap<object, ClientCertificate | 'none'>();

/** Returns the certificate of the client; `undefined` if the client has shown none, or was not asked. */
export function clientCertificateOf(req: NodeRequest): ClientCertificate | undefined {
  const session = http2SessionOf(req);
  // Plain HTTP has no certificates, so it only pays for this check.
  if (!session && !('encrypted' in req.socket)) return undefined;
  const connection = session ?? req.socket;
  const before = found.get(connection);
  if (before) return before === 'none' ? undefined : before;
  const shown = session?.closed === true ? undefined : shownBy(session?.socket ?? req.socket);
  found.set(connection, shown ?? 'none');
  return shown;
}

function shownBy(socket: object): ClientCertificate | undefined {
  if (!showsCertificates(socket)) return undefined;
  const own = socket.getPeerX509Certificate();
  if (!own) return undefined;
  const chain = [];
  for (let one: X509Certificate | undefined = own; one && chain.length < longest; one = one.issuerCertificate) {
    chain.push(one.raw);
  }
  if (socket.authorized) return { chain };
  return { chain, problem: String(socket.authorizationError ?? 'not verified') };
}

/** The longest chain of client certificates to read. */
const longest = 10;

/** The used part of a `TLSSocket`. The use of the class would load TLS in all servers. */
interface Certified {
  getPeerX509Certificate(): X509Certificate | undefined;
  readonly authorized: boolean;
  readonly authorizationError: unknown;
}

/**
 * Checks whether a socket has certificates, without the operator `in`: the proxies of HTTP/2 sockets have the member
 * but deny it.
 */
const showsCertificates = (socket: object): socket is Certified =>
  typeof Reflect.get(socket, 'getPeerX509Certificate') === 'function';

/**
 * Watches the pace of a body during its read. Calls `onStopped` once if the body falls behind. Returns a function that
 * ends the watch.
 */
export function watchPace(pace: Pace, bytesRead: () => number, onStopped: () => void): () => void {
  const watched = new PacedBody(pace, bytesRead, onStopped, bodies.length);
  bodies.push(watched);
  ticking ??= setInterval(lookAtAll, tickMs).unref();
  return () => forget(watched);
}

/**
 * The bodies in progress. One timer checks all: most bodies are complete in the same turn, so one timer per body would
 * cost more. The last body takes the index of a removed one, so the list does not grow and keeps no old body alive.
 */
const bodies: PacedBody[] = [];
const tickMs = 200;
let ticking: NodeJS.Timeout | undefined;

function lookAtAll(): void {
  for (const body of [...bodies]) if (body.hasStopped()) forget(body);
}

function forget(body: PacedBody): void {
  if (bodies[body.place] !== body) return;
  const last = bodies.pop();
  if (last && last !== body) {
    bodies[body.place] = last;
    last.place = body.place;
  }
  if (bodies.length > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

class PacedBody {
  #before: number;
  #windowEnds: number;

  constructor(
    private readonly pace: Pace,
    private readonly bytesRead: () => number,
    private readonly onStopped: () => void,
    /** The index in `bodies`. */
    public place: number,
  ) {
    this.#before = bytesRead();
    this.#windowEnds = Date.now() + pace.windowMs;
  }

  /** Returns whether the body has fallen behind, and reports it if so. */
  hasStopped(): boolean {
    if (Date.now() < this.#windowEnds) return false;
    const now = this.bytesRead();
    const stopped = now - this.#before < this.pace.leastBytes;
    this.#before = now;
    this.#windowEnds = Date.now() + this.pace.windowMs;
    if (stopped) this.onStopped();
    return stopped;
  }
}

/** Closes the connection of an answered request if the rest of the body does not arrive in time. */
export function closeUnlessRead(req: NodeRequest, restMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) cutOff(req);
  }, restMs);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}
