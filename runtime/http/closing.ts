/** Closes a server that listens: what is in progress is answered, and no connection is reset that could still be used. */

import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Http2 } from './http2.js';
import type { InProgress } from './in-progress.js';
import type { TimeLimits } from './time-limits.js';
import type { WebSockets } from './websocket.js';

/** The parts of a server that have its connections. */
export interface Closable {
  readonly server: Server;
  /** All open ones, those of HTTP/2 and of WebSockets included. */
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2 | undefined;
  readonly webSockets: WebSockets;
  readonly inProgress: Pick<InProgress, 'beginClosing' | 'settled'>;
  readonly limits: Pick<TimeLimits, 'stopMs'>;
}

/** How long connections that wait to be accepted are accepted at most, milliseconds. */
const acceptMs = 100;

/** How long requests may be in progress, milliseconds. */
const progressMs = 30_000;

/** How long an answer that is being sent may stand still before it is broken off, milliseconds. */
const stillMs = 2000;

/** How often connections whose answers have been sent are looked for meanwhile, milliseconds. */
const sweepMs = 10;

/**
 * Stops listening. Requests that are in progress, or come by connections that are open, are answered, and their clients
 * told that the connection ends. Then `settle` brings streams to their end.
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
    await sweepUntil(closed, parts);
    // Ends what else an HTTP server has running.
    server.close();
  }
}

/** Accepts the connections that wait for it, one in a turn of the event loop: those left would be reset. */
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

/** Closes connections as they become idle, and breaks off those whose clients take nothing more. */
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
    // Those of HTTP/2 as well whose sessions wait for ever, as after a flood that Node has stopped reading.
    for (const socket of sockets) socket.destroy();
  }, stillMs / 2);
  await closed;
  clearInterval(sweep);
  clearInterval(look);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
