/** Closes a server that listens: what is in progress is answered, and no connection is reset that could still be used. */

import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Http2 } from './http2.js';
import type { TimeLimits } from './limits.js';
import type { InProgress } from './node-listener.js';
import type { WebSockets } from './websocket.js';

/** The parts of a server that have its connections. */
export interface Closable {
  readonly server: Server;
  /** All open sockets, including sockets of HTTP/2 and of WebSockets. */
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2 | undefined;
  readonly webSockets: WebSockets;
  readonly inProgress: Pick<InProgress, 'beginClosing' | 'settled'>;
  readonly limits: Pick<TimeLimits, 'stopMs'>;
}

/** The longest time for which waiting connections are still accepted, in milliseconds. */
const acceptMs = 100;

/** The longest time that requests may be in progress, in milliseconds. */
const progressMs = 30_000;

/** The longest pause of an answer that is being sent before it is broken off, in milliseconds. */
const stillMs = 2000;

/** The interval at which connections are closed once their answers have been sent, in milliseconds. */
const sweepMs = 10;

/**
 * Stops listening. Answers requests that are in progress, or come by open connections, and announces to their clients
 * that the connection ends. Then `settle` brings streams to their end.
 */
export async function close(parts: Closable, settle?: () => Promise<void>): Promise<void> {
  const { server, sockets, http2, webSockets, inProgress, limits } = parts;
  inProgress.beginClosing();
  http2?.announceEnd();
  await acceptWaiting(server);
  // Not the method of HTTP servers, which closes connections on which a request may be on its way.
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
    // Ends what else an HTTP server has running.
    server.close();
  }
}

/** Waits for the connections that another process has handed over, for which Node does not wait. */
async function allClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all(
    [...sockets].map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
  );
}

/** Accepts waiting connections, one per turn of the event loop, because those that are left would be reset. */
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

/** Closes connections as they become idle, and breaks off clients that take nothing more. */
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
    // This includes HTTP/2 sessions that wait for ever, as after a flood that Node has stopped reading.
    for (const socket of sockets) socket.destroy();
  }, stillMs / 2);
  await closed;
  clearInterval(sweep);
  clearInterval(look);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
