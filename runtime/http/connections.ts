/** Counts the open connections of a server, and tells those that are too many. */
import type { Socket } from 'node:net';

/** Connections beyond the limit that are told so. Further ones are closed without a word. */
const told = 100;

export class Connections {
  readonly #most: number;
  readonly #surplus = new WeakSet<object>();
  #open = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** A connection has come, with or without TLS. */
  add(socket: Socket): void {
    this.#open++;
    socket.once('close', () => {
      this.#open--;
    });
    if (this.#open > this.#most + told) socket.destroy();
  }

  /** A connection is ready for requests; whether it is one too many. */
  ready(socket: object): boolean {
    if (this.#open > this.#most) this.#surplus.add(socket);
    return this.isSurplus(socket);
  }

  isSurplus(socket: object): boolean {
    return this.#surplus.has(socket);
  }
}
