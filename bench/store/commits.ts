/** Durable creates and updates per second, beside plain puts of the same bytes into LMDB. */
import { join } from 'node:path';
import { open } from 'lmdb';
import { openStore } from '../../runtime/storage/index.js';
import { backendOf } from './backend.js';
import { cpuSeconds, encodedObject, print, readAttributes, withFolder } from './objects.js';

const writers = Number(process.argv[2] ?? 64);
const storage = process.argv[3] ?? 'lmdb:{folder}';
const count = writers === 1 ? 4000 : 60_000;

/** Runs a job `count` times, by so many at a time. */
async function timed(name: string, job: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const cpu = cpuSeconds();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < count) await job(next++);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const cpuMicros = ((cpuSeconds() - cpu) / count) * 1e6;
  print({ writers, what: name, perSecond: Math.round(count / seconds), cpuMicros });
  return count / seconds;
}

await withFolder(async (folder) => {
  const plain = open<Buffer, string>({ path: join(folder, 'plain'), encoding: 'binary' });
  const puts = await timed('lmdb put', (index) =>
    plain.put(`/configmaps/bench/o-${index}`, Buffer.from(encodedObject(`o-${index}`).text)),
  );
  await plain.close();

  const store = await openStore({ backend: await backendOf(storage, join(folder, 'store')), readAttributes });
  const created = await timed('store create', (index) =>
    store.commit({ key: `/configmaps/bench/o-${index}`, expected: 0, next: encodedObject(`o-${index}`) }),
  );
  const updated = await timed('store update', (index) => {
    const key = `/configmaps/bench/o-${(index * 7919) % count}`;
    return store.commit({ key, expected: store.get(key)?.revision ?? 0, next: encodedObject(`o-${index}`) });
  });
  await store.close();
  print({ writers, createRatio: created / puts, updateRatio: updated / puts });
});
