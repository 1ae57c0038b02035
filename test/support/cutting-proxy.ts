/** A proxy to a server. It cuts each connection after some bytes of answers. */
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './local-server.js';

export interface CuttingProxy {
  /** As in `127.0.0.1:8080`. */
  readonly host: string;
  /** How many connections the proxy has cut. */
  readonly cuts: number;
  /** Leads new connections to another server, and cuts the present connections. */
  leadTo(url: string): void;
  /** Stops cutting connections. */
  calmDown(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a server. `budget` returns how many bytes the next connection may receive. */
export async function startCuttingProxy(url: string, budget: () => number): Promise<CuttingProxy> {
  let target = new URL(url);
  let cuts = 0;
  let calm = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const end = (): void => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
    let left = budget();
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (calm || chunk.length < left) {
        client.write(chunk);
        left -= chunk.length;
      } else {
        cuts++;
        client.write(chunk.subarray(0, left), end);
        left = 0;
        upstream.pause();
      }
    });
  });
  const port = await listenLocally(server);
  const cutAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host: `127.0.0.1:${port}`,
    get cuts() {
      return cuts;
    },
    leadTo: (other) => {
      target = new URL(other);
      cutAll();
    },
    calmDown: () => {
      calm = true;
    },
    close: () => {
      cutAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
