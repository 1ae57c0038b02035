/** Scenarios of the store alone: durable commits, deliveries to watches, memory compared with the stored bytes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';
import { cpuMicros } from './figures.mjs';
import { pause } from './processes.mjs';
import { inParallel } from './requests.mjs';

const readAttributes = () => ({ labels: { app: 'bench' }, fields: {} });
const keyOf = (name) => `/configmaps/bench/${name}`;

/** Returns an encoded ConfigMap of about 2 KiB, as the load generator creates it. */
function encodedObject(name) {
  const metadata = {
    name,
    namespace: 'bench',
    uid: '00000000-0000-0000-0000-000000000000',
    resourceVersion: '',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'bench' },
    managedFields: [
      {
        manager: 'bench',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:payload': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
      },
    ],
  };
  const text = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { payload: 'x'.repeat(1700) } });
  const mark = '"resourceVersion":"';
  return { text, revisionAt: text.indexOf(mark) + mark.length, attributes: readAttributes() };
}

/** Opens a store. `storage` has the form of `kindforge serve`, with `{folder}` in place of the folder. */
async function openOn({ load }, storage, folder) {
  const { lmdbBackend, memoryBackend, openStore } = await load('runtime/storage/index.ts');
  const [kind = '', ...rest] = storage.replace('{folder}', folder).split(':');
  const name = rest.join(':');
  const backends = {
    memory: memoryBackend,
    lmdb: () => lmdbBackend(name),
    async unstorage() {
      const { openDriver, unstorageBackend } = await load('runtime/storage/unstorage/index.ts');
      const { readUnstorage } = await load('server/text/unstorage.ts');
      const setting = readUnstorage(name);
      if (!setting.ok) throw new Error(setting.failure.message);
      const { driver, release } = await openDriver(setting.value.driver, setting.value.options ?? {});
      return unstorageBackend(driver, { release });
    },
  };
  const openBackend = backends[kind];
  if (openBackend === undefined) throw new Error(`--storage ${storage}: must be lmdb, memory or unstorage`);
  return openStore({ backend: await openBackend(), readAttributes });
}

export const storeCommits = {
  name: 'store-commits',
  about: 'durable creates and updates of the store, beside plain puts of the same bytes into LMDB',
  options: { storage: 'lmdb:{folder}', writers: '1,32,64', commits: 20_000 },
  rounds: 3,
  columns: () => [
    { name: 'LMDB alone', alone: true, open: openLmdb },
    { name: 'store', open: openCommits },
  ],
};

/**
 * Makes the rows for each number of writers. A single writer makes fewer commits, because each of them waits for the
 * disk.
 */
const rowsPerWriters = ({ writers, commits }, jobOf) =>
  writers.split(',').flatMap((text) =>
    Object.entries(jobOf(text)).map(([name, job]) => {
      const count = text === '1' ? Math.ceil(commits / 15) : commits;
      const measure = async () => {
        const [before, began] = [cpuMicros(), performance.now()];
        await inParallel(count, Number(text), job);
        const seconds = (performance.now() - began) / 1000;
        return { 'per second': count / seconds, 'µs of CPU': (cpuMicros() - before) / count };
      };
      return [`${name}, writers: ${text}`, measure];
    }),
  );

async function openLmdb({ folder, options }) {
  const database = open({ path: join(folder, 'plain'), encoding: 'binary' });
  const put = (i) => database.put(keyOf(`o-${i}`), Buffer.from(encodedObject(`o-${i}`).text));
  const rows = rowsPerWriters(options, () => ({ create: put, update: put }));
  return { rows: Object.fromEntries(rows), close: () => database.close() };
}

async function openCommits(bench) {
  const store = await openOn(bench, bench.options.storage, join(bench.folder, `store-${bench.index}`));
  let made = 0;
  const rows = rowsPerWriters(bench.options, () => ({
    create() {
      const name = `o-${made++}`;
      return store.commit({ key: keyOf(name), expected: 0, next: encodedObject(name) });
    },
    update(i) {
      const key = keyOf(`o-${(i * 7919) % made}`);
      return store.commit({ key, expected: store.get(key)?.revision ?? 0, next: encodedObject(`o-${i}`) });
    },
  }));
  return { rows: Object.fromEntries(rows), close: () => store.close() };
}

