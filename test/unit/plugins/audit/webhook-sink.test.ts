import { describe, expect, it } from 'vitest';
import { type AuditWebhookOptions, defineWebhookSink } from '../../../../plugins/index.js';

const record = (json: string) => ({ json, cut: () => '"cut"' });

function setUp(answers: readonly number[], options: Partial<AuditWebhookOptions> = {}) {
  const posted: string[] = [];
  const problems: string[] = [];
  const send: typeof fetch = async (_url, init) => {
    posted.push(String(init?.body));
    const code = answers[posted.length - 1] ?? 200;
    if (code === 0) throw new Error('refused');
    return new Response('', { status: code });
  };
  const sink = defineWebhookSink(
    {
      target: { url: 'https://audit.example.com/', headers: { authorization: 'Bearer x' }, fetch: send },
      delivery: { mode: 'batch', batch: { bufferSize: 10, maxSize: 2, maxWaitMs: 60_000 } },
      initialBackoffMs: 1,
      apiVersion: 'audit.platform.io/v1',
      ...options,
    },
    (problem) => problems.push(problem),
  );
  return { sink, posted, problems };
}

const itemsOf = (body: string): unknown => JSON.parse(body).items;
const blocking: Partial<AuditWebhookOptions> = {
  delivery: { mode: 'blocking-strict', batch: { bufferSize: 1, maxSize: 1, maxWaitMs: 0 } },
};

describe('the audit webhook', () => {
  it('gets lists of events, full ones at once and the rest at the end', async () => {
    const { sink, posted } = setUp([]);
    for (const text of ['1', '2', '3']) void sink.write(record(text));
    await new Promise(setImmediate);
    expect(posted.map(itemsOf)).toEqual([[1, 2]]);
    await sink.close();
    expect(posted.map(itemsOf)).toEqual([[1, 2], [3]]);
    expect(JSON.parse(posted[0] ?? '')).toMatchObject({ kind: 'EventList', apiVersion: 'audit.platform.io/v1' });
  });

  it('is retried without an answer, or after a server error', async () => {
    const { sink, posted } = setUp([0, 503, 429, 200], blocking);
    expect(await sink.write(record('1'))).toBe(true);
    expect(posted).toHaveLength(4);
  });

  it('is given up after five attempts, or at once after a refusal', async () => {
    const troubled = setUp([500, 500, 500, 500, 500], blocking);
    expect(await troubled.sink.write(record('1'))).toBe(false);
    expect(troubled.posted).toHaveLength(5);
    expect(troubled.problems).toEqual([expect.stringContaining('1 record is lost: it answers with 500')]);
    const refusing = setUp([400], blocking);
    expect(await refusing.sink.write(record('1'))).toBe(false);
    expect(refusing.posted).toHaveLength(1);
  });

  it('keeps its rate limit, but does not delay the end', async () => {
    const batch = { bufferSize: 10, maxSize: 1, maxWaitMs: 0, throttle: { perSecond: 0.001, burst: 1 } };
    const { sink, posted } = setUp([], { delivery: { mode: 'batch', batch } });
    for (const text of ['1', '2', '3']) void sink.write(record(text));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(posted.map(itemsOf)).toEqual([[1]]);
    await sink.close();
    expect(posted.map(itemsOf)).toEqual([[1], [2], [3]]);
  });

  it('gets posts of limited size', async () => {
    const { sink, posted } = setUp([], { truncation: { maxEventBytes: 3, maxBatchBytes: 5 } });
    for (const text of ['111', '222']) void sink.write(record(text));
    await sink.close();
    expect(posted.map(itemsOf)).toEqual([[111], [222]]);
  });
});
