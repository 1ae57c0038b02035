/** What requests and responses of HTTP/1.1 and HTTP/2 do not have in common, although Node gives them one interface. */
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What both responses have. */
export interface NodeResponse {
  /** Bytes that wait to be sent. */
  readonly writableLength: number;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  /** `false` says that it is time to wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(chunk?: Uint8Array): unknown;
  cork(): void;
  uncork(): void;
  once(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
  off(event: 'close' | 'drain' | 'finish', listener: () => void): unknown;
}

export const isNodeRequest = (req: unknown): req is NodeRequest =>
  req instanceof IncomingMessage || isHttp2Request(req);

export const isNodeResponse = (res: unknown): res is NodeResponse =>
  res instanceof ServerResponse || isHttp2Response(res);

/** Told by their streams: to name the classes would load HTTP/2 where nobody speaks it. */
const isHttp2Request = (req: unknown): req is Http2ServerRequest => hasStream(req) && 'rawHeaders' in req;

const isHttp2Response = (res: unknown): res is Http2ServerResponse => hasStream(res) && 'writeHead' in res;

const hasStream = (exchange: unknown): exchange is { readonly stream: unknown } =>
  typeof exchange === 'object' && exchange !== null && 'stream' in exchange;

/** Whether a request's body ended because its client took the request back. HTTP/1.1 tells that as an error instead. */
export const isTakenBack = (req: NodeRequest): boolean =>
  isHttp2Request(req) && (req.stream.aborted || req.stream.rstCode !== 0);

/** Whether nobody can get the response any more. */
export function isGone(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.destroyed;
  return res instanceof ServerResponse && res.destroyed;
}

/** Whether to wait for `drain` before more is written. */
export function needsDrain(res: NodeResponse): boolean {
  if (isHttp2Response(res)) return res.stream.writableNeedDrain;
  return res instanceof ServerResponse && res.writableNeedDrain;
}

/** Whether bytes go to the socket as they are, and wait there without being copied. Sockets of TLS say that they encrypt. */
export function sendsAsIs(res: NodeResponse): boolean {
  return res instanceof ServerResponse && !(res.socket && 'encrypted' in res.socket);
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

/**
 * Whether the body goes in the chunks of HTTP/1.1. If so they are no longer made by node, which makes them anew for each
 * response; the head must have been written.
 */
export function takeOverChunking(res: NodeResponse): boolean {
  if (!(res instanceof ServerResponse)) return false;
  const chunked = res.chunkedEncoding;
  res.chunkedEncoding = false;
  return chunked;
}

/** What ends the wait for a reader: it has taken what was sent, or has gone. */
type Draining = 'close' | 'drain';

/** What takes the bytes of a body that is framed already. */
export interface Wire {
  /** Whether it can take any. */
  readonly writable: boolean;
  /** Bytes that wait to be sent. */
  readonly writableLength: number;
  /** Whether to wait for `drain` before more is written. */
  readonly writableNeedDrain: boolean;
  write(chunk: Uint8Array): unknown;
  once(event: Draining, listener: () => void): unknown;
  off(event: Draining, listener: () => void): unknown;
}

/**
 * Where the body of a response goes whose head was sent: past the layer of responses, unless that has to keep it until an
 * earlier response of the connection has ended. Nowhere, where there is to be no body.
 */
export function wireOf(res: NodeResponse): Wire | undefined {
  if (isHttp2Response(res)) return res.stream;
  if (!(res instanceof ServerResponse) || res.req.method === 'HEAD') return undefined;
  return res.socket ?? res;
}

/** Resolves when there is room for more, or nobody to take it; however fast a client is, others get their turn. */
export const roomIn = (wire: Wire | undefined): Promise<void> =>
  wire?.writableNeedDrain ? drained(wire) : new Promise((resolve) => setImmediate(resolve));

/** Resolves when what was sent has been taken, or nobody is there to take it any more. */
export function drained(to: Pick<Wire, 'once' | 'off'>): Promise<void> {
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
