/** Memory for many objects beside the bytes stored: after creating them, after updates, or after opening alone. */
import { type EmbeddedStore, openStore } from '../../runtime/storage/index.js';
import { backendOf } from './backend.js';
import { cpuSeconds, encodedObject, print, readAttributes, residentMiB } from './objects.js';

const [folder = '', phase = 'fill', size = '100000', storage = 'lmdb:{folder}'] = process.argv.slice(2);
const count = Number(size);
const BATCH = 64;

const base = residentMiB();

async function inBatches(job: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += BATCH) {
    await Promise.all(Array.from({ length: Math.min(BATCH, count - index) }, (_, offset) => job(index + offset)));
  }
}

async function report(what: string, store: EmbeddedStore): Promise<void> {
  // Let what is garbage go, as it would in a server at rest.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const asIs = residentMiB();
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { total, anonymous } = residentMiB();
  const { objectBytes, historyBytes, allocatedBytes } = store.statistics;
  const stored = objectBytes / 1024 ** 2;
  print({
    what,
    storedMiB: stored,
    historyMiB: historyBytes / 1024 ** 2,
    slabsMiB: allocatedBytes / 1024 ** 2,
    heapMiB: process.memoryUsage().heapUsed / 1024 ** 2,
    asIsMiB: asIs.total,
    rssMiB: total,
    anonymousMiB: anonymous,
    ratio: total / stored,
    ratioAboveBase: (total - base.total) / stored,
  });
}

const start = performance.now();
const cpu = cpuSeconds();
const store = await openStore({ backend: await backendOf(storage, folder), readAttributes });
print({
  what: 'open',
  objects: store.statistics.objects,
  milliseconds: performance.now() - start,
  cpuMilliseconds: (cpuSeconds() - cpu) * 1000,
  processMiB: base.total,
});
if (phase === 'fill') {
  await inBatches((index) => {
    const name = `o-${String((index * 7919) % count).padStart(7, '0')}`;
    return store.commit({ key: `/configmaps/bench/${name}`, expected: 0, next: encodedObject(name) });
  });
  await report('created', store);
}
if (phase === 'update') {
  await inBatches((index) => {
    const name = `o-${String((index * 104_729) % count).padStart(7, '0')}`;
    const key = `/configmaps/bench/${name}`;
    return store.commit({ key, expected: store.get(key)?.revision ?? 0, next: encodedObject(name) });
  });
  await report('all updated', store);
}
if (phase === 'open') await report('opened', store);
await store.close();
