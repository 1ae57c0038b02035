/** Deliveries to watches per second of CPU. */
import { memoryBackend, openStore } from '../../runtime/storage/index.js';
import { cpuSeconds, encodedObject, print, readAttributes } from './objects.js';

const watches = Number(process.argv[2] ?? 500);
const changes = Math.round(5_000_000 / watches);

const store = await openStore({ backend: memoryBackend(), readAttributes });
let delivered = 0;
for (let index = 0; index < watches; index++) {
  store.watch('/configmaps/bench/', store.revision, {
    event() {
      delivered++;
    },
    ended() {},
  });
  // As many again that none of the changes concerns.
  store.watch(`/configmaps/other-${index}/`, store.revision, { event() {}, ended() {} });
}
const cpu = cpuSeconds();
const start = performance.now();
for (let index = 0; index < changes; index += 100) {
  await Promise.all(
    Array.from({ length: 100 }, (_, offset) => {
      const name = `o-${index + offset}`;
      return store.commit({ key: `/configmaps/bench/${name}`, expected: 0, next: encodedObject(name) });
    }),
  );
}
const seconds = (performance.now() - start) / 1000;
const used = cpuSeconds() - cpu;
print({
  watches,
  changes,
  delivered,
  perSecond: delivered / seconds,
  perCpuSecond: delivered / used,
  nanosPerDelivery: (used / delivered) * 1e9,
});
await store.close();
