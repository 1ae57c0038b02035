/** A process that answers requests of a server with workers. */

import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { ConsoleSession, KnownSession } from '../../plugins/index.js';
import type { AuditSink } from '../../runtime/contract/index.js';
import { type Answers, type Calls, objectIn, openCalls } from './calls.js';
import { takeConnections } from './connections.js';
import { toMetricValues } from './metrics-of-all.js';
import type { OwnParts, Place, WorkerRole } from './role.js';

/** The start of a worker: its role, and the addresses to listen at. */
export interface Begun {
  readonly role: WorkerRole;
  readonly places: readonly Place[];
}

/** Asks the owner for the setup. If the owner ends, this process ends at once. */
export async function beginWorker(number: number): Promise<Begun> {
  let stop = async (): Promise<void> => {};
  let hasEnded = false;
  let folder: string | undefined;
  process.once('disconnect', () => {
    if (hasEnded) return;
    // The owner was killed, and has left its sockets behind.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  const takers = new Map<boolean, (socket: Socket) => void>();
  takeConnections((socket, isSecure) => {
    const take = takers.get(isSecure);
    if (take) take(socket);
    else socket.destroy();
  });
  let parts: Pick<OwnParts, 'metrics' | 'sessions'> | undefined;
  const answers: Answers = {
    metrics: (asFloat) => parts?.metrics.read(asFloat === true) ?? [],
    sessions: (known) => parts?.sessions?.take(sessionsIn(known)),
    // Answers at once: the owner kills a worker that does not.
    stop() {
      stop()
        .catch(() => {})
        .finally(() => process.exit());
    },
  };
  const owner = openCalls(
    {
      send: (message, sent) =>
        process.send ? void process.send(message, undefined, undefined, sent) : sent(new Error('no owner')),
      onMessage: (hear) => void process.on('message', hear),
    },
    answers,
  );
  const setup = objectIn(await owner.call('setup')) ?? {};
  const { secret, storePath, sinks, places, sessions } = setup;
  folder = String(setup.folder);
  return {
    places: Array.isArray(places) ? places.flatMap(placeIn) : [],
    role: {
      kind: 'worker',
      number,
      secret: secret instanceof Uint8Array ? secret : new Uint8Array(),
      storePath: typeof storePath === 'string' ? storePath : undefined,
      sinks: Array.isArray(sinks) ? sinks.map((sink, index) => sinkOf(owner, objectIn(sink) ?? {}, index)) : [],
      handed: (isSecure) => ({
        path: join(String(setup.folder), `${process.pid}-${isSecure ? 'https' : 'http'}`),
        onConnection: (take) => void takers.set(isSecure, take),
      }),
      connect(own) {
        parts = own;
        own.sessions?.take(sessionsIn(sessions));
        own.metrics.showTogether(async (asFloat) => toMetricValues(await owner.call('metrics', asFloat)));
      },
      async mayListen(digest) {
        await owner.call('mayListen', digest);
      },
      console: {
        begin: async (code) => sessionIn(await owner.call('begin', code)),
        link: async () => String(await owner.call('link')),
      },
      async ready(stopServer) {
        stop = stopServer;
        await owner.call('ready');
      },
      async leave() {
        await owner.call('leave').catch(() => undefined);
      },
      async failed(error) {
        await owner.call('failed', error instanceof Error ? error.message : String(error)).catch(() => undefined);
      },
      end() {
        hasEnded = true;
        if (process.connected) process.disconnect();
      },
    },
  };
}

/** Returns a sink that hands records to a sink of the owner. */
const sinkOf = (owner: Calls, { name, strict }: Readonly<Record<string, unknown>>, sink: number): AuditSink => ({
  name: String(name),
  strict: strict === true,
  write: async ({ json, cut }) => {
    try {
      return (await owner.call('audit', { sink, json, cut: cut() })) === true;
    } catch {
      return false;
    }
  },
  close: async () => {},
});

const sessionsIn = (value: unknown): readonly KnownSession[] =>
  Array.isArray(value)
    ? value.flatMap((one): readonly KnownSession[] => {
        const [hash, expiresAt] = Array.isArray(one) ? one : [];
        return typeof hash === 'string' && typeof expiresAt === 'number' ? [[hash, expiresAt]] : [];
      })
    : [];

function sessionIn(value: unknown): ConsoleSession | undefined {
  const { token, expiresAt } = objectIn(value) ?? {};
  return typeof token === 'string' && typeof expiresAt === 'number' ? { token, expiresAt } : undefined;
}

function placeIn(value: unknown): readonly Place[] {
  const { host, port, isSecure } = objectIn(value) ?? {};
  return typeof host === 'string' && typeof port === 'number' ? [{ host, port, isSecure: isSecure === true }] : [];
}
