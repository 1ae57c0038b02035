/** Serves an embedded store to the workers of the process that owns it, over a socket. */
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { EmbeddedStore } from '../open-store.js';
import { Channel } from './channel.js';
import { isQuestion } from './messages.js';
import { NewestWriter, newestFileOf } from './newest-file.js';
import { WorkerSession } from './worker-session.js';

export interface ServedStore {
  /** Ends all connections and removes the socket. The store stays open. */
  close(): Promise<void>;
}

/**
 * Listens on a Unix socket that only this user can open. The socket is open to all users for a moment, so its folder
 * must keep them out. Rejects with an Error if the path cannot be used.
 */
export async function serveStore(store: EmbeddedStore, path: string): Promise<ServedStore> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    connect(store, socket);
  });
  await rm(path, { force: true });
  const newest = new NewestWriter(newestFileOf(path));
  store.onNewest((revision) => newest.write(revision));
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  // If a connection cannot be accepted, because file descriptors are used up, its worker tries again.
  server.on('error', () => {});
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    store.onNewest(undefined);
    newest.close();
    await rm(path, { force: true });
  };
  return {
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function connect(store: EmbeddedStore, socket: Socket): void {
  const channel = new Channel(socket, {
    message: (id, message) => {
      if (isQuestion(message)) session.hear(id, message);
      else channel.close();
    },
    drained: () => session.drained(),
    closed: () => session.close(),
  });
  const session = new WorkerSession(store, channel);
}
