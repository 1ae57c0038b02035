/** Takes the requests of one HTTP/1.1 connection one at a time, though clients may send them before they get answers. */
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeRequest, NodeResponse } from './node-messages.js';

/** How many requests wait on a connection for the answers to earlier ones. */
const waiting = new WeakMap<Socket, number>();

/** Whether an earlier request of the connection has no answer yet. */
export const isBehind = (res: NodeResponse): res is ServerResponse =>
  res instanceof ServerResponse && res.socket === null && !res.destroyed;

/**
 * Begins a request once all before it have been answered: answers that are made and cannot be sent would fill the memory.
 * Nothing more is read meanwhile, so that no more requests wait than came in one piece.
 */
export function beginInTurn({ socket }: NodeRequest, res: ServerResponse, begin: () => void): void {
  waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
  socket.pause();
  res.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    begin();
    if (left === 0) socket.resume();
  });
}
