/** Streams as responses of the Fetch standard tell those who make them when nothing more goes out. */
import { expect, it } from 'vitest';
import { toWebResponse } from '../../../../runtime/http/web-response.js';
import type { StreamSink } from '../../../../runtime/verbs/api-request.js';

/** A response that streams, where its bytes go, and how often its maker has been told that it is over. */
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
  const { body } = toWebResponse({ code: 200, contentType: 'text/plain', body: { stream } });
  return { body, sink: sinks[0], stops: () => stops };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('that end are over', async () => {
  const { body, sink, stops } = streaming();
  sink?.end();
  expect(await new Response(body).text()).toBe('begun');
  await turn();
  expect(stops()).toBe(1);
});

it('that are broken off are over', async () => {
  const { sink, stops } = streaming();
  sink?.destroy();
  sink?.end();
  await turn();
  expect(stops()).toBe(1);
});

it('whose clients go are over, once', async () => {
  const { body, sink, stops } = streaming();
  await body?.cancel();
  sink?.end();
  await turn();
  expect(stops()).toBe(1);
});
