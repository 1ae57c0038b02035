/** Binds a server to an address, or to a socket that listens already. */
import { type AddressInfo, Server as NetServer } from 'node:net';

/** The address to listen on. */
export interface BindOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A socket that listens already, by its file descriptor; `host` and `port` do not count then. */
  readonly fd?: number;
  /** Throws where the address that the socket has is not to be served at; nothing is accepted then. */
  readonly checkAddress?: (address: string) => void;
}

/** The address and the port that a server listens on. */
export type Bound = Pick<AddressInfo, 'address' | 'port'>;

/** Rejects where the address cannot be had, or the socket cannot be listened on. */
export function bind(server: NetServer, { host, port, fd, checkAddress }: BindOptions): Promise<Bound> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { host, port } : { fd }, () => {
      server.off('error', reject);
      const address = server.address();
      const known = address !== null && typeof address === 'object';
      resolve({ address: known && fd !== undefined ? address.address : host, port: known ? address.port : 0 });
    });
    if (fd !== undefined) checkPassed(server, reject, checkAddress);
  });
}

/** Checks a passed socket. It was bound by others, and has its address at once, before anything is accepted. */
function checkPassed(
  server: NetServer,
  reject: (error: unknown) => void,
  checkAddress: BindOptions['checkAddress'],
): void {
  // A file descriptor that is not a socket is reported as an error.
  if (!server.listening) return;
  const address = server.address();
  try {
    if (address === null || typeof address === 'string') throw new TypeError('the socket that is passed is not of TCP');
    checkAddress?.(address.address);
  } catch (error) {
    NetServer.prototype.close.call(server);
    reject(error);
  }
}

/** The addresses that stand for all of a family. */
const loopbackFor = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Returns an address by which the server is reached from this machine. */
export const reachable = (bound: string): string => loopbackFor.get(bound) ?? bound;

/** Joins host and port as in URLs. */
export const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
