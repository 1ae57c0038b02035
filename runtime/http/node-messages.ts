/** Hides the differences between requests and responses of HTTP/1.1 and HTTP/2 that their common interface leaves. */

import type { X509Certificate } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, Http2Session } from 'node:http2';
import type { ClientCertificate } from '../contract/index.js';
import type { ApiResponse, RequestTags } from '../request/api-request.js';

export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The parts of a response that both have. */
export interface NodeResponse {
  /** Bytes that wait to be sent. */
  readonly writableLength: number;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  /** Writes bytes. `false` means that it is time to wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(chunk: Uint8Array): unknown;
  end(): unknown;
  cork(): void;
  uncork(): void;
  once(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
  off(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
}

/**
 * Recognizes requests and responses of HTTP/2 by their streams, as naming their classes would load HTTP/2 in all
 * servers.
 */
const isHttp2Request = (req: object): req is Http2ServerRequest => hasStream(req) && 'rawHeaders' in req;

/** Checks whether a response is one of Node's own, and not merely like one. */
export const isNodeResponse = (res: object): res is ServerResponse | Http2ServerResponse =>
  res instanceof ServerResponse || isHttp2Response(res);

const isHttp2Response = (res: object): res is Http2ServerResponse => hasStream(res) && 'writeHead' in res;

const hasStream = (message: object): message is { readonly stream: unknown } => 'stream' in message;

/** Returns the HTTP/2 connection of a request; `undefined` over HTTP/1.1, or if the connection has gone. */
export const http2SessionOf = (req: NodeRequest): Http2Session | undefined =>
  isHttp2Request(req) ? req.stream.session : undefined;

/**
 * Checks whether a request's body ended because its client took the request back. HTTP/1.1 reports that as an error
 * instead.
 */
export const isTakenBack = (req: NodeRequest): boolean =>
  isHttp2Request(req) && (req.stream.aborted || req.stream.rstCode !== 0);

/** Checks whether the client of a request has gone, or has taken it back. */
export const hasGone = (req: NodeRequest): boolean =>
  isHttp2Request(req) ? req.stream.destroyed : req.socket.destroyed;

/** Calls a function once the client of a request has gone, or has taken it back; returns how to take it away. */
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

/** Checks whether nobody can get the response any more. */
export function isGone(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.destroyed;
  return res instanceof ServerResponse && res.destroyed;
}

/** Checks whether to wait for `drain` before more is written. */
export function needsDrain(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.writableNeedDrain;
  return res instanceof ServerResponse && res.writableNeedDrain;
}

/**
 * Checks whether bytes go to the socket as they are, and wait there without being copied. Sockets of TLS say that they
 * encrypt.
 */
export function sendsAsIs(res: NodeResponse): boolean {
  return res instanceof ServerResponse && !(res.socket && 'encrypted' in res.socket);
}

/** Sets the head of a response, which is sent with what is first written. */
export function writeHead(res: NodeResponse, code: number, lines: HeaderLines): void {
  if (res instanceof ServerResponse) {
    res.writeHead(code, lines);
    return;
  }
  const headers: OutgoingHttpHeaders = {};
  for (let i = 0; i < lines.length; i += 2) headers[String(lines[i])] = lines[i + 1];
  res.writeHead(code, headers);
}

/** Sends the head before there is a body; HTTP/2 does not wait for one. */
export function flushHead(res: NodeResponse): void {
  if (res instanceof ServerResponse) res.flushHeaders();
}

/** Ends a response so that the client sees that it is not whole. Other streams of the connection go on. */
export function breakOff(res: NodeResponse): void {
  if (isHttp2Response(res)) res.stream.destroy(new Error('the answer is broken off'));
  else if (res instanceof ServerResponse) res.destroy();
}

/** Takes nothing more of a request after its answer has been sent. Other streams of an HTTP/2 connection go on. */
export function cutOff(req: NodeRequest): void {
  if (isHttp2Request(req)) req.stream.close();
  else req.socket.destroy();
}

/** Checks whether bytes that are written can still reach the client. */
export function isWritable(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.writable;
  if (!(res instanceof ServerResponse)) return false;
  // A response without a socket waits for earlier ones of its connection.
  return !res.destroyed && !res.writableEnded && res.socket?.writable !== false;
}

/** Ends the wait for a reader: it has taken what was sent, or has gone. */
type Draining = 'close' | 'drain';

/** Emits the events that end the wait. */
interface Drains {
  once(event: Draining, listener: () => void): unknown;
  off(event: Draining, listener: () => void): unknown;
}

/** Resolves when the sent bytes have been taken, or the client has gone. */
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

/** Names and values by turns, which Node writes faster than properties. A list of values makes one line for each. */
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

/** Found once for a connection, which shows no other one later: renegotiation is off. */
const found = new WeakMap<object, ClientCertificate | 'none'>();

/** Returns the certificate of the client; `undefined` if it has shown none, or was not asked for one. */
export function clientCertificateOf(req: NodeRequest): ClientCertificate | undefined {
  const session = http2SessionOf(req);
  // Plain HTTP, which has no certificates, pays no more than this look.
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

/** The longest chain of client certificates that is read. */
const longest = 10;

/** The part of a `TLSSocket` that is needed here; naming the class would load TLS in all servers. */
interface Certified {
  getPeerX509Certificate(): X509Certificate | undefined;
  readonly authorized: boolean;
  readonly authorizationError: unknown;
}

/**
 * Checks whether a socket shows certificates. Sockets of HTTP/2 hide behind a proxy that has their members and denies
 * it.
 */
const showsCertificates = (socket: object): socket is Certified =>
  typeof Reflect.get(socket, 'getPeerX509Certificate') === 'function';
