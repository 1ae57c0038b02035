/** Requests that middleware answers itself: unused streams are released, and headers stay hidden. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { defineApp } from '../../../../runtime/http/app.js';
import { nodeListener } from '../../../../runtime/http/node-listener.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../../../runtime/request/api-request.js';
import { requestOf } from '../../../support/api-requests.js';
import { listenLocally } from '../../../support/local-server.js';

/** Makes an app with an API that answers everything with a stream nobody should start, and counts abandoned streams. */
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
    passing?.admitted(
      { name: 'anna', uid: '', groups: [], extra: {} },
      () => watch,
      () => true,
    ) ?? watch;
  const parts = { handle, handleInProcess: handle, maxBodyBytes: 100, isHiddenHeader: undefined, onDefect: () => {} };
  return { ...defineApp(parts), watch, abandonedTimes: () => abandoned };
}

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

describe('streams of the API are released', () => {
  it.each([
    ['a text', 'in place of it'],
    ['nothing', new Response(null, { status: 204 })],
  ])('by %s, once', async (_what, answer) => {
    const { app, enter, abandonedTimes } = streaming();
    app.use(async (_event, next) => {
      await next();
      return answer;
    });
    await readToEnd(await enter(requestOf()));
    expect(abandonedTimes()).toBe(1);
  });

  it('by an error, once', async () => {
    const { app, enter, abandonedTimes } = streaming();
    app.use(async (_event, next) => {
      await next();
      throw new Error('no');
    });
    const answer = await enter(requestOf());
    await readToEnd(answer);
    expect(answer.code).toBe(500);
    expect(abandonedTimes()).toBe(1);
  });

  it('except requests that middleware passes on without reading them', async () => {
    const { app, enter, watch, abandonedTimes } = streaming();
    app.use((_event, next) => next());
    expect((await enter(requestOf())).body).toBe(watch.body);
    expect(abandonedTimes()).toBe(0);
  });
});

it('headers for authenticators are hidden from middleware, whatever it looks at', async () => {
  const user = { name: 'anna', uid: '', groups: [], extra: {} };
  const answer: ApiResponse = { code: 200, contentType: 'text/plain', body: Buffer.from('answered') };
  const handle = ({ passing }: ApiRequest) =>
    passing?.admitted(
      user,
      () => answer,
      () => true,
    ) ?? answer;
  const isHiddenHeader = (name: string): boolean => name.startsWith('x-remote-');
  const parts = { handle, handleInProcess: handle, maxBodyBytes: 100, isHiddenHeader, onDefect: () => {} };
  const { app, respond } = defineApp(parts);
  const seen: unknown[] = [];
  app.use(({ req, runtime }) => {
    const node = runtime?.node?.req;
    seen.push(
      req.headers.get('x-remote-user'),
      node?.headers['x-remote-user'],
      node?.rawHeaders.join().includes('x-remote'),
    );
    seen.push(req.headers.get('x-other'), node?.headers['x-other']);
  });
  const http = createServer(nodeListener(respond));
  const port = await listenLocally(http);
  const headers = { 'x-remote-user': 'root', 'x-other': 'seen' };
  expect(await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()).toBe('answered');
  http.close();
  const web = new Request('http://localhost/', { headers });
  expect(await (await app.fetch(web)).text()).toBe('answered');
  expect(seen).toEqual([null, undefined, false, 'seen', 'seen', null, undefined, undefined, 'seen', undefined]);
});
