/** A server mounted in other servers: in apps of h3, in Express, and in plain Node servers under a path. */
import { createServer, get, type RequestListener, type Server } from 'node:http';
import { H3, serve, withBase } from 'h3';
import { afterAll, describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../runtime/contract/index.js';
import { expressOrWhyNot, hasExpress, makeExpressApp, readsBodies } from '../../../support/express.js';
import { listenLocally } from '../../../support/local-server.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const impersonated: string[] = [];
const authorizer: Authorizer = {
  name: 'noting',
  decide: (attributes) => {
    if (attributes.verb === 'impersonate' && 'name' in attributes) impersonated.push(attributes.name ?? '');
    return { decision: 'allow' };
  },
};
const api = await startTestApi([widgets], { authorizer });
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  await api.close();
  expect(api.defects).toEqual([]);
});

async function startNode(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${await listenLocally(server)}/kinds`;
}

async function startH3(): Promise<string> {
  const app = new H3();
  app.use((event) => {
    event.res.headers.set('x-app', 'h3');
  });
  app.all('/kinds/**', withBase('/kinds', api.server));
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  closing.push(() => server.close(true));
  return `${server.url?.replace(/\/$/, '')}/kinds`;
}

const mounts = [
  ['h3', await startH3()],
  ...(hasExpress ? [['Express', await startNode(makeExpressApp().use('/kinds', api.server.listener))] as const] : []),
  ['plain Node', await startNode(api.server.listenerUnder('/kinds'))],
] as const;

const json = { 'content-type': 'application/json' };

describe.each(mounts)('under a path in %s', (name, url) => {
  const path = `${url}/apis/example.com/v1/namespaces/${name.toLowerCase().replace(' ', '-')}/widgets`;
  const post = (body: BodyInit, init: RequestInit & { duplex?: 'half' } = {}) =>
    fetch(path, { method: 'POST', headers: json, body, ...init });

  it('objects are written and read, warnings and all', async () => {
    const created = await post(JSON.stringify(widget('a', { sice: 1 })));
    expect(created.status).toBe(201);
    expect(created.headers.get('warning')).toBe('299 - "unknown field \\"spec.sice\\""');
    const response = await fetch(`${path}/a`);
    expect(await response.text()).toBe(await created.text());
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-cache, private');
    expect(response.headers.get('x-app')).toBe(name === 'h3' ? 'h3' : null);
  });

  it('a head has no body', async () => {
    const response = await fetch(`${url}/readyz`, { method: 'HEAD' });
    expect(response).toMatchObject({ status: 200 });
    expect(await response.text()).toBe('');
  });

  it('the root is found with and without a slash at its end', async () => {
    for (const root of [url, `${url}/`]) {
      expect(await (await fetch(root)).json()).toMatchObject({ paths: expect.arrayContaining(['/api', '/apis']) });
    }
  });

  it('paths outside are not found there', async () => {
    expect((await fetch(`${url}2/apis`)).status).toBe(404);
    expect((await fetch(new URL('/apis', url))).status).toBe(404);
  });

  it('a changed document is sent under the mounted path', async () => {
    const response = await fetch(`${url}/openapi/v3/apis/example.com/v1?hash=old`, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toMatch(/^\/kinds\/openapi\/v3\/apis\/example\.com\/v1\?hash=\w+$/);
    const followed = await fetch(`${url}/openapi/v3/apis/example.com/v1?hash=old`);
    expect(await followed.json()).toMatchObject({ openapi: '3.0.0' });
  });

  it('an unchanged document is not sent again', async () => {
    const etag = (await fetch(`${url}/openapi/v2`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}/openapi/v2`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it('bodies are accepted up to their limit, in any pieces', async () => {
    const pieces = (text: string) =>
      new ReadableStream({
        start: (controller) => {
          for (let at = 0; at < text.length; at += 7000) controller.enqueue(Buffer.from(text.slice(at, at + 7000)));
          controller.close();
        },
      });
    const fitting = JSON.stringify(widget('pieces', { color: 'x'.repeat(100_000) }));
    expect((await post(pieces(fitting), { duplex: 'half' })).status).toBe(201);
    expect((await post(pieces('x'.repeat(3 * 1024 * 1024 + 1)), { duplex: 'half' })).status).toBe(413);
  });

  it('each value of a header counts', async () => {
    impersonated.length = 0;
    const headers = { 'impersonate-user': 'anna', 'impersonate-group': ['one', 'two, three'] };
    const status = await new Promise((resolve) => {
      get(path, { headers }, (response) => resolve(response.resume().statusCode));
    });
    expect(status).toBe(200);
    expect(impersonated).toEqual(['anna', 'one', 'two, three']);
  });

  it('a watch is open before there is an event, sends each event at once, and ends with its client', async () => {
    const leaving = new AbortController();
    const watches = api.store.statistics.watches;
    const response = await fetch(`${path}?watch=1&resourceVersion=${api.store.revision}`, { signal: leaving.signal });
    expect(api.store.statistics.watches).toBe(watches + 1);
    const reader = response.body?.getReader();
    for (const called of ['first', 'second']) {
      expect((await post(JSON.stringify(widget(called)))).status).toBe(201);
      const { value } = (await reader?.read()) ?? {};
      expect(JSON.parse(Buffer.from(value ?? []).toString())).toMatchObject({
        type: 'ADDED',
        object: { metadata: { name: called } },
      });
    }
    leaving.abort();
    await expect.poll(() => api.store.statistics.watches).toBe(watches);
  });

  it('a watch ends after its time', async () => {
    const response = await fetch(`${path}?watch=1&timeoutSeconds=1&resourceVersion=${api.store.revision}`);
    expect(await response.text()).toBe('');
  });
});

describe('an event handler', () => {
  it('cuts off a watcher that does not read', async () => {
    const watches = api.store.statistics.watches;
    const [, url] = mounts[0];
    const response = await fetch(`${url}${widgetsPath}?watch=1&resourceVersion=${api.store.revision}`);
    const parts = ['x'.repeat(1024 * 1024)];
    for (let i = 0; api.store.statistics.watches > watches && i < 60; i++) {
      await api.send('POST', widgetsPath, widget(`big${i}`, { parts }));
    }
    expect(api.store.statistics.watches).toBe(watches);
    await expect(response.text()).rejects.toThrow();
  });

  it('works without Node', async () => {
    const app = new H3().all('/**', api.server);
    const created = await app.request(widgetsPath, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(widget('plain')),
    });
    expect(created.status).toBe(201);
    impersonated.length = 0;
    const headers = { 'impersonate-user': 'anna', 'impersonate-group': 'one, two' };
    expect((await app.request(`${widgetsPath}/plain`, { headers })).status).toBe(200);
    expect(impersonated).toEqual(['anna', 'one', 'two']);
  });
});

describe.skipIf(!hasExpress)(`a body that was read before in ${expressOrWhyNot}`, () => {
  it('is reported', async () => {
    const app = makeExpressApp().use(readsBodies()).use('/kinds', api.server.listener);
    const url = await startNode(app);
    const body = JSON.stringify(widget('late'));
    const response = await fetch(`${url}${widgetsPath}`, { method: 'POST', headers: json, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('mount it before') });
  });
});
