/** The process that owns the data of a server with workers. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord } from '../../runtime/contract/index.js';
import { metricTable } from '../../runtime/server/index.js';
import { type Answers, objectIn } from './calls.js';
import { defineMetricsOfAll } from './metrics-of-all.js';
import type { Bind, OwnerRole, OwnParts, Place, RunningWorkers } from './role.js';
import { type Supervised, supervise } from './supervise.js';

export function defineOwner(count: number): OwnerRole {
  const kept = keepPlaces();
  return {
    kind: 'owner',
    secret: randomBytes(32),
    bind: kept.bind,
    start: (parts) => start(count, parts, kept),
  };
}

async function start(count: number, parts: OwnParts, kept: KeptPlaces): Promise<RunningWorkers> {
  const { metrics, onProblem } = parts;
  const { workers: answering, workerRestarts: restarts } = metricTable.server.metrics;
  const served = parts.isShared ? undefined : await serve(parts);
  const supervised: Supervised = supervise({
    count,
    answers: answersOf(parts, { kept, storePath: served?.path, workers: () => supervised }),
    onCount: (number) => {
      metrics.number(answering).with().value = number;
    },
    onRestart: () => {
      metrics.number(restarts).with().value++;
    },
    onProblem,
    // As any error that nobody catches: the server stops, and the program ends.
    onEnd: (error) =>
      setImmediate(() => {
        throw error;
      }),
  });
  metrics.number(restarts).with();
  const stop = async (): Promise<void> => {
    await supervised.stop();
    await served?.close();
  };
  try {
    await supervised.started;
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ForAnswers {
  readonly kept: KeptPlaces;
  readonly storePath: string | undefined;
  readonly workers: () => Supervised;
}

/** Returns what a worker may ask of the owner. */
function answersOf(parts: OwnParts, { kept, storePath, workers }: ForAnswers): Answers {
  const { secret, sinks, sessions, link, digest } = parts;
  const metricsOfAll = defineMetricsOfAll(parts.metrics, () => workers().answering);
  const tellSessions = (): Promise<unknown> =>
    Promise.allSettled(workers().answering.map(({ call }) => call('sessions', sessions?.known())));
  return {
    setup: () => ({
      secret,
      storePath,
      places: kept.places,
      sinks: sinks.map(({ name, strict = false }) => ({ name, strict })),
      sessions: sessions?.known() ?? [],
    }),
    async mayListen(served) {
      if (served !== digest) {
        throw new Error(
          'its definitions or its code are not those with which the server has started; start the server again',
        );
      }
      await kept.release();
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

interface ServedStore {
  readonly path: string;
  close(): Promise<void>;
}

/** Serves the store on a socket in a folder that only this user can enter. */
async function serve({ store }: OwnParts): Promise<ServedStore> {
  const { serveStore } = await import('../../runtime/storage/owner/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-workers-'));
  const path = join(folder, 'store');
  const served = await serveStore(store, { path });
  return {
    path,
    async close() {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Addresses that are kept for the workers until they listen. */
interface KeptPlaces {
  readonly bind: Bind;
  readonly places: readonly Place[];
  /** Lets go of the addresses, and resolves once they are free. */
  release(): Promise<void>;
}

function keepPlaces(): KeptPlaces {
  const places: Place[] = [];
  const closing: (() => Promise<void>)[] = [];
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= Promise.all(closing.map((close) => close())).then(() => undefined);
    return released;
  };
  return {
    places,
    release,
    async bind(place) {
      const { port, close } = await keep(place);
      places.push({ ...place, port });
      closing.push(close);
      return {
        url: `${place.isSecure ? 'https' : 'http'}://${hostFor(place.host)}:${port}`,
        close: async (settle) => {
          await release();
          await settle?.();
        },
      };
    },
  };
}

/** Returns the host of URLs by which the server is reached from this machine. */
function hostFor(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Binds an address, so that nobody else takes a free port that was found. A given port is let go at once: clients try
 * again if nobody listens, but not if a connection is reset.
 */
async function keep(place: Place): Promise<KeptPlace> {
  const kept = await bound(place);
  if (place.port !== 0) await kept.close();
  return place.port === 0 ? kept : { ...kept, close: () => Promise.resolve() };
}

interface KeptPlace {
  readonly port: number;
  close(): Promise<void>;
}

function bound({ host, port }: Place): Promise<KeptPlace> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve({
        port: address !== null && typeof address === 'object' ? address.port : port,
        close: () => new Promise((closed) => void server.close(() => closed())),
      });
    });
  });
}
