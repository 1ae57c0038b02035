/** Streams as responses of the Fetch standard notify their makers when no more bytes can be sent. */
import { expect, it } from 'vitest';
import { webBody } from '../../../../runtime/http/web-response.js';
import type { StreamSink } from '../../../../runtime/request/api-request.js';

/** Makes a response with a stream. Records its bytes, and how often its maker was notified of the end. */
function streaming() {
  const sinks: StreamSink[] = [];
  let stops = 0;
  const stream = (sink: StreamSink) => {
    sinks.push(sink);
    sink.write(Buffer.from('begun'));
    return () => {
      stops++;
    };
  };
  const body = webBody({ stream });
  if (body instanceof Uint8Array) throw new Error('no stream');
  const reader = body.getReader();
  return { reader, sinks, stops: () => stops };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('start when they are read, and end', async () => {
  const { reader, sinks, stops } = streaming();
  await turn();
  expect(sinks).toEqual([]);
  expect((await reader.read()).value).toHaveLength(0);
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('begun');
  sinks[0]?.end();
  expect((await reader.read()).done).toBe(true);
  await turn();
  expect(stops()).toBe(1);
});

it('end when they are broken off', async () => {
  const { reader, sinks, stops } = streaming();
  await reader.read();
  sinks[0]?.destroy();
  sinks[0]?.end();
  await turn();
  expect(stops()).toBe(1);
});

it('end once when their clients go', async () => {
  const { reader, sinks, stops } = streaming();
  await reader.read();
  await reader.cancel();
  sinks[0]?.end();
  await turn();
  expect(stops()).toBe(1);
});

it('that nobody reads are abandoned, and never start', async () => {
  let abandoned = 0;
  const stream = (): never => {
    throw new Error('started');
  };
  const body = webBody({ stream, abandoned: () => void abandoned++ });
  if (body instanceof ReadableStream) await body.cancel();
  expect(abandoned).toBe(1);
});
