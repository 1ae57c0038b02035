/** The trace of a request continues to etcd in the metadata of each call. */
import { afterEach, expect, it } from 'vitest';
import type { Span } from '../../../../../runtime/contract/index.js';
import { findSpans } from '../../../../../runtime/objects/tracing.js';
import { Endpoint } from '../../../../../runtime/storage/etcd/endpoint.js';
import { range } from '../../../../../runtime/storage/etcd/messages.js';
import { serveCall } from '../../../../support/trace-collector.js';

const seen: (string | undefined)[] = [];
const server = await serveCall(range.path, ({ metadata }, answer) => {
  seen.push(metadata.get('traceparent')[0]?.toString());
  answer(null, Buffer.alloc(0));
});
const endpoint = new Endpoint(`http://127.0.0.1:${server.port}`, undefined);
afterEach(() => {
  endpoint.close();
  server.close();
  findSpans(() => undefined);
});

it('names the span of the call, or none without one', async () => {
  const done: string[] = [];
  const spanOf = (id: string): Span => ({
    headers: { traceparent: id },
    begin: (name) => spanOf(`${id}/${name}`),
    within: (run) => run(),
    rename: () => {},
    set: () => {},
    fail: () => {},
    end: () => void done.push(id),
  });
  const question = { key: Buffer.from('a') };
  await endpoint.ask(range, question, '', 5000);
  findSpans(() => spanOf('request'));
  await endpoint.ask(range, question, '', 5000);
  expect(seen).toEqual([undefined, 'request/etcd etcdserverpb.KV/Range']);
  expect(done).toEqual(['request/etcd etcdserverpb.KV/Range']);
});
