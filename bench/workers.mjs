/** The scenario of a server with workers beside a server of one process. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { childrenOf, generateLoad, limitCpu, memoryMiB, ownMemoryMiB, pause, startServer, stop } from './processes.mjs';

const kinds = { get: 'get', list500: 'list of 500', create: 'create' };

/** Returns the part of a core for the owner and for each worker, so that 0.8 of a core is left for the load generator. */
const shareOf = (cores) => Math.floor((100 * (cores - 0.8)) / (cores + 1)) / 100;

/** V8 collects the garbage of a process that rests for a minute or two. */
const REST_SECONDS = 120;

export const workers = {
  name: 'workers',
  about:
    'gets, lists and durable creates of a server with workers, beside a server of one process. Each process of a server gets --share of a core, so that the load generator is not the limit; 0 for no limit',
  needs: ['build', 'wrk', 'the load generator'],
  options: {
    workers: availableParallelism(),
    share: shareOf(availableParallelism()),
    objects: 10_000,
    seconds: 4,
    connections: 64,
  },
  columns: ({ workers: count }) => [
    { name: 'one process', open: (bench) => openServer(bench, 1) },
    { name: `${count} workers`, open: (bench) => openServer(bench, count) },
  ],
};

async function openServer({ command, folder, options, index }, count) {
  const { objects, seconds, connections, share } = options;
  const flags = ['--allow-everyone', '--console', 'false', '--workers', String(count)];
  const server = await startServer(command, `lmdb:${join(folder, `data-${index}`)}`, flags);
  const children = childrenOf(server);
  const load = (kind, made) => generateLoad(server, kind, folder, { objects: made, seconds, connections });
  const atFirst = memoryOf(children);
  await load('nothing', objects);
  const loaded = memoryOf(children);
  const rows = Object.entries(kinds).map(([kind, name]) => [
    name,
    async () => {
      const { perSecond, cpuUsPerRequest } = await load(kind, kind === 'create' ? objects : 8);
      return { 'per second': perSecond, 'µs of CPU': cpuUsPerRequest };
    },
  ]);
  const lifts = share > 0 ? [server.child.pid, ...children].map((pid) => limitCpu(pid, share)) : [];
  let atRest;
  const memory = async () => {
    atRest ??= children.length > 0 ? pause(REST_SECONDS).then(() => memoryOf(children)) : Promise.resolve(Number.NaN);
    return {
      'MiB of objects': (await objectMiB(server)) / (1 + children.length),
      'MiB of the first process': memoryMiB(server),
      'MiB that a worker adds, empty': atFirst,
      'MiB that it adds, just filled': loaded,
      'MiB that it adds, at rest': await atRest,
    };
  };
  const close = async () => {
    await stop(server);
    for (const lift of lifts) lift();
  };
  return { rows: { memory, ...Object.fromEntries(rows) }, close };
}

/** Returns the mean of what each process adds to the memory of the machine, in MiB. */
const memoryOf = (pids) => pids.reduce((sum, pid) => sum + ownMemoryMiB({ child: { pid } }), 0) / pids.length;

/** Returns the MiB of objects in all processes, because each counts its own copy. */
async function objectMiB({ url }) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^kindforge_storage_object_bytes (\d+)/m.exec(metrics)?.[1]) / 1024 ** 2;
}
