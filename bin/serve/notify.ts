/**
 * Reports the state of the server to systemd (sd_notify(3)) with the program `systemd-notify`: systemd expects messages
 * on a Unix datagram socket, and Node cannot send these.
 */
import { execFile } from 'node:child_process';
import { FlagError } from '../flags/flag.js';
import type { Transport } from '../flags/serve/listening.js';

/** Receives the states of a service. */
export interface ServiceManager {
  /** Reports that the service is ready. Then reports regularly that it is alive, if the manager asks for that. */
  ready(status: string): void;
  /** Reports that the service stops, which may take time. */
  stopping(status: string): void;
  /** Resolves when all reports have been sent. */
  done(): Promise<void>;
}

const nobody: ServiceManager = { ready: () => undefined, stopping: () => undefined, done: () => Promise.resolve() };

/** Returns the manager that the environment names, or one that ignores all reports. */
export function serviceManager(env: NodeJS.ProcessEnv, onProblem: (problem: string) => void): ServiceManager {
  const { NOTIFY_SOCKET: socket } = env;
  if (!socket) return nobody;
  let hasFailed = false;
  const send = (assignments: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile('systemd-notify', assignments, { env: { ...env, NOTIFY_SOCKET: socket } }, (error, _out, err) => {
        if (error && !hasFailed) onProblem(`systemd cannot be notified: ${err.trim() || error.message}`);
        hasFailed ||= error !== null;
        resolve();
      });
    });
  let told: Promise<void> = Promise.resolve();
  // Sends reports in order, because the last one counts.
  const tell = (...assignments: readonly string[]): void => {
    told = told.then(() => send(assignments));
  };
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      tell('READY=1', `STATUS=${status}`);
      const everyMs = watchdogMs(env);
      if (everyMs !== undefined) watchdog = setInterval(() => tell('WATCHDOG=1'), everyMs).unref();
    },
    stopping: (status) => tell('STOPPING=1', `STATUS=${status}`),
    done() {
      clearInterval(watchdog);
      return told;
    },
  };
}

/** Returns half of systemd's watchdog time, as systemd advises, or `undefined` without a watchdog. */
function watchdogMs({ WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid }: NodeJS.ProcessEnv): number | undefined {
  if (!/^\d{1,15}$/.test(microseconds) || (pid !== undefined && pid !== String(process.pid))) return undefined;
  const milliseconds = Number(microseconds) / 2000;
  return milliseconds >= 1 ? Math.min(milliseconds, 2 ** 31 - 1) : undefined;
}

/** A socket that listens already. */
export interface PassedSocket {
  readonly fd: number;
  /** Its `FileDescriptorName`. Default: the name of the socket unit. */
  readonly name: string;
}

/** The first file descriptor of passed sockets; the others follow. */
const firstFd = 3;

/** Takes the sockets that the environment passes to this process, and removes them from the environment. */
export function takePassedSockets(env: NodeJS.ProcessEnv, pid = process.pid): readonly PassedSocket[] {
  const { LISTEN_FDS: count = '', LISTEN_PID: owner, LISTEN_FDNAMES: names = '' } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (!/^\d{1,4}$/.test(count) || owner !== String(pid)) return [];
  const named = names.split(':');
  return Array.from({ length: Number(count) }, (_, i) => ({ fd: firstFd + i, name: named[i] ?? '' }));
}

/**
 * Uses sockets in place of addresses and ports. The names `https` and `http` decide; other sockets fill the gaps, TLS
 * first. Throws a `FlagError` if a socket has no use.
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

/** Sorts sockets with a known name first. */
const rank = ({ name }: PassedSocket): number => (sides.has(name) ? 0 : 1);

const surplus = ({ fd, name }: PassedSocket): FlagError =>
  new FlagError(
    `systemd passes the socket ${fd}${name === '' ? '' : ` (${name})`}, which has no use: there can be one called https ` +
      'and one called http, unless --secure-port 0 or --http-port 0 turns that side off',
  );