export const storeWatch = {
  name: 'store-watch',
  about: 'deliveries of the store to watches, beside which as many again are about other objects',
  options: { watches: '500,5000', deliveries: 1_000_000 },
  rounds: 3,
  columns: ({ watches }) =>
    watches
      .split(',')
      .map((count) => ({ name: `${count} watches`, open: (bench) => openWatches(bench, Number(count)) })),
};

async function openWatches(bench, count) {
  const store = await openOn(bench, 'memory', '');
  let delivered = 0;
  let made = 0;
  for (let i = 0; i < count; i++) {
    const event = () => {
      delivered++;
    };
    store.watch(keyOf(''), store.revision, { event, ended() {} });
    store.watch(`/configmaps/other-${i}/`, store.revision, { event() {}, ended() {} });
  }
  const deliver = async () => {
    const [before, began, already] = [cpuMicros(), performance.now(), delivered];
    await inParallel(Math.ceil(bench.options.deliveries / count), 100, () => {
      const name = `o-${made++}`;
      return store.commit({ key: keyOf(name), expected: 0, next: encodedObject(name) });
    });
    const all = delivered - already;
    const seconds = (performance.now() - began) / 1000;
    return { 'per second': all / seconds, 'ns of CPU': ((cpuMicros() - before) / all) * 1000 };
  };
  return { rows: { delivery: deliver }, close: () => store.close() };
}

export const storeMemory = {
  name: 'store-memory',
  about: 'memory of a process with the store alone: after creates, after updates of all objects, after opening',
  needs: ['/proc'],
  options: { storage: 'lmdb:{folder}', objects: 100_000 },
  rounds: 1,
  columns: () => [{ name: 'store', open: openPhases }],
};

/** Runs each phase in a separate process, with this file. */
async function openPhases({ checkout, folder, options, index }) {
  const phase = (name) => async () => {
    const task = { name, checkout, folder: join(folder, `phases-${index}`), ...options };
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(task)], { execArgv: ['--expose-gc'] });
    const [figures] = await once(child, 'message');
    return figures;
  };
  return { rows: { create: phase('create'), open: phase('open'), update: phase('update') } };
}

async function runPhase({ name, checkout, folder, storage, objects }) {
  const { checkoutAt } = await import('./checkouts.mjs');
  const base = residentMiB();
  const [before, began] = [cpuMicros(), performance.now()];
  const store = await openOn(checkoutAt(checkout, ''), storage, folder);
  const opened = { 'ms until open': performance.now() - began, 'ms of CPU until open': (cpuMicros() - before) / 1000 };
  const write = (i) => {
    const key = keyOf(`o-${String((i * 7919) % objects).padStart(7, '0')}`);
    return store.commit({ key, expected: store.get(key)?.revision ?? 0, next: encodedObject(key.split('/').at(-1)) });
  };
  if (name !== 'open') await inParallel(objects, 64, write);
  await pause(1.5);
  const asIs = residentMiB();
  globalThis.gc();
  await pause(0.5);
  const { objectBytes, historyBytes, allocatedBytes } = store.statistics;
  const mebi = (bytes) => bytes / 2 ** 20;
  process.send({
    ...opened,
    'MiB stored': mebi(objectBytes),
    'MiB of history': mebi(historyBytes),
    'MiB of slabs': mebi(allocatedBytes),
    'MiB of heap': mebi(process.memoryUsage().heapUsed),
    'MiB before collection': asIs,
    MiB: residentMiB(),
    'times what is stored': residentMiB() / mebi(objectBytes),
    'times above the empty process': (residentMiB() - base) / mebi(objectBytes),
  });
  await store.close();
}

function residentMiB() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runPhase(JSON.parse(process.argv[2]));
