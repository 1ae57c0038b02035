/** Clients that watch: ones that follow to the end, over all reconnects, and ones that go back in time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../../../runtime/contract/index.js';
import { ask, objectOf, revisionOf, toSeen, watchEvents } from './collection.js';
import type { WatchedChange } from './records.js';
import { keepDoing, noteSurprise, type Scene, someServer } from './scene.js';

/** Watches over one connection from a revision, to a revision or until it ends; gives the last revision seen. */
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
    // A connection that broke is what this is about. What was read of it counts; the rest comes with the next one.
    if (error instanceof SyntaxError) recorder.surprises.push(`watch from ${from}: ${error.message}`);
  }
  return last();
}

const isChange = (type: unknown): type is WatchedChange['type'] =>
  type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';

/**
 * Follows all changes from a revision until it has seen the last one, which `goal` names. It reconnects where a
 * connection ended, and now and then ends one itself.
 */
export async function follow(scene: Scene, from: Revision, goal: () => Revision | undefined): Promise<void> {
  let at = from;
  for (let last = goal(); last === undefined || at < last; last = goal()) {
    const giveUp = AbortSignal.timeout(50 + Math.floor(Math.random() * 1500));
    const next = await watchOnce(scene, at, last ?? Number.POSITIVE_INFINITY, giveUp);
    at = next === 'gone' ? await listAgain(scene, at) : next;
    await sleep(Math.random() * 20);
  }
}

/** Goes on from a list, as a client does when the history is gone. */
async function listAgain(scene: Scene, at: Revision): Promise<Revision> {
  noteSurprise(scene, `watch from ${at}`, 410, undefined);
  const answer = await ask(await someServer(scene), 'GET', '').catch(() => undefined);
  return answer?.code === 200 ? Math.max(at, revisionOf(answer)) : at;
}

/** Watches what has already happened, from one random revision after the other, until it is over. */
export const runReplayer = (scene: Scene): Promise<void> =>
  keepDoing(scene, async () => {
    const { recorder } = scene;
    const to = recorder.newest;
    await watchOnce(scene, recorder.someRevision(), to, AbortSignal.timeout(1000));
    await sleep(Math.random() * 50);
  });
