/** Delivers audit records in batches, limits their size, and reports losses. All audit sinks share this. */

import type { AuditRecord } from '../../runtime/contract/index.js';
import { tokenBucket } from '../../runtime/objects/token-bucket.js';

export interface Batches {
  /** Returns false if the queue is full. */
  readonly add: (text: string) => boolean;
  /** Sends all queued records without further pauses. */
  readonly end: () => Promise<void>;
}

/** Queues records and sends them in batches, one batch at a time. `send` reports its own failures. */
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
        lost(1, `the queue of ${bufferSize} records is full`);
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
 * `batch` answers requests before their records are written. `blocking` writes records first, and answers even if that
 * fails. `blocking-strict` also refuses a request if its first record cannot be written.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

export interface Batching {
  /** Records that the queue holds; further records are lost. */
  readonly bufferSize: number;
  /** Records in one batch. */
  readonly maxSize: number;
  /** Milliseconds until a batch that is not full is sent; 0 sends it as soon as possible. */
  readonly maxWaitMs: number;
  /** Rate of batches; unlimited by default. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
}

export interface Delivery {
  readonly mode: AuditMode;
  /** Used by the mode `batch`. */
  readonly batch: Batching;
}

/** Size limits in bytes, for one record and for the records of one request. */
export interface Truncation {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

/**
 * Returns the text of a record within the limits. A record that is too large even without bodies yields `undefined`,
 * and its size is passed to `refused`.
 */
export function bounded(
  truncation: Truncation | undefined,
  refused: (bytes: number) => void,
): (record: AuditRecord) => string | undefined {
  if (!truncation) return ({ json }) => json;
  const most = Math.min(truncation.maxEventBytes, truncation.maxBatchBytes);
  return ({ json, cut }) => {
    // A character takes at most three bytes, so short texts need no measuring.
    if (json.length * 3 <= most || Buffer.byteLength(json) <= most) return json;
    const short = cut();
    const bytes = Buffer.byteLength(short);
    if (bytes <= most) return short;
    refused(bytes);
    return undefined;
  };
}

/** Called with how many records were lost since the last call, and why. */
export type OnLoss = (problem: string, error?: unknown) => void;

/** Milliseconds between two reports of one sink. */
const pauseMs = 10_000;

/**
 * Creates a function that reports losses, at most once per `pauseMs`. A `count` of 0 reports a problem without a loss.
 */
export function lossReporter(name: string, onLoss: OnLoss): (count: number, reason: unknown) => void {
  let unreported = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (count, reason) => {
    unreported += count;
    if (Date.now() - last < pauseMs) return;
    last = Date.now();
    const lost = unreported === 0 ? '' : `${unreported} ${unreported === 1 ? 'record is' : 'records are'} lost: `;
    onLoss(`${name}: ${lost}${reason instanceof Error ? reason.message : String(reason)}`);
    unreported = 0;
  };
}
