/** Takes sockets that systemd passes to the service that it activates (sd_listen_fds(3)). */
import { FlagError } from '../flags/flag.js';
import type { Transport } from '../flags/serve/listening.js';

/** A socket that listens already. */
export interface PassedSocket {
  readonly fd: number;
  /** Its `FileDescriptorName`; that of the socket unit where it has none. */
  readonly name: string;
}

/** The first of them, which follow one another. */
const firstFd = 3;

/** The sockets that the environment tells of, which are for the process that it names. Removes them from the environment. */
export function takePassedSockets(env: NodeJS.ProcessEnv, pid = process.pid): readonly PassedSocket[] {
  const { LISTEN_FDS: count = '', LISTEN_PID: owner, LISTEN_FDNAMES: names = '' } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (!/^\d{1,4}$/.test(count) || owner !== String(pid)) return [];
  const named = names.split(':');
  return Array.from({ length: Number(count) }, (_, i) => ({ fd: firstFd + i, name: named[i] ?? '' }));
}

/**
 * The sockets in place of addresses and ports: those called `https` and `http` for TLS and for plain HTTP, others where one
 * is missing still, TLS first. Throws a `FlagError` where there is nothing that one is for.
 */
export function withPassedSockets(transport: Transport, sockets: readonly PassedSocket[]): Transport {
  if (sockets.length === 0) return transport;
  const missing = [...(transport.tls ? ['https'] : []), ...(transport.http ? ['http'] : [])];
  const chosen = new Map<string, PassedSocket>();
  for (const socket of [...sockets].sort((a, b) => rank(a) - rank(b))) {
    const side = sides.has(socket.name) ? socket.name : missing.find((one) => !chosen.has(one));
    if (side === undefined || chosen.has(side) || !missing.includes(side)) throw surplus(socket);
    chosen.set(side, socket);
  }
  const [secure, plain] = [chosen.get('https'), chosen.get('http')];
  const withFd = <T extends object>(option: T, socket: PassedSocket | undefined): T =>
    socket ? { ...option, fd: socket.fd } : option;
  const tls = transport.tls && withFd(transport.tls, secure);
  if (!transport.http) return tls ? { http: false, tls } : transport;
  return { http: withFd(transport.http, plain), ...(tls && { tls }) };
}

const sides: ReadonlySet<string> = new Set(['https', 'http']);

/** Those with names of their own choose first. */
const rank = ({ name }: PassedSocket): number => (sides.has(name) ? 0 : 1);

const surplus = ({ fd, name }: PassedSocket): FlagError =>
  new FlagError(
    `systemd passes the socket ${fd}${name === '' ? '' : ` (${name})`}, which nothing is for: there can be one called https ` +
      'and one called http, unless --secure-port 0 or --http-port 0 turns that side off',
  );
