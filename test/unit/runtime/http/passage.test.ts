/** Streams of the API that middleware answers in place of: what they hold is given free. */
import { expect, it } from 'vitest';
import { defineApp } from '../../../../runtime/http/app.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../../../runtime/verbs/api-request.js';

/** An app whose API answers everything with a stream that nobody should start, and how often that was abandoned. */
function streaming() {
  let abandoned = 0;
  const body = {
    stream: (): never => {
      throw new Error('started');
    },
    abandoned: () => void abandoned++,
  };
  const watch: ApiResponse = { code: 200, contentType: 'application/json', body };
  const handle = ({ passing }: ApiRequest) =>
    passing?.admitted({ name: 'anna', uid: '', groups: [], extra: {} }, () => watch) ?? watch;
  const parts = { handle, handleInProcess: handle, maxBodyBytes: 100, isHiddenHeader: undefined, onDefect: () => {} };
  return { ...defineApp(parts), watch, abandonedTimes: () => abandoned };
}

const readBody = () => Promise.resolve({ ok: true, value: new Uint8Array(0) } as const);
const request = (): ApiRequest => ({ method: 'GET', path: '/', search: '', headers: {}, readBody });

async function readToEnd({ body }: ApiResponse): Promise<void> {
  if (!isStreamed(body)) return;
  await new Promise<void>((resolve) => {
    const stop = body.stream({
      buffered: 0,
      write: () => {},
      taken: () => Promise.resolve(),
      end: () => setImmediate(() => resolve(stop())),
      destroy: () => resolve(),
    });
  });
}

it.each([
  ['a text', 'in place of it'],
  ['nothing', new Response(null, { status: 204 })],
])('by %s, once', async (_what, answer) => {
  const { app, enter, abandonedTimes } = streaming();
  app.use(async (_event, next) => {
    await next();
    return answer;
  });
  await readToEnd(await enter(request()));
  expect(abandonedTimes()).toBe(1);
});

it('by an error, once', async () => {
  const { app, enter, abandonedTimes } = streaming();
  app.use(async (_event, next) => {
    await next();
    throw new Error('no');
  });
  const answer = await enter(request());
  await readToEnd(answer);
  expect(answer.code).toBe(500);
  expect(abandonedTimes()).toBe(1);
});

it('are passed on as they are by middleware that does not look at them', async () => {
  const { app, enter, watch, abandonedTimes } = streaming();
  app.use((_event, next) => next());
  expect((await enter(request())).body).toBe(watch.body);
  expect(abandonedTimes()).toBe(0);
});
