/** Profiles that are taken for some seconds, in the formats of V8. */
import type { Session } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes a profile, and resolves to its JSON. An abort ends it early, with what there is until then. */
export type Take = (seconds: number, signal: AbortSignal) => Promise<string>;

/** The functions that the CPU was busy with: a `.cpuprofile`. */
export const cpuProfile: Take = (seconds, signal) =>
  inSession(async (post) => {
    await post('Profiler.enable');
    await post('Profiler.start');
    await pause(seconds, signal);
    return post('Profiler.stop');
  });

/** The functions that have allocated what is still there of these seconds: a `.heapprofile`, of a sample. */
export const heapProfile: Take = (seconds, signal) =>
  inSession(async (post) => {
    await post('HeapProfiler.startSampling');
    await pause(seconds, signal);
    return post('HeapProfiler.stopSampling');
  });

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  sleep(seconds * 1000, undefined, { signal }).catch(() => {});

type Post = (method: string) => Promise<unknown>;

async function inSession(take: (post: Post) => Promise<unknown>): Promise<string> {
  // Loaded with the first profile.
  const inspector = await import('node:inspector');
  const session = new inspector.Session();
  session.connect();
  try {
    const taken = await take((method) => ask(session, method));
    const profile = typeof taken === 'object' && taken !== null && 'profile' in taken ? taken.profile : undefined;
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}

const ask = (session: Session, method: string): Promise<unknown> =>
  new Promise((resolve, reject) =>
    session.post(method, (error: Error | null, answer?: unknown) => (error ? reject(error) : resolve(answer))),
  );
