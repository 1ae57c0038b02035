/** The state that all clients of a recording share: addresses of servers, the recorder, and when it is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorder } from './recorder.js';

export interface Scene {
  readonly recorder: Recorder;
  /** Where servers listen at present; none while all are down. */
  urls(): readonly string[];
  /** Codes of answers that come of what is being killed, such as 503 while most of etcd is down. */
  readonly excused: readonly number[];
  /** Ends writers and readers. */
  readonly ending: AbortSignal;
}

export const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(Math.random() * items.length)] ?? items[0];

/** A server to speak to; waits for one. */
export async function someServer(scene: Scene): Promise<string> {
  for (;;) {
    const [first, ...others] = scene.urls();
    if (first !== undefined) return pick([first, ...others]);
    await sleep(5);
  }
}

/** Does something again and again until it is over. What a client does when its server dies is to go on. */
export async function keepDoing(scene: Scene, act: () => Promise<void>): Promise<void> {
  while (!scene.ending.aborted) {
    await act();
    // Also lets other clients of the same process have their turn.
    await sleep(Math.random() * 2);
  }
}

/** Takes down an answer that should not have been given. */
export function noteSurprise({ recorder, excused }: Scene, what: string, code: number, body: unknown): void {
  if (excused.includes(code)) return;
  recorder.surprises.push(`${what}: ${code} ${JSON.stringify(body)}`);
}
