/** Listens for HTTP/1.1 and, where there is a certificate, for HTTP/2 and HTTP/1.1 over TLS; WebSockets go with either. */
import { createServer as createHttpServer, type IncomingMessage, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Http2 } from './http2.js';
import { answerMalformed, maxHeaderSize } from './malformed.js';
import type { NodeListener } from './node-listener.js';
import { isWebSocketRequest, withoutUpgrade } from './upgrade.js';
import type { WebSockets } from './websocket.js';

/** Where to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The certificate of the server; plain HTTP where absent. */
  readonly tls?: ServerCertificate;
}

/** A certificate with its chain, and the key to it, in PEM. */
export interface ServerCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** A server that listens. */
export interface Listening {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Stops listening. `settle` brings what is under way to its end, such as by closing the store, which ends watches and
   * refuses further writes. What is then still open after two seconds is broken off.
   */
  close(settle?: () => Promise<void>): Promise<void>;
}

const connections = { keepAliveTimeout: 90_000, requestTimeout: 0, maxHeaderSize } as const;

/** Starts to listen. Rejects where the address cannot be had; throws where certificate and key are no pair. */
export async function listen(
  listener: NodeListener,
  webSockets: WebSockets,
  options: ListenOptions,
): Promise<Listening> {
  const { host, port, tls } = options;
  // Only TLS can choose HTTP/2. Both are loaded for who wants them: they take Node as long as a thirtieth of a start.
  const http2 = tls && (await import('./http2.js')).createHttp2(listener);
  const server = tls ? await createSecureServer(listener, tls) : createHttpServer(connections, listener);
  answerMalformed(server);
  if (http2) divert(server, http2);
  server.on('upgrade', (req, socket, head) => upgrade(server, webSockets, req, socket, head));
  const address = await bind(server, host, port);
  return {
    url: `${tls ? 'https' : 'http'}://${address}`,
    close: (settle) => close(server, { http2, webSockets }, settle),
  };
}

async function createSecureServer(listener: NodeListener, tls: ServerCertificate): Promise<HttpsServer> {
  const { createServer } = await import('node:https');
  const choices = { minVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] } as const;
  return createServer({ ...connections, ...tls, ...choices }, listener);
}

type EitherServer = Server | HttpsServer;

/** The event by which a server is given its connections. */
const connectionEvent = (server: EitherServer): string =>
  server instanceof Server ? 'connection' : 'secureConnection';

/** Sends connections whose client chose HTTP/2 (RFC 7301) there, and leaves the others where they go anyway. */
function divert(server: EitherServer, http2: Http2): void {
  const event = connectionEvent(server);
  const others = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else for (const listener of others) listener.call(server, socket);
  });
}

function upgrade(
  server: EitherServer,
  webSockets: WebSockets,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  if (isWebSocketRequest(req)) {
    webSockets.upgrade(req, socket, head).catch(() => socket.destroy());
    return;
  }
  socket.unshift(withoutUpgrade(req, head));
  server.emit(connectionEvent(server), socket);
}

function bind(server: EitherServer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(`${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}`);
    });
  });
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === 'object' ? address.port : 0;

/** How long answers that are under way when the server closes may take to be sent, milliseconds. */
const closingMs = 2000;

/** How often connections whose answers have been sent are looked for meanwhile, milliseconds. */
const sweepMs = 10;

/** The connections that the listening server has given away. */
interface Others {
  readonly http2: Http2 | undefined;
  readonly webSockets: WebSockets;
}

async function close(server: EitherServer, { http2, webSockets }: Others, settle?: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  webSockets.goAway();
  http2?.goAway();
  try {
    await settle?.();
  } finally {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
      webSockets.terminate();
      http2?.terminate();
    }, closingMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
