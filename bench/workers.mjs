/** The scenario of a server with workers beside a server of one process. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { childrenOf, generateLoad, memoryMiB, ownMemoryMiB, startServer, stop } from './processes.mjs';

const kinds = { get: 'get', list500: 'list of 500', create: 'create' };

export const workers = {
  name: 'workers',
  about:
    'gets, lists and durable creates of a server with workers, beside a server of one process; the load generator shares the cores',
  needs: ['build', 'wrk', 'the load generator'],
  options: { workers: availableParallelism(), objects: 10_000, seconds: 4, connections: 64 },
  columns: ({ workers: count }) => [
    { name: 'one process', open: (bench) => openServer(bench, 1) },
    { name: `${count} workers`, open: (bench) => openServer(bench, count) },
  ],
};

async function openServer({ command, folder, options, index }, count) {
  const { objects, seconds, connections } = options;
  const flags = ['--allow-everyone', '--console', 'false', '--workers', String(count)];
  const server = await startServer(command, `lmdb:${join(folder, `data-${index}`)}`, flags);
  const children = childrenOf(server);
  const load = (kind, made) => generateLoad(server, kind, folder, { objects: made, seconds, connections });
  const before = memoryOf(children);
  await load('nothing', objects);
  const rows = Object.entries(kinds).map(([kind, name]) => [
    name,
    async () => {
      const { perSecond, cpuUsPerRequest } = await load(kind, kind === 'create' ? objects : 8);
      return { 'per second': perSecond, 'µs of CPU': cpuUsPerRequest };
    },
  ]);
  const memory = () => ({
    'MiB of the first process': memoryMiB(server),
    'MiB that a worker adds': memoryOf(children),
    'MiB that it adds at first': before,
  });
  return { rows: { ...Object.fromEntries(rows), memory: async () => memory() }, close: () => stop(server) };
}

/** Returns the mean of what each process adds to the memory of the machine, in MiB. */
const memoryOf = (pids) => pids.reduce((sum, pid) => sum + ownMemoryMiB({ child: { pid } }), 0) / pids.length;
