/** Servers of tests. */
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on a free port of this machine, and returns the port. */
export async function listenLocally(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
