/** Listens for HTTP/1.1 or, with a certificate, for HTTP/2 and HTTP/1.1 over TLS. Both carry WebSockets. */
import { createServer as createHttpServer, type IncomingMessage, Server } from 'node:http';
import type { Server as HttpsServer, ServerOptions } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { close } from './closing.js';
import type { Http2 } from './http2.js';
import { type SizeLimits, type TimeLimits, usualLimits } from './limits.js';
import { type InProgress, type ListenerParts, nodeListener } from './node-listener.js';
import type { NodeRequest, NodeResponse } from './node-messages.js';
import { answerMalformed, type Connections } from './refusals.js';
import type { TlsSettings } from './secure-server.js';
import type { WebSockets } from './websocket.js';

export interface ListenOptions extends BindOptions {
  /** Returns the host to announce to clients for the bound address. Default: the host of `url`. */
  readonly advertise?: (bound: string) => string;
  /** Absent for plain HTTP. */
  readonly tls?: TlsSettings;
  /** Default: the usual limits. */
  readonly limits?: Partial<TimeLimits>;
}

/** A listening server. */
export interface Listening {
  /** The URL, such as `http://127.0.0.1:8080`; with a loopback address if the server listens on all addresses. */
  readonly url: string;
  /** The host and the port to announce to clients. */
  readonly advertised: string;
  /** Uses other TLS settings for new connections; throws if they are invalid. Absent for plain HTTP. */
  readonly useTls?: (settings: TlsSettings) => void;
  /**
   * Stops listening, and answers requests in progress. `settle` then ends streams, for example by closing the store,
   * which ends watches and refuses further writes. Breaks off answers that clients no longer take.
   */
  close(settle?: () => Promise<void>): Promise<void>;
}

/**
 * The limits of connections. A whole request has no timeout, because the readers of bodies watch their pace. Node
 * checks for overdue headers each second.
 */
const bounds = {
  requestTimeout: 0,
  connectionsCheckingInterval: 1000,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;

/** Starts to listen. Rejects if the address is not available, or if certificate and key do not match. */
export async function listen(
  inProgress: InProgress<[NodeRequest, NodeResponse?]>,
  webSockets: WebSockets,
  options: ListenOptions,
  parts: Pick<ListenerParts, 'turns' | 'connections' | 'onDefect'> & { readonly sizes: SizeLimits },
): Promise<Listening> {
  const { tls, advertise = reachable } = options;
  const limits = { ...usualLimits, ...options.limits };
  const { sizes, connections: counted } = parts;
  const connections = {
    ...bounds,
    headersTimeout: limits.headersMs,
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: sizes.headerBytes,
  };
  const listener = nodeListener(inProgress.handle, { ...parts, limits });
  // Only TLS can negotiate HTTP/2. Loads both on demand, because this takes a thirtieth of the start.
  const http2 = tls && (await import('./http2.js')).createHttp2(listener, sizes, limits);
  const secure = tls && (await import('./secure-server.js')).createSecureServer(secured(connections), tls, listener);
  const server = secure ? secure.server : createHttpServer(connections, listener);
  // Keeps all headers, because their size is limited.
  server.maxHeadersCount = 0;
  answerMalformed(server);
  const readRequests = divert(server, http2, counted);
  const sockets = keepSockets(server, counted);
  server.on('upgrade', (req, socket, head) => {
    if (counted?.isSurplus(socket)) socket.destroy();
    else upgrade(webSockets, req, socket, head, readRequests);
  });
  const bound = await bind(server, options);
  return {
    url: `${tls ? 'https' : 'http'}://${hostAndPort(reachable(bound.address), bound.port)}`,
    advertised: hostAndPort(advertise(bound.address), bound.port),
    ...(secure ? { useTls: secure.useTls } : {}),
    close: (settle) => close({ server, sockets, http2, webSockets, inProgress, limits }, settle),
  };
}

/** Gives a handshake as much time as headers. */
const secured = <T extends { readonly headersTimeout: number }>(connections: T): T & ServerOptions => ({
  ...connections,
  handshakeTimeout: connections.headersTimeout,
});

/** Returns the open connections of a server, a live set. Counts each connection before other listeners see it. */
function keepSockets(server: EitherServer, counted: Connections | undefined): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.prependListener('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    counted?.add(socket);
  });
  return sockets;
}

type EitherServer = Server | HttpsServer;

