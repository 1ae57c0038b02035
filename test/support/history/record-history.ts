/** Records a history of many concurrent clients, while kills hit their servers and storage again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../../../runtime/contract/index.js';
import { ask, objectOf, revisionOf, toSeen, watchEvents } from './collection.js';
import type { Deployment } from './deployments.js';
import { listWith, runReader } from './readers.js';
import { Recorder } from './recorder.js';
import type { WatchedChange } from './records.js';
import { keepDoing, noteSurprise, type Scene, someServer } from './scene.js';
import { runWriter, send } from './writers.js';

const writers = 8;
const readers = 2;
const followers = 3;

/** The longest time between the end of one round and the next kill, milliseconds. */
const restMs = 300;

/** The last write. When watchers see it, they have seen everything. */
const marker = 'marker';

/** Records so many rounds. Each has a kill at a random moment. `excused` are the codes that a kill may cause. */
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
    // On a busy machine, clients do nothing in such a short time, and kills of idle servers show nothing.
    if (round % 2 === 0) await untilTrue(() => acknowledgedIn(recorder) > before + 2);
    await deployment.disturb();
  }
  over.abort();
  await Promise.all(working);
  last = await writeLast(scene);
  // One more watcher reads all changes at the end. So deletions are known as far back as the history reaches.
  const late = { ...scene, excused: [...excused, 410] };
  await Promise.all([...following, follow(late, start, () => last)]);
  await listWith(scene, '', { latest: true });
  return recorder;
}

const acknowledgedIn = ({ writes }: Recorder): number =>
  writes.filter(({ outcome }) => typeof outcome === 'number').length;

/** Waits until a condition is true, at most 20 seconds. */
async function untilTrue(isSo: () => boolean): Promise<void> {
  for (let waits = 0; waits < 1000 && !isSo(); waits++) await sleep(20);
}

/** Writes the marker until a server acknowledges it. Returns its revision. */
async function writeLast(scene: Scene): Promise<number> {
  for (let attempt = 1; attempt <= 100; attempt++) {
    await send(scene, 'POST', { key: `${marker}-${attempt}`, value: `the last, ${attempt}`, expected: 0 });
    const outcome = scene.recorder.writes.at(-1)?.outcome;
    if (typeof outcome === 'number') return outcome;
    await sleep(100);
  }
  throw new Error('the last write is never acknowledged');
}

/** Watches over one connection from a revision, to a revision or until it ends. Returns the last revision seen. */
async function watchOnce(scene: Scene, from: Revision, to: Revision, signal: AbortSignal): Promise<Revision | 'gone'> {
  const { recorder } = scene;
  const { changes } = recorder.watch(from);
  const last = (): Revision => changes.at(-1)?.revision ?? from;
  try {
    for await (const { type, object } of watchEvents(await someServer(scene), `resourceVersion=${from}`, signal)) {
      if (!isChange(type)) {
        const { code } = objectOf(object);
        if (code === 410) return 'gone';
        noteSurprise(scene, `watch from ${from}`, Number(code), object);
        break;
      }
      changes.push({ ...toSeen(object), type, at: recorder.moment() });
      recorder.learn(last());
      if (last() >= to) break;
    }
  } catch (error) {
    // Broken connections are expected. The changes read so far count, and the next connection delivers the rest.
    if (error instanceof SyntaxError) recorder.surprises.push(`watch from ${from}: ${error.message}`);
  }
  return last();
}

const isChange = (type: unknown): type is WatchedChange['type'] =>
  type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';

/**
 * Follows all changes from a revision until it has seen the change that `goal` names. Reconnects when a connection
 * ends, and now and then ends one itself.
 */
async function follow(scene: Scene, from: Revision, goal: () => Revision | undefined): Promise<void> {
  let at = from;
  for (let last = goal(); last === undefined || at < last; last = goal()) {
    const giveUp = AbortSignal.timeout(50 + Math.floor(Math.random() * 1500));
    const next = await watchOnce(scene, at, last ?? Number.POSITIVE_INFINITY, giveUp);
    at = next === 'gone' ? await listAgain(scene, at) : next;
    await sleep(Math.random() * 20);
  }
}

/** Continues from a list, as a client does when the history is gone. */
async function listAgain(scene: Scene, at: Revision): Promise<Revision> {
  noteSurprise(scene, `watch from ${at}`, 410, undefined);
  const answer = await ask(await someServer(scene), 'GET', '').catch(() => undefined);
  return answer?.code === 200 ? Math.max(at, revisionOf(answer)) : at;
}

/** Watches past changes, from one random revision after the other, until the recording ends. */
const runReplayer = (scene: Scene): Promise<void> =>
  keepDoing(scene, async () => {
    const { recorder } = scene;
    const to = recorder.newest;
    await watchOnce(scene, recorder.someRevision(), to, AbortSignal.timeout(1000));
    await sleep(Math.random() * 50);
  });
