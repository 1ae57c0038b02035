/** Posts audit records to a webhook, several per request. */
import type { AuditSink } from '../../runtime/contract/index.js';
import { bounded, type Delivery, inBatches, lossReporter, type OnLoss, type Truncation } from './delivery.js';

export interface WebhookTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A fetch that trusts the webhook's certificate and sends the server's credentials. */
  readonly fetch: typeof fetch;
}

export interface AuditWebhookOptions {
  readonly target: WebhookTarget;
  readonly delivery: Delivery;
  /** Milliseconds before the first retry; each further pause is 1.5 times as long. */
  readonly initialBackoffMs: number;
  /** By default, the webhook gets whole records. */
  readonly truncation?: Truncation;
  /** The apiVersion of event lists in the naming that is served. */
  readonly apiVersion: string;
}

const attempts = 5;
const backoffFactor = 1.5;

/** Timeout of one attempt, milliseconds. */
const timeoutMs = 30_000;

export function defineWebhookSink(options: AuditWebhookOptions, onLoss: OnLoss): AuditSink {
  const { delivery, truncation, target } = options;
  const lost = lossReporter(`audit webhook ${target.url}`, onLoss);
  const post = (texts: readonly string[]): Promise<boolean> => postAll(options, texts, lost);
  const encodeRecord = bounded(truncation, (size) => lost(1, `a record of ${size} bytes is too large`));
  const named = { name: 'webhook', strict: delivery.mode === 'blocking-strict' };
  if (delivery.mode === 'batch') {
    const mostBytes = truncation?.maxBatchBytes;
    const batches = inBatches(delivery.batch, (texts) => inPosts(texts, mostBytes, post), lost);
    const write: AuditSink['write'] = (record) => {
      const text = encodeRecord(record);
      return text !== undefined && batches.add(text);
    };
    return { ...named, write, close: batches.end };
  }
  const write: AuditSink['write'] = (record) => {
    const text = encodeRecord(record);
    return text === undefined ? false : post([text]);
  };
  return { ...named, write, close: () => Promise.resolve() };
}

/** Posts a batch in as many requests as its size needs. */
async function inPosts(
  texts: readonly string[],
  mostBytes = Number.POSITIVE_INFINITY,
  post: (texts: readonly string[]) => Promise<boolean>,
): Promise<void> {
  let part: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
    if (part.length > 0 && bytes + size > mostBytes) {
      await post(part);
      part = [];
      bytes = 0;
    }
    part.push(text);
    bytes += size;
  }
  if (part.length > 0) await post(part);
}

async function postAll(
  { target, initialBackoffMs, apiVersion }: AuditWebhookOptions,
  texts: readonly string[],
  lost: (count: number, reason: unknown) => void,
): Promise<boolean> {
  const body = `{"kind":"EventList","apiVersion":"${apiVersion}","metadata":{},"items":[${texts.join(',')}]}`;
  let pauseMs = initialBackoffMs;
  for (let attempt = 1; ; attempt++) {
    const problem = await postOnce(target, body);
    if (problem === undefined) return true;
    if (!problem.again || attempt === attempts) {
      lost(texts.length, problem.text);
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs *= backoffFactor;
  }
}

interface Problem {
  readonly text: string;
  /** Whether a retry may succeed. */
  readonly again: boolean;
}

async function postOnce({ url, headers, fetch }: WebhookTarget, body: string): Promise<Problem | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, */*' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    await answer.arrayBuffer();
    if (answer.ok) return undefined;
    return { text: `it answers with ${answer.status}`, again: answer.status >= 500 || answer.status === 429 };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { text: cause instanceof Error ? cause.message : String(cause), again: true };
  }
}