/**
 * Passes connections of clients that chose HTTP/2 (RFC 7301) to `http2`, which refuses surplus connections itself.
 * Leaves the others to Node. Returns the function that makes Node read HTTP/1.1 from a connection.
 */
function divert(server: EitherServer, http2: Http2 | undefined, counted: Connections | undefined): ReadRequests {
  const event = server instanceof Server ? 'connection' : 'secureConnection';
  const others = server.listeners(event);
  const readRequests: ReadRequests = (socket) => {
    for (const listener of others) listener.call(server, socket);
  };
  server.removeAllListeners(event);
  server.on(event, (socket) => {
    const isSurplus = counted?.ready(socket) === true;
    if (http2 && socket.alpnProtocol === 'h2') http2.accept(socket, isSurplus);
    else readRequests(socket);
  });
  return readRequests;
}

/** Makes Node read HTTP/1.1 from a connection that it does not read yet, or no longer reads. */
type ReadRequests = (socket: Duplex) => void;

/**
 * Takes over a connection for a WebSocket. For other protocols, lets Node read the request again without the upgrade.
 * The connection is already counted.
 */
function upgrade(
  webSockets: WebSockets,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  readRequests: ReadRequests,
): void {
  if (webSockets.takes(req)) {
    webSockets.upgrade(req, socket, head).catch(() => socket.destroy());
    return;
  }
  socket.unshift(withoutUpgrade(req, head));
  readRequests(socket);
}

/**
 * Returns the bytes of a request without its upgrade, which a server may ignore (RFC 9110, section 7.8). Some clients
 * offer HTTP/2 in this way with each request, even with a body, and expect an answer in HTTP/1.1 if the server cannot
 * upgrade.
 */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage, rest: Buffer): Buffer {
  const head = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.toLowerCase() !== 'upgrade') head.push(`${name}: ${rawHeaders[i + 1]}`);
  }
  // Node has read the bytes of the head as Latin-1.
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), rest]);
}

/** The address to listen on. */
interface BindOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The file descriptor of a socket that already listens; ignores `host` and `port`. */
  readonly fd?: number;
  /** Throws if the server must not listen on the address of the socket. The server then accepts nothing. */
  readonly checkAddress?: (address: string) => void;
  /** Connections from another process, which listens on `host` and `port`. */
  readonly handed?: Handed | undefined;
}

/** Connections that another process accepts. */
export interface Handed {
  /** The path of another socket to listen on, because Node only closes a server that listens. */
  readonly path: string;
  /** Passes each later connection to a function. */
  onConnection(take: (socket: Socket) => void): void;
}

/** The address and the port that a server listens on. */
type Bound = Pick<AddressInfo, 'address' | 'port'>;

/** Binds the server. Rejects if the address is not available or the socket cannot listen. */
function bind(server: NetServer, { host, port, fd, checkAddress, handed }: BindOptions): Promise<Bound> {
  if (handed) return bindHanded(server, handed, { address: host, port });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { host, port } : { fd }, () => {
      server.off('error', reject);
      const address = server.address();
      const known = address !== null && typeof address === 'object';
      resolve({ address: known && fd !== undefined ? address.address : host, port: known ? address.port : 0 });
    });
    if (fd !== undefined) checkPassed(server, reject, checkAddress);
  });
}

/** Accepts the connections from another process. */
function bindHanded(server: NetServer, { path, onConnection }: Handed, bound: Bound): Promise<Bound> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      onConnection((socket) => {
        // As in HTTP servers: an answer may follow the end of a request.
        socket.allowHalfOpen = true;
        server.emit('connection', socket);
      });
      resolve(bound);
    });
  });
}

/** Checks a passed socket. It is already bound, so its address is known before the server accepts anything. */
function checkPassed(
  server: NetServer,
  reject: (error: unknown) => void,
  checkAddress: BindOptions['checkAddress'],
): void {
  // If the file descriptor is not a socket, Node emits an error.
  if (!server.listening) return;
  const address = server.address();
  try {
    if (address === null || typeof address === 'string') throw new TypeError('the passed socket is not a TCP socket');
    checkAddress?.(address.address);
  } catch (error) {
    NetServer.prototype.close.call(server);
    reject(error);
  }
}

/** The loopback address for the address that means all addresses of a family. */
const loopbackFor = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Returns an address for clients on this machine. */
const reachable = (bound: string): string => loopbackFor.get(bound) ?? bound;

/** Joins host and port, as in URLs. */
const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
