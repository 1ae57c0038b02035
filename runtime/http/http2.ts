/** HTTP/2 (RFC 9113) on TLS connections that negotiated it, with limits on each client. */
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { SizeLimits, TimeLimits } from './limits.js';
import type { NodeListener } from './node-listener.js';

/** The HTTP/2 side of a server. */
export interface Http2 {
  /** Takes over a connection. If there are too many, asks its client to calm down. */
  accept(socket: Duplex, isSurplus: boolean): void;
  /** Announces that clients should use other connections; still takes requests in flight. */
  announceEnd(): void;
  /** Takes no more requests; requests in flight continue. */
  goAway(): void;
  /** Breaks off everything that is still open. */
  terminate(): void;
}

/** The most bytes of a request's headers. The server resets requests with more. */
const mostHeaderBytes = 16 * 1024;

/**
 * Returns the limits of one connection. Node cuts off clients that open streams only to reset them: it allows a burst
 * of a thousand, then 33 per second.
 */
const boundsOf = (headerBytes: number, maxConcurrentStreams: number) => ({
  settings: { maxConcurrentStreams, maxHeaderListSize: headerBytes },
  /** The most headers of a request. Their size is the real limit, because each counts as 32 bytes more than it has. */
  maxHeaderListPairs: headerBytes / 32,
  /**
   * Megabytes, enough for a large list on each stream at once. Waiting chunks of lists and watch events count in full
   * for each stream, although streams share them. Beyond the limit, the server asks clients to calm down, and closes
   * the connection if they continue.
   */
  maxSessionMemory: 1024,
});

/** The highest number that a stream can have. An end with this number refuses no request (RFC 9113, section 6.8). */
const lastStream = 2 ** 31 - 1;

/** The code of an end that asks a client to calm down (RFC 9113, section 7). */
const enhanceYourCalm = 11;

export function createHttp2(
  listener: NodeListener,
  { headerBytes, http2Streams }: Pick<SizeLimits, 'headerBytes' | 'http2Streams'>,
  { idleMs }: Pick<TimeLimits, 'idleMs'>,
): Http2 {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(boundsOf(Math.min(headerBytes, mostHeaderBytes), http2Streams), listener);
  let isSurplus = false;
  server.on('session', (session) => {
    if (isSurplus) return turnAway(session);
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    closeWhenIdle(session, idleMs);
  });
  return {
    accept: (socket, surplus) => {
      isSurplus = surplus;
      server.emit('connection', socket);
      isSurplus = false;
    },
    announceEnd: () => {
      for (const session of sessions) if (!session.destroyed) session.goaway(0, lastStream);
    },
    goAway: () => {
      for (const session of sessions) session.close();
    },
    terminate: () => {
      for (const session of sessions) session.destroy();
    },
  };
}

/** Asks a client to calm down, and closes its connection. */
function turnAway(session: ServerHttp2Session): void {
  session.goaway(enhanceYourCalm);
  setImmediate(() => session.destroy());
}

/** The time for an end to reach the client, in milliseconds. */
const endMs = 1000;

/**
 * Closes idle sessions. Silent watches keep a session open. Incomplete headers do not count as a stream. Node would
 * wait for them for ever, so this destroys the session after `endMs`.
 */
function closeWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  let streams = 0;
  session.on('stream', (stream) => {
    streams++;
    stream.once('close', () => streams--);
  });
  session.setTimeout(idleMs, () => {
    if (streams > 0) return;
    session.close();
    setTimeout(() => {
      if (streams === 0 && !session.destroyed) session.destroy();
    }, endMs).unref();
  });
}
