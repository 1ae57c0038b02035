/** Records a history: many clients at once, while what they speak to is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, revisionOf } from './collection.js';
import type { Deployment } from './deployments.js';
import { listWith, runReader } from './readers.js';
import { Recorder } from './recorder.js';
import type { Scene } from './scene.js';
import { follow, runReplayer } from './watchers.js';
import { runWriter, send } from './writers.js';

const writers = 8;
const readers = 2;
const followers = 3;

/** The longest time between the end of one round and the next kill, milliseconds. */
const restMs = 300;

/** A write that is done last, by which watchers know that they have seen everything. */
const marker = 'marker';

/** Records so many rounds, each with a kill at a random moment. `excused` are the codes that a kill may cause. */
export async function recordHistory(
  deployment: Deployment,
  rounds: number,
  excused: readonly number[],
): Promise<Recorder> {
  const recorder = new Recorder();
  const over = new AbortController();
  const scene: Scene = { recorder, excused, urls: () => deployment.urls(), ending: over.signal };
  const [url = ''] = deployment.urls();
  const start = revisionOf(await ask(url, 'GET', ''));
  recorder.learn(start);
  let last: number | undefined;
  const working = [
    ...Array.from({ length: writers }, (_, index) => runWriter(scene, `w${index}`)),
    ...Array.from({ length: readers }, () => runReader(scene)),
    runReplayer(scene),
  ];
  const following = Array.from({ length: followers }, () => follow(scene, start, () => last));
  for (let round = 0; round < rounds; round++) {
    const before = acknowledgedIn(recorder);
    await sleep(Math.random() * restMs);
    // Where the machine is busy clients get nothing done in so short a time, and kills of idle servers show nothing.
    if (round % 2 === 0) await untilTrue(() => acknowledgedIn(recorder) > before + 2);
    await deployment.disturb();
  }
  over.abort();
  await Promise.all(working);
  last = await writeLast(scene);
  // One more sees it all at the end, so that what was deleted is known as far as history lasts.
  const late = { ...scene, excused: [...excused, 410] };
  await Promise.all([...following, follow(late, start, () => last)]);
  await listWith(scene, '', { latest: true });
  return recorder;
}

const acknowledgedIn = ({ writes }: Recorder): number =>
  writes.filter(({ outcome }) => typeof outcome === 'number').length;

/** Waits until something is so, or has not been for 20 seconds. */
async function untilTrue(isSo: () => boolean): Promise<void> {
  for (let waits = 0; waits < 1000 && !isSo(); waits++) await sleep(20);
}

/** Writes the marker until that is acknowledged; gives its revision. */
async function writeLast(scene: Scene): Promise<number> {
  for (let attempt = 1; attempt <= 100; attempt++) {
    await send(scene, 'POST', { key: `${marker}-${attempt}`, value: `the last, ${attempt}`, expected: 0 });
    const outcome = scene.recorder.writes.at(-1)?.outcome;
    if (typeof outcome === 'number') return outcome;
    await sleep(100);
  }
  throw new Error('the last write is never acknowledged');
}
