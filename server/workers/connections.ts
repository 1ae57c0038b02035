/** Hands connections of clients from the process that listens to the workers. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { objectIn } from './calls.js';

/** The connections that the owner accepts. */
export interface Connections {
  /** Hands a connection to a worker, or keeps it until there is one. */
  give(socket: Socket, isSecure: boolean): void;
  /** Lets a worker take connections. When it ends, other workers get the connections that it has not taken. */
  add(worker: ChildProcess): void;
  /** Hands no more connections to a worker. */
  remove(worker: ChildProcess): void;
  /** Closes all connections that no worker has taken, and later ones. */
  end(): void;
}

interface Given {
  readonly socket: Socket;
  readonly isSecure: boolean;
}

/** A worker, with the connections that it was given but has not taken yet. */
interface Taker {
  readonly process: ChildProcess;
  readonly given: Map<number, Given>;
}

/** The most connections that wait while no worker answers requests. Further ones are closed. */
const mostWaiting = 4096;

/** Members of messages: one message comes with a connection, the other confirms that the worker has taken it. */
const [givenMark, takenMark] = ['kindforgeConnection', 'kindforgeTaken'];

/**
 * Gives connections to workers in turn, first to those with the fewest connections to take. Node's module `cluster`
 * does so, too. But if a worker ends, the connections that it has not taken stay open forever there.
 */
export function defineConnections(): Connections {
  const takers = new Set<Taker>();
  let waiting: Given[] = [];
  let isOver = false;
  let last = 0;
  const give = (given: Given): void => {
    const taker = soonest(takers);
    if (isOver || (!taker && waiting.length >= mostWaiting)) given.socket.destroy();
    else if (taker) hand(taker, given);
    else waiting.push(given);
  };
  const hand = (taker: Taker, given: Given): void => {
    // Moves the worker to the end of the line.
    takers.delete(taker);
    takers.add(taker);
    last++;
    taker.given.set(last, given);
    // The connection stays open here until the worker has taken it. If the worker ends, another one gets it.
    const message = { [givenMark]: { id: last, isSecure: given.isSecure } };
    taker.process.send(message, given.socket, { keepOpen: true }, () => undefined);
  };
  return {
    give: (socket, isSecure) => {
      socket.on('error', () => undefined);
      give({ socket, isSecure });
    },
    add(process) {
      const taker: Taker = { process, given: new Map() };
      process.on('message', (message) => {
        const id = objectIn(message)?.[takenMark];
        if (typeof id !== 'number') return;
        taker.given.get(id)?.socket.destroy();
        taker.given.delete(id);
      });
      process.once('exit', () => {
        takers.delete(taker);
        for (const given of taker.given.values()) give(given);
      });
      takers.add(taker);
      const all = waiting;
      waiting = [];
      for (const given of all) give(given);
    },
    remove(process) {
      for (const taker of takers) if (taker.process === process) takers.delete(taker);
    },
    end() {
      isOver = true;
      for (const { socket } of waiting) socket.destroy();
      waiting = [];
    },
  };
}

/** Returns the first of the workers that have the fewest connections to take. */
function soonest(takers: ReadonlySet<Taker>): Taker | undefined {
  let found: Taker | undefined;
  for (const taker of takers) if (!found || taker.given.size < found.given.size) found = taker;
  return found;
}

/** Takes the connections that the owner hands to this process. */
export function takeConnections(take: (socket: Socket, isSecure: boolean) => void): void {
  process.on('message', (message, socket) => {
    const { id, isSecure } = objectIn(objectIn(message)?.[givenMark]) ?? {};
    if (typeof id !== 'number') return;
    // Without an owner this process ends.
    process.send?.({ [takenMark]: id }, undefined, undefined, () => undefined);
    // A connection that ended on the way comes without a handle.
    if (isSocket(socket)) take(socket, isSecure === true);
  });
}

const isSocket = (handle: unknown): handle is Socket =>
  typeof handle === 'object' && handle !== null && 'remoteAddress' in handle;
