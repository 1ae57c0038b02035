/**
 * The state that all clients of a recording share: addresses of servers, the recorder, and whether the recording is
 * over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../effort.js';
import type { Recorder } from './recorder.js';

export interface Scene {
  readonly recorder: Recorder;
  /** Returns the present addresses of the servers; empty while all are down. */
  urls(): readonly string[];
  /** Codes of answers that a kill may cause, such as 503 while most of etcd is down. */
  readonly excused: readonly number[];
  /** Ends the writers and readers. */
  readonly ending: AbortSignal;
}

export const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(Math.random() * items.length)] ?? items[0];

/** Waits for a server and returns its address. */
export async function someServer(scene: Scene): Promise<string> {
  for (;;) {
    const [first, ...others] = scene.urls();
    if (first !== undefined) return pick([first, ...others]);
    await sleep(5);
  }
}

/**
 * The longest pause of a client between two actions, milliseconds. Without pauses, clients take most of the time of the
 * processors, and each start of a server takes longer.
 */
const pauseMs = isLong ? 2 : 25;

/** Repeats an action until the recording ends. A client continues when its server dies. */
export async function keepDoing(scene: Scene, act: () => Promise<void>): Promise<void> {
  while (!scene.ending.aborted) {
    await act();
    // Also lets other clients in this process run.
    await sleep(Math.random() * pauseMs);
  }
}

/** Records an answer that no server should give. */
export function noteSurprise({ recorder, excused }: Scene, what: string, code: number, body: unknown): void {
  if (excused.includes(code)) return;
  recorder.surprises.push(`${what}: ${code} ${JSON.stringify(body)}`);
}
