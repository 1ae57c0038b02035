/**
 * Sends messages over a socket. Each is a value as V8 serializes it, after its length and the number of its question,
 * in four bytes each.
 */
import type { Socket } from 'node:net';
import { deserialize } from 'node:v8';

export interface ChannelHandler {
  /** Receives a message about the question with a number. Must not throw. */
  message(id: number, message: unknown): void;
  /** Notes that the other side has read all waiting bytes. Must not throw. */
  drained?(): void;
  /** Notes that the socket has ended. No messages follow. */
  closed(): void;
}

const HEAD_BYTES = 8;
/** The bytes of the longest message: several times as many as in a group of the largest objects. */
const LONGEST = 512 * 1024 * 1024;

export class Channel {
  readonly #socket: Socket;
  readonly #handler: ChannelHandler;
  #pieces: Buffer[] = [];
  #received = 0;
  /** The bytes of the next message, including its head, once they are known. */
  #awaited = HEAD_BYTES;
  #isCorked = false;

  constructor(socket: Socket, handler: ChannelHandler) {
    this.#socket = socket;
    this.#handler = handler;
    socket.on('data', (piece) => this.#hear(piece));
    socket.on('drain', () => handler.drained?.());
    // `close` follows.
    socket.on('error', () => {});
    socket.on('close', () => handler.closed());
  }

  /** The bytes that the other side has not read yet. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** Sends a serialized message. Messages of one turn of the event loop are sent together. */
  send(id: number, message: Uint8Array): void {
    if (this.#socket.destroyed) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeUInt32BE(message.length);
    head.writeUInt32BE(id, 4);
    this.#socket.write(head);
    this.#socket.write(message);
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#received += piece.length;
    while (this.#received >= this.#awaited) {
      const [first] = this.#pieces;
      const all = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
      const end = HEAD_BYTES + all.readUInt32BE(0);
      if (end > LONGEST) {
        this.close();
        return;
      }
      if (end > all.length) {
        this.#awaited = end;
        this.#pieces = [all];
        return;
      }
      this.#pieces = [all.subarray(end)];
      this.#received -= end;
      this.#awaited = HEAD_BYTES;
      this.#handler.message(all.readUInt32BE(4), deserialize(all.subarray(HEAD_BYTES, end)));
    }
  }
}
