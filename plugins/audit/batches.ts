/** Gathers records into batches, and sends these one after the other at a pace. */
import { tokenBucket } from '../token-bucket.js';
import type { Batching } from './options.js';

/** A queue of records. */
export interface Batches {
  /** False where the queue is full. */
  readonly add: (text: string) => boolean;
  /** Sends all that waits, without further pauses. */
  readonly end: () => Promise<void>;
}

/** `send` tells of its failures itself. */
export function inBatches(
  { bufferSize, maxSize, maxWaitMs, throttle }: Batching,
  send: (texts: readonly string[]) => Promise<unknown> | unknown,
  lost: (count: number, reason: unknown) => void,
): Batches {
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let ending = false;
  let wake = (): void => {};
  const mayGo = throttle ? tokenBucket(throttle) : () => 0;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const pause = ending ? 0 : mayGo();
      if (pause > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, pause).unref();
        });
        continue;
      }
      const batch = waiting.slice(0, maxSize);
      waiting = waiting.slice(maxSize);
      try {
        await send(batch);
      } catch (error) {
        lost(batch.length, error);
      }
      if (!ending && waiting.length < maxSize && maxWaitMs > 0) break;
    }
  }

  function start(): void {
    if (timer) clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (waiting.length > 0) schedule();
    });
  }

  function schedule(): void {
    if (waiting.length >= maxSize && !sending) start();
    else timer ??= setTimeout(start, maxWaitMs).unref();
  }

  return {
    add(text) {
      if (waiting.length >= bufferSize) {
        lost(1, `more than ${bufferSize} records wait`);
        return false;
      }
      waiting.push(text);
      if (!sending) schedule();
      return true;
    },
    async end() {
      ending = true;
      if (timer) clearTimeout(timer);
      wake();
      await sending;
      await sendAll();
    },
  };
}
