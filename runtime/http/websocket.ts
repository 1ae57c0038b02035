/**
 * Connections that switch to another protocol. Watches can be WebSockets (RFC 6455): each event of the HTTP stream is a
 * text message. Programs behind objects may choose any protocol.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Result } from '../contract/index.js';
import { listMembers } from '../objects/scan/media-types.js';
import { withoutTrailing } from '../objects/scan/numbers.js';
import { badRequest } from '../objects/status.js';
import {
  type ApiRequest,
  type ApiResponse,
  isStreamed,
  queryOf,
  type RequestTags,
  type StreamStart,
  withHeaders,
} from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import type { Respond } from './app.js';
import { drained, hasBody, headerLines } from './node-messages.js';
import { readRequest, readTarget } from './node-request.js';
import { writeResponse } from './node-response.js';
import { refuseUnreadable } from './refusals.js';

/** The options of WebSockets. */
export interface WebSocketOptions {
  readonly respond: Respond;
  /** The prefix of the subprotocol that carries a client's bearer token. */
  readonly tokenProtocol: string;
  /**
   * Returns whether requests for a path are forwarded to a program, which decides about protocols itself. Default: none
   * are.
   */
  readonly isPassedOn?: (path: string) => boolean;
}

/** The WebSockets of a server. */
export interface WebSockets {
  /** Returns whether a request may change the protocol. Others get an answer as if they had no upgrade. */
  takes(req: IncomingMessage): boolean;
  /** Takes over a connection. If the answer does not change the protocol, sends it as to any request. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Makes watches that end from now on report that the server is going away. */
  goAway(): void;
  /** Breaks off everything that is still open. */
  terminate(): void;
}

/** Close codes of RFC 6455, section 7.4.1. */
const closeCodes = { done: 1000, goingAway: 1001 } as const;

/** The longest message of a client, in bytes. Clients have nothing to send, so a larger message ends the connection. */
const maxMessageBytes = 4096;

/** The interval at which clients must show signs of life, in milliseconds. */
const heartbeatMs = 30_000;

/** Defines WebSockets. Their requests are like all others: authentication and verbs do not know about WebSockets. */
export function defineWebSockets(options: WebSocketOptions): WebSockets {
  const open = new OpenWebSockets();
  let making: Promise<WebSocketServer> | undefined;
  const isPassedOn = ({ url = '/' }: IncomingMessage): boolean =>
    options.isPassedOn?.(readTarget(url).path.replace(/\?.*$/s, '')) === true;
  return {
    takes: (req) => isWebSocketRequest(req) || (!hasBody(req) && isPassedOn(req)),
    async upgrade(req, socket, head) {
      // Before there is a WebSocket, nothing else listens for errors of the connection.
      socket.on('error', () => socket.destroy());
      making ??= makeServer(options).catch((error: unknown) => {
        // The next handshake tries again.
        making = undefined;
        throw error;
      });
      const server = await making;
      const unreadable = refuseUnreadable(req);
      if (unreadable) return sendPlain(req, socket, unreadable, undefined);
      const request = readHandshake(req, options);
      const answer = request.ok ? await options.respond(request.value, req) : answerFailure(undefined, request.failure);
      if (socket.destroyed) {
        if (isStreamed(answer.body)) answer.body.abandoned?.();
        return;
      }
      if (answer.receive) return goOn(req, socket, head, answer);
      // A refusal may be a stream, too, such as an answer of middleware.
      if (answer.code !== 200 || !('stream' in answer.body) || isPassedOn(req)) {
        return sendPlain(req, socket, answer, request.ok ? request.value.tags : undefined);
      }
      const { stream } = answer.body;
      if (answer.added) added.set(req, answer.added);
      server.handleUpgrade(req, socket, head, (client) => open.start(client, socket, stream));
    },
    goAway: () => open.goAway(),
    terminate: () => open.terminate(),
  };
}

/** Checks whether a request asks for a WebSocket. */
const isWebSocketRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** Sends a 101, then passes the bytes of each side at the pace of the other. */
function goOn(req: IncomingMessage, socket: Duplex, head: Buffer, answer: ApiResponse): void {
  const { body, receive } = answer;
  if (!isStreamed(body)) throw new TypeError('an answer 101 has no stream');
  const res = new ServerResponse(req);
  if (socket instanceof Socket) res.assignSocket(socket);
  res.writeHead(answer.code, headerLines(answer, undefined, undefined));
  res.flushHeaders();
  if (socket instanceof Socket) res.detachSocket(socket);
  if (head.length > 0) socket.unshift(head);
  const stop = body.stream({
    get buffered() {
      return socket.writableLength;
    },
    write: (chunk) => void socket.write(chunk),
    taken: () => (socket.writableNeedDrain ? drained(socket) : new Promise((resolve) => setImmediate(resolve))),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  });
  socket.once('close', stop);
  receive?.(socket);
}

/** The headers of middleware for the answer to a handshake. */
const added = new WeakMap<IncomingMessage, NonNullable<ApiResponse['added']>>();

/** Makes the WebSocket server at the first handshake, and loads its library. */
async function makeServer({ tokenProtocol }: WebSocketOptions): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => chooseProtocol([...offered], tokenProtocol) ?? false,
  });
  server.on('headers', (lines, req) => {
    for (const [name, values] of Object.entries(added.get(req) ?? {})) {
      for (const value of [values].flat()) lines.push(`${name}: ${value}`);
    }
  });
  return server;
}

