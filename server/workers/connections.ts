/** Hands connections of clients from the process that listens to the workers. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { objectIn } from './calls.js';

/** The connections that the owner accepts. */
export interface Connections {
  /** Hands a connection to a worker, or keeps it until there is one. */
  give(socket: Socket, isSecure: boolean): void;
  /** Lets a worker take connections. It takes no more once it has ended, and others get what it has not taken. */
  add(worker: ChildProcess): void;
  /** Hands no more connections to a worker. */
  remove(worker: ChildProcess): void;
  /** Closes all connections that nobody has taken, and later ones. */
  end(): void;
}

interface Given {
  readonly socket: Socket;
  readonly isSecure: boolean;
}

/** A worker with the connections that it has got and not taken yet. */
interface Taker {
  readonly process: ChildProcess;
  readonly given: Map<number, Given>;
}

/** Connections that wait while no worker answers requests; more are closed. */
const mostWaiting = 4096;

/** Members of messages: one comes with a connection, the other one says that it was taken. */
const [givenMark, takenMark] = ['kindforgeConnection', 'kindforgeTaken'];

/**
 * Takes turns, beginning with workers that take soonest. Node's module `cluster` does so too, but leaves a connection
 * open for ever if the worker ends that it was handed to.
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
    // The last of the line gets the next connection last.
    takers.delete(taker);
    takers.add(taker);
    last++;
    taker.given.set(last, given);
    // It stays open here until the worker has it, for others in case the worker ends.
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
    // A connection that has ended on its way comes without a handle.
    if (isSocket(socket)) take(socket, isSecure === true);
  });
}

const isSocket = (handle: unknown): handle is Socket =>
  typeof handle === 'object' && handle !== null && 'remoteAddress' in handle;
