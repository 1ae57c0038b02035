/** Routes of users beside the API: who may use them, what they receive, and which paths the API keeps. */
import { connect } from 'node:net';
import { createEventStream, HTTPError, readBody } from 'h3';
import { afterAll, describe, expect, it } from 'vitest';
import type { AccessAttributes, Authenticator, Authorizer } from '../../../../runtime/contract/index.js';
import type { ExtendApp } from '../../../../runtime/server/index.js';
import { requestOf } from '../../../support/api-requests.js';
import { startTestApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const asked: AccessAttributes[] = [];
const authorizer: Authorizer = {
  name: 'public only',
  decide: (attributes) => {
    asked.push(attributes);
    const path = 'path' in attributes ? attributes.path : '';
    return { decision: path.startsWith('/secret') || path.startsWith('//secret') ? 'deny' : 'allow' };
  },
};
const byToken: Authenticator = {
  name: 'by token',
  authenticate: ({ headers }) => {
    const token = headers.authorization;
    if (token === undefined) return undefined;
    if (token !== 'Bearer anna-token') return { refused: 'unknown token' };
    return { user: { name: 'anna', uid: 'u-1', groups: ['team:front'], extra: {} } };
  },
};
let ended = 0;
const routes: ExtendApp = (app) => {
  app.use((event) => {
    event.res.headers.set('x-from', 'routes');
  });
  app.get('/whoami', ({ context }) => context.user);
  app.get('/hello/:name', ({ context, url }) => `hello ${context.params?.name}${url.search}`);
  app.post('/echo', async (event) => ({ got: await readBody(event), host: event.url.host }));
  app.get('/secret/one', () => 'the secret');
  app.get('/teapot', () => {
    throw new HTTPError({ status: 418, message: 'short and stout' });
  });
  app.get('/broken', () => {
    throw new Error('broken');
  });
  app.delete('/things/:name', () => null);
  app.get('/cookies', ({ res }) => {
    res.headers.append('set-cookie', 'a=1');
    res.headers.append('set-cookie', 'b=2');
    return 'two';
  });
  app.get('/events', (event) => {
    const stream = createEventStream(event);
    const timer = setInterval(() => void stream.push('tick'), 20);
    stream.onClosed(() => {
      ended++;
      clearInterval(timer);
    });
    return stream.send();
  });
  app.get('/version', () => 'mine');
  app.get('/apis/mine', () => 'mine');
  app.get('/healthz/mine', () => 'mine');
};

const api = await startTestApi([widgets], { authorizer, authenticators: [byToken], routes });
const listening = await api.listen();
afterAll(() => api.close());
const { url } = listening;

describe('a route', () => {
  it('knows the user, who may be impersonated', async () => {
    const authorization = 'Bearer anna-token';
    expect(await (await fetch(`${url}/whoami`, { headers: { authorization } })).json()).toMatchObject({
      name: 'anna',
      groups: ['team:front'],
    });
    const headers = { authorization, 'impersonate-user': 'ben' };
    expect(await (await fetch(`${url}/whoami`, { headers })).json()).toMatchObject({ name: 'ben' });
  });

  it('is not called for unknown users, or without the right', async () => {
    expect((await fetch(`${url}/whoami`, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    const refused = await fetch(`${url}/secret/one`);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ kind: 'Status', message: expect.stringContaining('/secret/one') });
  });

  it('is authorized by its method and path', async () => {
    asked.length = 0;
    await fetch(`${url}/things/a%20b?x=1`, { method: 'DELETE' });
    expect(asked).toEqual([expect.objectContaining({ verb: 'delete', path: '/things/a b' })]);
  });

  it.each(['/x/../secret/one', '/x/%2e%2e/secret/one', '/x\\..\\..\\secret\\one', '/./secret/one'])(
    'is not found at the path %s, which was authorized as another one',
    async (path) => {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        let text = '';
        socket.on('data', (bytes) => {
          text += bytes.toString();
        });
        socket.on('close', () => resolve(text));
        socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).not.toContain('the secret');
    },
  );

  it('has parameters, queries, bodies, and answers of its own', async () => {
    const hello = await fetch(`${url}/hello/anna?loud`);
    expect(await hello.text()).toBe('hello anna?loud');
    expect(hello.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(hello.headers.get('x-from')).toBe('routes');
    const echo = await fetch(`${url}/echo`, { method: 'POST', body: '{"a":[1]}' });
    expect(await echo.json()).toEqual({ got: { a: [1] }, host: new URL(url).host });
    expect((await fetch(`${url}/cookies`)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const deleted = await fetch(`${url}/things/a`, { method: 'DELETE' });
    expect(await deleted.text()).toBe('');
    expect((await fetch(`${url}/hello/anna`, { method: 'HEAD' })).status).toBe(200);
  });

  it('may fail in its own way; other exceptions are defects', async () => {
    const teapot = await fetch(`${url}/teapot`);
    expect(teapot.status).toBe(418);
    expect(await teapot.json()).toMatchObject({ message: 'short and stout' });
    expect(api.defects).toEqual([]);
    expect((await fetch(`${url}/broken`)).status).toBe(500);
    expect(api.defects).toEqual([expect.objectContaining({ message: 'broken' })]);
  });

  it('streams, until its client goes', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${url}/events`, { signal: leaving.signal });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain('data: tick');
    leaving.abort();
    await expect.poll(() => ended).toBe(1);
  });

  it('accepts bodies up to the size of any request', async () => {
    const response = await fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024 + 1) });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });
});

describe('the API', () => {
  it('keeps its paths', async () => {
    expect(await (await fetch(`${url}/version`)).json()).toMatchObject({ major: '1' });
    for (const path of ['/apis/mine', '/healthz/mine', '/nowhere', '/api/v1/none']) {
      const response = await fetch(url + path);
      expect(response.status, path).toBe(404);
      expect(await response.text(), path).not.toContain('mine');
    }
    expect((await fetch(`${url}/whoami`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${url}/apis/example.com/v1/widgets`)).status).toBe(200);
  });

  it('answers in process as over HTTP', async () => {
    const answer = await api.server.enter(requestOf({ path: '/hello/anna' }));
    expect(answer).toMatchObject({ code: 200 });
  });
});

it('reports a mistake in defining routes when the server is created', async () => {
  const routes: ExtendApp = () => {
    throw new Error('no such table');
  };
  await expect(startTestApi([widgets], { routes })).rejects.toThrow('no such table');
});
