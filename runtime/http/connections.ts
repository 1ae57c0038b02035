/** Counts the open connections of a server, and refuses the surplus. */
import type { Socket } from 'node:net';

/** The number of connections beyond the limit that get an answer. Further ones are closed without a word. */
const told = 100;

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
    if (this.#open > this.#most + told) socket.destroy();
  }

  /** Notes that a connection is ready for requests; returns whether it is one too many. */
  ready(socket: object): boolean {
    if (this.#open > this.#most) this.#surplus.add(socket);
    return this.isSurplus(socket);
  }

  isSurplus(socket: object): boolean {
    return this.#surplus.has(socket);
  }
}
