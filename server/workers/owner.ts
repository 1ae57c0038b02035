/** The process that owns the data of a server with workers. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord } from '../../runtime/contract/index.js';
import { metricTable } from '../../runtime/server/index.js';
import { serveStore } from '../../runtime/storage/owner/serve-store.js';
import { type Answers, objectIn } from './calls.js';
import { type Connections, defineConnections } from './connections.js';
import { defineMetricsOfAll } from './metrics-of-all.js';
import type { Bind, OwnerRole, OwnParts, Place, RunningWorkers, Wanted } from './role.js';
import { type Supervised, supervise } from './supervise.js';

/** Milliseconds that a login waits for the workers. A frozen worker reads of the session when it continues. */
const sessionsMs = 2_000;

export function defineOwner(count: number): OwnerRole {
  const doors = openDoors();
  return {
    kind: 'owner',
    secret: randomBytes(32),
    bind: doors.bind,
    start: (parts) => start(count, parts, doors),
  };
}

async function start(count: number, parts: OwnParts, doors: Doors): Promise<RunningWorkers> {
  const { metrics, onProblem } = parts;
  const { workers: answering, workerRestarts: restarts } = metricTable.server.metrics;
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-workers-'));
  const storePath = parts.store && join(folder, 'store');
  const served = parts.store && (await serveStore(parts.store, join(folder, 'store')));
  const supervised: Supervised = supervise({
    count,
    answers: answersOf(parts, { doors, folder, storePath, workers: () => supervised }),
    onCount: (number) => {
      metrics.number(answering).with().value = number;
    },
    onReady: doors.connections.add,
    onLeave: doors.connections.remove,
    onRestart: () => {
      metrics.number(restarts).with().value++;
    },
    onProblem,
    // Throws an error that nobody catches: the server stops, and the program ends.
    onEnd: (error) =>
      setImmediate(() => {
        throw error;
      }),
  });
  metrics.number(restarts).with();
  const stop = async (): Promise<void> => {
    await supervised.stop();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await supervised.started;
    return { stop, closeDoors: doors.close };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ForAnswers {
  readonly doors: Doors;
  /** For the sockets of workers. */
  readonly folder: string;
  readonly storePath: string | undefined;
  readonly workers: () => Supervised;
}

/** Returns the functions that workers may call. */
function answersOf(parts: OwnParts, { doors, folder, storePath, workers }: ForAnswers): Answers {
  const { secret, sinks, sessions, link, digest } = parts;
  const metricsOfAll = defineMetricsOfAll(parts.metrics, () => workers().answering);
  const tellSessions = (): Promise<unknown> =>
    Promise.allSettled(workers().answering.map(({ call }) => call('sessions', sessions?.known(), sessionsMs)));
  return {
    setup: () => ({
      secret,
      storePath,
      folder,
      places: doors.places,
      sinks: sinks.map(({ name, strict = false }) => ({ name, strict })),
      sessions: sessions?.known() ?? [],
    }),
    mayListen(served) {
      if (served !== digest) {
        throw new Error('its definitions or its code have changed since the server started; start the server again');
      }
    },
    metrics: (asFloat) => metricsOfAll(asFloat === true),
    audit(argument) {
      const { sink, json, cut } = objectIn(argument) ?? {};
      const record: AuditRecord = { json: String(json), cut: () => String(cut) };
      return (typeof sink === 'number' ? sinks[sink]?.write(record) : undefined) ?? false;
    },
    async begin(code) {
      const session = sessions?.begin(String(code));
      if (session) await tellSessions();
      return session;
    },
    link,
  };
}

/** The addresses where the owner listens for the workers. */
interface Doors {
  readonly bind: Bind;
  readonly places: readonly Place[];
  readonly connections: Connections;
  /** Accepts no more connections. */
  close(): void;
}

function openDoors(): Doors {
  const places: Place[] = [];
  const servers: Server[] = [];
  const connections = defineConnections();
  const close = (): void => {
    for (const server of servers.splice(0)) server.close();
  };
  return {
    places,
    connections,
    close,
    async bind({ isSecure, ...wanted }) {
      const { server, host, port } = await listenAt(wanted, (socket) => connections.give(socket, isSecure));
      places.push({ host, port, isSecure });
      servers.push(server);
      return {
        url: `${isSecure ? 'https' : 'http'}://${hostFor(host)}:${port}`,
        close: async (settle) => {
          close();
          connections.end();
          await settle?.();
        },
      };
    },
  };
}

/** Returns the host for URLs to the server from this machine. */
function hostFor(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

type Listened = Omit<Place, 'isSecure'> & { readonly server: Server };

/** Returns a server that listens, and reads nothing from its connections. */
function listenAt(
  { host, port, fd, checkAddress }: Omit<Wanted, 'isSecure'>,
  give: (socket: Socket) => void,
): Promise<Listened> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, give);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { host, port } : { fd }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') {
        server.close();
        reject(new TypeError('the passed socket is not a TCP socket'));
        return;
      }
      if (fd === undefined) return resolve({ server, host, port: address.port });
      try {
        checkAddress?.(address.address);
        resolve({ server, host: address.address, port: address.port });
      } catch (error) {
        server.close();
        reject(error);
      }
    });
  });
}
