/** Gathers records into batches, and sends these one after the other at a pace. */

import type { AuditRecord } from '../../runtime/contract/index.js';
import { tokenBucket } from '../token-bucket.js';

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

/**
 * `batch` answers requests without waiting for their records; `blocking` hands records over before, and goes on where that
 * fails; `blocking-strict` also refuses requests whose first record cannot be handed over.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** Sizes and times of batches. */
export interface Batching {
  /** Records that may wait; more are lost. */
  readonly bufferSize: number;
  /** Records in one batch. */
  readonly maxSize: number;
  /** Milliseconds until a batch that is not full goes; 0 for as soon as possible. */
  readonly maxWaitMs: number;
  /** How many batches may go; absent for any number. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
}

export interface Delivery {
  readonly mode: AuditMode;
  /** For the mode `batch`. */
  readonly batch: Batching;
}

/** Sizes in bytes that records and requests with records stay within. */
export interface Truncation {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

/** The text of a record; `undefined` where it is too large even without bodies, of which `refused` is told. */
export function bounded(
  truncation: Truncation | undefined,
  refused: (bytes: number) => void,
): (record: AuditRecord) => string | undefined {
  if (!truncation) return ({ json }) => json;
  const most = Math.min(truncation.maxEventBytes, truncation.maxBatchBytes);
  return ({ json, cut }) => {
    // A character takes three bytes at most, so that short texts need not be measured.
    if (json.length * 3 <= most || Buffer.byteLength(json) <= most) return json;
    const short = cut();
    const bytes = Buffer.byteLength(short);
    if (bytes <= most) return short;
    refused(bytes);
    return undefined;
  };
}

/** Told of a loss: how many records were lost since it was told last, and why. */
export type OnLoss = (problem: string, error?: unknown) => void;

/** Milliseconds between two reports of one sink. */
const pauseMs = 10_000;

/** `count` of 0 is a problem that has lost nothing. */
export function lossReporter(name: string, onLoss: OnLoss): (count: number, reason: unknown) => void {
  let unreported = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (count, reason) => {
    unreported += count;
    if (Date.now() - last < pauseMs) return;
    last = Date.now();
    const told = unreported === 0 ? '' : `${unreported} ${unreported === 1 ? 'record is' : 'records are'} lost: `;
    onLoss(`${name}: ${told}${reason instanceof Error ? reason.message : String(reason)}`);
    unreported = 0;
  };
}