/** Reads the request of a handshake, and adds the headers that browsers must send in other ways. */
function readHandshake(req: IncomingMessage, { tokenProtocol }: WebSocketOptions): Result<ApiRequest> {
  const token = readToken(req.headers['sec-websocket-protocol'], tokenProtocol);
  if (!token.ok) return token;
  const plain = readRequest(req, { upgradable: true });
  const query = queryOf(plain.search);
  const headers = {
    ...plain.headers,
    ...(query.has('accept') ? { accept: query.text('accept') } : {}),
    ...(token.value === undefined ? {} : { 'sec-websocket-protocol': protocolsOf(req, tokenProtocol).join(', ') }),
    ...(token.value === undefined || plain.headers.authorization ? {} : { authorization: `Bearer ${token.value}` }),
  };
  return { ok: true, value: withHeaders(plain, headers) };
}

/** Returns the subprotocols that a client offers, without its token. */
const protocolsOf = ({ headers }: IncomingMessage, tokenPrefix: string): readonly string[] =>
  listMembers(headers['sec-websocket-protocol'] ?? '').filter((one) => !one.startsWith(tokenPrefix));

/** Sends an answer as HTTP, and ends the connection after it. */
async function sendPlain(
  req: IncomingMessage,
  socket: Duplex,
  answer: ApiResponse,
  tags: RequestTags | undefined,
): Promise<void> {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  if (socket instanceof Socket) res.assignSocket(socket);
  res.once('finish', () => socket.end());
  await writeResponse(res, answer, tags);
}

/** The open WebSockets. Asks them for a sign of life at intervals. */
class OpenWebSockets {
  readonly #sockets = new Map<WebSocket, Duplex>();
  /** The clients that have not answered the last ping. */
  readonly #silent = new Set<WebSocket>();
  #heartbeat: NodeJS.Timeout | undefined;
  #closing = false;

  start(client: WebSocket, socket: Duplex, stream: StreamStart): void {
    this.#sockets.set(client, socket);
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs);
    // An error ends the connection anyway.
    client.on('error', () => {});
    client.on('pong', () => this.#silent.delete(client));
    const stop = stream({
      get buffered() {
        return socket.writableLength;
      },
      // Writes to the socket directly, because the library would frame the line for each client. Complete frames may go
      // between the library's own.
      write: (line) => {
        if (client.readyState === client.OPEN) socket.write(textMessage(line));
      },
      taken: () => (socket.writableNeedDrain ? drained(socket) : new Promise((resolve) => setImmediate(resolve))),
      end: () => client.close(this.#closing ? closeCodes.goingAway : closeCodes.done),
      destroy: () => client.terminate(),
    });
    client.once('close', () => {
      this.#forget(client);
      stop();
    });
  }

  goAway(): void {
    this.#closing = true;
  }

  terminate(): void {
    for (const client of this.#sockets.keys()) client.terminate();
  }

  /**
   * Pings all clients, and cuts off clients that have not answered the last ping. Does not ping a client that still has
   * bytes to read.
   */
  #beat(): void {
    for (const [client, socket] of this.#sockets) {
      if (this.#silent.has(client)) client.terminate();
      else if (socket.writableLength === 0) {
        this.#silent.add(client);
        client.ping();
      }
    }
  }

  #forget(client: WebSocket): void {
    this.#sockets.delete(client);
    this.#silent.delete(client);
    if (this.#sockets.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

// Lines of JSON as WebSocket text messages (RFC 6455, section 5.2). All clients with the same line share a message.

const finalText = 0x81;

/** From these lengths on, the length takes two or eight more bytes. */
const twoByteLength = 126;
const eightByteLength = 65_536;

/** Messages by line. All watchers of a format share their lines, and servers do not mask messages. */
const framed = new WeakMap<Uint8Array, Uint8Array>();

/** Frames one text message. */
export function textMessage(line: Uint8Array): Uint8Array {
  let message = framed.get(line);
  if (!message) {
    message = Buffer.concat([head(line.length), line]);
    framed.set(line, message);
  }
  return message;
}

function head(length: number): Buffer {
  if (length < twoByteLength) return Buffer.from([finalText, length]);
  if (length < eightByteLength) return Buffer.from([finalText, 126, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(10);
  bytes.set([finalText, 127]);
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}

// The subprotocols that WebSocket clients offer. One may be a bearer token, because browsers cannot send a header with
// it.

/** Returns the subprotocol that the server accepts: the first that is not a token. Messages are text in any case. */
export const chooseProtocol = (offered: readonly string[], tokenPrefix: string): string | undefined =>
  offered.find((one) => !one.startsWith(tokenPrefix));

/**
 * Reads the token in a `Sec-WebSocket-Protocol` header; returns `undefined` if it has none. The protocol is
 * `tokenPrefix` and the token in base64url (RFC 4648, section 5). The client must offer another protocol too: browsers
 * give up if the server accepts no protocol, and the server never sends a token back.
 */
export function readToken(header: string | undefined, tokenPrefix: string): Result<string | undefined> {
  const offered = listMembers(header ?? '');
  const [sealed, ...more] = offered.filter((one) => one.startsWith(tokenPrefix));
  if (sealed === undefined) return { ok: true, value: undefined };
  if (more.length > 0) return refuse('more than one of the offered protocols is a token');
  if (!chooseProtocol(offered, tokenPrefix)) return refuse('another protocol must be offered beside the token');
  const text = sealed.slice(tokenPrefix.length);
  const token = Buffer.from(text, 'base64url').toString();
  // The decoder ignores characters outside base64url, so check them. An Authorization header holds visible ASCII.
  const exact = Buffer.from(token).toString('base64url') === withoutTrailing(text, '=');
  return exact && /^[\x21-\x7e]+$/.test(token)
    ? { ok: true, value: token }
    : refuse('the token is not base64url of text');
}

const refuse = (why: string): Result<never> => ({ ok: false, failure: badRequest(`Sec-WebSocket-Protocol: ${why}`) });
