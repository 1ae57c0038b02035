/** The trace of a request continues to etcd in the metadata of each call. */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { afterEach, expect, it } from 'vitest';
import type { Span } from '../../../../../runtime/contract/index.js';
import { findSpans } from '../../../../../runtime/objects/tracing.js';
import { Endpoint } from '../../../../../runtime/storage/etcd/endpoint.js';
import { range } from '../../../../../runtime/storage/etcd/messages.js';

const seen: (string | undefined)[] = [];
const bytes = (value: Buffer): Buffer => value;
const take = ({ metadata }: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>): void => {
  seen.push(metadata.get('traceparent')[0]?.toString());
  answer(null, Buffer.alloc(0));
};
const server = new Server();
server.addService(
  {
    range: {
      path: range.path,
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    },
  },
  { range: take },
);
const port = await new Promise<number>((resolve, reject) =>
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, found) =>
    error ? reject(error) : resolve(found),
  ),
);
const endpoint = new Endpoint(`http://127.0.0.1:${port}`, undefined);
afterEach(() => {
  endpoint.close();
  server.forceShutdown();
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
