/** Refuses connections above the limit, and requests that are ambiguous or of another protocol. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiResponse } from '../request/api-request.js';
import { type SizeLimits, usualSizes } from './limits.js';
import type { NodeRequest } from './node-messages.js';

/** Returns a refusal in plain text for an ambiguous or invalid request; `undefined` for all others. */
export function refuseUnreadable(
  req: NodeRequest,
  { headers, urlBytes }: Pick<SizeLimits, 'headers' | 'urlBytes'> = usualSizes,
): ApiResponse | undefined {
  if (req.httpVersionMajor < 1) return refusal('400 Bad Request: the request line names no version of HTTP');
  if ((req.url ?? '').length > urlBytes) return refusal('414 URI Too Long');
  if (hasMalformedEscape(req.url ?? '')) return refusal('400 Bad Request: the path has a malformed escape');
  if (req.rawHeaders.length > headers * 2) return refusal('431 Request Header Fields Too Large: too many headers');
  if ('stream' in req) return undefined;
  if (req.httpVersionMajor > 1) return refusal('505 HTTP Version Not Supported: unsupported protocol version');
  const { hosts, coding } = framingOf(req);
  if (hosts > 1) return refusal('400 Bad Request: too many Host headers');
  if (coding !== undefined && req.httpVersionMinor === 0)
    return refusal('400 Bad Request: HTTP/1.0 has no transfer encodings');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return refusal('501 Not Implemented: unsupported transfer encoding');
  if (mayLackHeaders(req)) return refusal('431 Request Header Fields Too Large');
  return undefined;
}

/** A percent sign before the query that does not begin an escape. In the query, the reference ignores such pairs. */
const malformedEscape = /^[^?]*%(?![0-9a-f]{2})/i;

const hasMalformedEscape = (target: string): boolean => target.includes('%') && malformedEscape.test(target);

/**
 * Returns the number of hosts that a request names, and the transfer coding of its body. Node reads every coding that
 * ends in `chunked` as `chunked` alone, even for HTTP/1.0, which has no codings. A proxy before this server may read it
 * differently.
 */
function framingOf({ rawHeaders }: NodeRequest): { readonly hosts: number; readonly coding: string | undefined } {
  let hosts = 0;
  let coding: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      const value = rawHeaders[i + 1] ?? '';
      coding = coding === undefined ? value : `${coding}, ${value}`;
    }
  }
  return { hosts, coding };
}

/** The most names and values that Node keeps by default. */
const usuallyKept = 2000;

/**
 * Checks whether Node may have dropped headers: above a limit, it skips the rest silently. Our own servers have no such
 * limit, but a server that mounts the listener may have one.
 */
function mayLackHeaders({ rawHeaders, socket }: NodeRequest): boolean {
  const limit = limitOf(socket);
  const kept = limit === undefined ? usuallyKept : limit * 2;
  return kept > 0 && rawHeaders.length >= kept;
}

/** Returns the `maxHeadersCount` of a connection's server; `undefined` if it has none. */
function limitOf(socket: object): number | undefined {
  const server: unknown = 'server' in socket ? socket.server : undefined;
  if (typeof server !== 'object' || server === null || !('maxHeadersCount' in server)) return undefined;
  return typeof server.maxHeadersCount === 'number' ? server.maxHeadersCount : undefined;
}

/** The answers for error codes of Node's parser and timers. All other codes are bad requests. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/**
 * Makes a server answer malformed requests and close the connection. The answer is plain text, because the server does
 * not know what the client accepts.
 */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(answerOf(statuses.get(error.code ?? '') ?? '400 Bad Request'), () => socket.destroy());
  });
  // The server is not a proxy, and Node would close the connection silently.
  server.on('connect', (_request, socket) => socket.end(answerOf('405 Method Not Allowed'), () => socket.destroy()));
}

function answerOf(status: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;
}

/** Makes a refusal in plain text from a text that begins with its code. The refusal closes the connection. */
export const refusal = (text: string, headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  code: Number(text.slice(0, 3)),
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff', connection: 'close', ...headers },
  body: Buffer.from(text),
});

/** The answer if nothing is served at a path. */
export const pageNotFound: ApiResponse = {
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
};

/** The answer to a request on a connection above the limit. */
export const tooManyConnections = refusal('503 Service Unavailable: too many connections, please try again later.', {
  'retry-after': '1',
});

/** The number of connections above the limit that get an answer. The server closes further ones without an answer. */
const answered = 100;

/** Counts the open connections of a server, and marks those above the limit. */
export class Connections {
  readonly #most: number;
  readonly #surplus = new WeakSet<object>();
  #open = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a new connection, with or without TLS. */
  add(socket: Socket): void {
    this.#open++;
    socket.once('close', () => {
      this.#open--;
    });
    if (this.#open > this.#most + answered) socket.destroy();
  }

  /** Records that a connection is ready for requests. Returns whether it is above the limit. */
  ready(socket: object): boolean {
    if (this.#open > this.#most) this.#surplus.add(socket);
    return this.isSurplus(socket);
  }

  isSurplus(socket: object): boolean {
    return this.#surplus.has(socket);
  }
}
