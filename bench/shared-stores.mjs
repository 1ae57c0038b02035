/** The scenario of shared stores: the same requests over etcd and over PostgreSQL, on one disk. */

import { generateLoad, startEtcd, startPostgres, startServer, stop } from './processes.mjs';
import { figuresOf, milliseconds } from './requests-per-second.mjs';

export const sharedStores = {
  name: 'shared-stores',
  about: 'gets and writes over etcd and over PostgreSQL, on the same disk, in turns',
  needs: ['build', 'etcd', 'PostgreSQL', 'the load generator'],
  options: { connections: '1,32', kinds: 'get,create,update,mergePatch,apply', seconds: 4, objects: 2000 },
  columns: () => [
    { name: 'etcd', open: (bench) => openOver(startEtcd, bench) },
    { name: 'PostgreSQL', open: (bench) => openOver(startPostgres, bench) },
  ],
};

/** The stores that all checkouts of a run share, by their start functions. */
const started = new Map();

async function openOver(start, { command, folder, options, index }) {
  const isFirst = !started.has(start);
  if (isFirst) started.set(start, await start(folder));
  const store = started.get(start);
  const server = await startServer(command, store.storageOf(`bench_${index}`));
  const { seconds, objects } = options;
  await generateLoad(server, 'nothing', folder, { objects });
  const rows = options.connections.split(',').flatMap((connections) =>
    options.kinds.split(',').map((kind) => {
      const measure = async () => {
        const figures = await generateLoad(server, kind, folder, { objects, seconds, connections });
        return { ...figuresOf(figures), 'p99, ms': milliseconds(figures.p99) };
      };
      return [`${kind}, ${connections}`, measure];
    }),
  );
  const close = async () => {
    await stop(server);
    if (isFirst) await stop(store);
  };
  return { rows: Object.fromEntries(rows), close };
}
