/**
 * Closes a listening server: answers the requests in progress, and resets no connection that a client could still use.
 */

import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Http2 } from './http2.js';
import type { TimeLimits } from './limits.js';
import type { InProgress } from './node-listener.js';
import type { WebSockets } from './websocket.js';

/** The parts of a server with connections. */
export interface Closable {
  readonly server: Server;
  /** All open sockets, including sockets of HTTP/2 and of WebSockets. */
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2 | undefined;
  readonly webSockets: WebSockets;
  readonly inProgress: Pick<InProgress, 'beginClosing' | 'settled'>;
  readonly limits: Pick<TimeLimits, 'stopMs'>;
}

/** How long a closing server accepts waiting connections at most, in milliseconds. */
const acceptMs = 100;

/** The longest time that requests may be in progress, in milliseconds. */
const progressMs = 30_000;

/** The longest pause in the sending of answers, in milliseconds. Then the server breaks them off. */
const stillMs = 2000;

/** The interval at which a closing server closes idle connections, in milliseconds. */
const sweepMs = 10;

/**
 * Stops listening. Answers requests that are in progress or arrive on open connections, and announces the end of the
 * connection to their clients. Then `settle` ends streams.
 */
export async function close(parts: Closable, settle?: () => Promise<void>): Promise<void> {
  const { server, sockets, http2, webSockets, inProgress, limits } = parts;
  inProgress.beginClosing();
  http2?.announceEnd();
  await acceptWaiting(server);
  // Does not call the method of HTTP servers, because it closes connections while a request may be in flight.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await inProgress.settled(sockets.size === 0 ? 0 : limits.stopMs, progressMs);
  server.closeIdleConnections();
  webSockets.goAway();
  http2?.goAway();
  try {
    await settle?.();
  } finally {
    await sweepUntil(
      closed.then(() => allClosed(sockets)),
      parts,
    );
    // Ends the other activities of an HTTP server.
    server.close();
  }
}

/** Waits for the connections from another process, because Node does not wait for them. */
async function allClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all(
    [...sockets].map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
  );
}

/** Accepts waiting connections, one per turn of the event loop. The system would reset the others. */
async function acceptWaiting(server: Server): Promise<void> {
  const until = performance.now() + acceptMs;
  let isNew = true;
  const note = (): void => {
    isNew = true;
  };
  server.on('connection', note);
  while (isNew && performance.now() < until) {
    isNew = false;
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }
  server.off('connection', note);
}

/** Closes connections as they become idle, and cuts off clients that take no more bytes. */
async function sweepUntil(closed: Promise<void>, { server, sockets, http2, webSockets }: Closable): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  let before = -1;
  const look = setInterval(() => {
    const sent = sum([...sockets].map((socket) => socket.bytesWritten));
    if (sent > before) {
      before = sent;
      return;
    }
    server.closeAllConnections();
    webSockets.terminate();
    http2?.terminate();
    // This includes HTTP/2 sessions that would wait for ever, for example because Node has stopped reading a flood.
    for (const socket of sockets) socket.destroy();
  }, stillMs / 2);
  await closed;
  clearInterval(sweep);
  clearInterval(look);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
