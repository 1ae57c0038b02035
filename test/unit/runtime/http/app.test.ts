/**
 * The app of a server: which requests its middleware sees, what middleware may change, and which rules it cannot
 * bypass.
 */
import { createServer, type RequestListener } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestTls } from 'node:https';
import { H3, type H3Event, onResponse, toNodeHandler, withBase } from 'h3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AccessAttributes, Authenticator, Authorizer } from '../../../../runtime/contract/index.js';
import { requestOf } from '../../../support/api-requests.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { hasExpress, makeExpressApp } from '../../../support/express.js';
import { listenLocally } from '../../../support/local-server.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const byToken: Authenticator = {
  name: 'by token',
  authenticate: ({ headers: { authorization } }) => {
    if (typeof authorization !== 'string') return undefined;
    if (authorization !== 'Bearer anna-token') return { refused: 'unknown token' };
    return { user: { name: 'anna', uid: 'u-1', groups: ['team:front'], extra: {} } };
  },
};
const asked: AccessAttributes[] = [];
const authorizer: Authorizer = {
  name: 'no secrets',
  decide: (attributes) => {
    asked.push(attributes);
    const place = 'path' in attributes ? attributes.path : attributes.namespace;
    return { decision: place === '/secret' || place === 'secret' ? 'deny' : 'allow' };
  },
};

const tls = await makeServerCertificate();
const api = await startTestApi([widgets], { authenticators: [byToken], authorizer });
const { server } = api;
const plain = await server.listen({ host: '127.0.0.1', port: 0 });
const secure = await server.listen({ host: '127.0.0.1', port: 0, tls });

/** The requests that the middleware has seen. Each test sets its own middleware. */
const seen: string[] = [];
let middleware: (event: H3Event, next: () => unknown) => unknown = (_event, next) => next();
server.use((event, next) => {
  const { pathname } = event.url;
  seen.push(`${event.context.user?.name} ${event.req.method} ${pathname}`);
  event.res.headers.set('x-seen', 'yes');
  return middleware(event, next);
});
server.get('/whoami', ({ context }) => context.user?.name);
server.get('/secret', () => 'the secret');
server.get('/**', () => 'everything else');
server.get('/can', async ({ context }) => ({
  open: await context.can?.({ verb: 'get', resource: 'widgets', namespace: 'open' }),
  secret: await context.can?.({ verb: 'get', resource: 'widgets', namespace: 'secret' }),
  page: await context.can?.({ verb: 'get', path: '/secret' }),
}));
server.get('/shop/:namespace', server.eventHandlers(widgets).list);

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) close();
  await plain.close();
  await secure.close();
  await api.close();
});
beforeEach(() => {
  seen.length = 0;
  asked.length = 0;
});
afterEach(() => {
  middleware = (_event, next) => next();
});

const authorization = 'Bearer anna-token';
const headers = { authorization };
const get = (path: string, init: RequestInit = {}) => fetch(plain.url + path, { headers, ...init });

async function serve(listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  closing.push(() => http.close());
  return `http://127.0.0.1:${await listenLocally(http)}`;
}

type Header = string | string[] | null | undefined;

/** Each way to the server: sends a request for a path, and returns the header that the middleware has set. */
const ways: Readonly<Record<string, (path: string) => Promise<Header>>> = {
  'plain HTTP': async (path) => (await get(path)).headers.get('x-seen'),
  TLS: (path) =>
    new Promise((resolve, reject) => {
      const asking = requestTls(secure.url + path, { ca: tls.cert, headers }, (answer) => {
        resolve(answer.resume().headers['x-seen']);
      });
      asking.on('error', reject).end();
    }),
  'HTTP/2': (path) =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(secure.url, { ca: tls.cert });
      const stream = session.request({ ':path': path, authorization });
      stream.on('error', reject).on('response', (answer) => {
        resolve(answer['x-seen']);
        session.destroy();
      });
    }),
  WebSocket: (path) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${plain.url.replace('http', 'ws')}${path}?watch=true`, { headers });
      socket.on('error', reject).on('upgrade', (answer) => {
        resolve(answer.headers['x-seen']);
        socket.terminate();
      });
    }),
  'the same process': async (path) => {
    const answer = await server.enter(requestOf({ path, headers }));
    return answer.headers?.['x-seen'];
  },
  fetch: async (path) =>
    (await server.fetch(new Request(`http://localhost${path}`, { headers }))).headers.get('x-seen'),
  'an app that mounts it': async (path) => {
    const answer = await new H3().mount('/kf', server).request(`/kf${path}`, { headers });
    return answer.headers.get('x-seen');
  },
  'an app that hands events on': async (path) => {
    const answer = await new H3().all('/kf/**', withBase('/kf', server)).request(`/kf${path}`, { headers });
    return answer.headers.get('x-seen');
  },
  'toNodeHandler of h3': async (path) => {
    const url = await serve(toNodeHandler(server));
    return (await fetch(url + path, { headers })).headers.get('x-seen');
  },
  ...(hasExpress && {
    Express: async (path: string) => {
      const url = await serve(makeExpressApp().use('/kf', server.listener));
      return (await fetch(`${url}/kf${path}`, { headers })).headers.get('x-seen');
    },
  }),
};

it('lets a route ask for the rights of its user', async () =>
  expect(await (await get('/can')).json()).toEqual({ open: true, secret: false, page: false }));

describe('middleware', () => {
  it.each(Object.entries(ways))('sees user and path, and adds a header, over %s', async (_name, ask) => {
    expect(await ask(widgetsPath)).toBe('yes');
    expect(seen).toEqual([`anna GET ${widgetsPath}`]);
  });

  it('sees refused users and missing paths, but no unknown users', async () => {
    expect((await get('/apis/example.com/v1/namespaces/secret/widgets')).status).toBe(403);
    expect((await get('/apis/example.com/v1/namespaces/a/widgets/none')).status).toBe(404);
    expect((await get('/version', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    expect((await get('/version', { headers: {} })).status).toBe(200);
    expect((await get('/version', { headers: { ...headers, 'impersonate-user': 'ben' } })).status).toBe(200);
    expect(seen).toEqual([
      'anna GET /apis/example.com/v1/namespaces/secret/widgets',
      'anna GET /apis/example.com/v1/namespaces/a/widgets/none',
      'tester GET /version',
      'ben GET /version',
    ]);
  });

  it('does not see requests of the server itself', async () => {
    expect((await api.send('GET', widgetsPath)).code).toBe(200);
    expect(seen).toEqual([]);
  });

  it('may answer instead of the API, which then gets no request', async () => {
    middleware = () => new Response('closed today', { status: 503, headers: { 'retry-after': '60' } });
    const answer = await get(widgetsPath);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(answer.headers.get('audit-id')).toMatch(/^[\w-]{36}$/);
    expect(await answer.text()).toBe('closed today');
    expect(asked).toEqual([]);
  });

  it('may refuse a WebSocket', async () => {
    middleware = () => new Response('no', { status: 403 });
    const refused = new Promise((resolve, reject) => {
      const socket = new WebSocket(`${plain.url.replace('http', 'ws')}${widgetsPath}?watch=true`, { headers });
      socket.on('open', reject).on('unexpected-response', (_asking, answer) => resolve(answer.statusCode));
    });
    expect(await refused).toBe(403);
  });

  it('may look at answers and change them', async () => {
    middleware = async (_event, next) => {
      const answer = await next();
      if (answer instanceof Object && 'headers' in answer && answer.headers instanceof Headers) {
        answer.headers.set('x-type', answer.headers.get('content-type') ?? '');
      }
      return answer;
    };
    const list = await get(widgetsPath);
    expect(list.headers.get('x-type')).toBe('application/json');
    expect(await list.json()).toMatchObject({ kind: 'WidgetList' });
    middleware = onResponse(async (response) => new Response((await response.text()).toUpperCase(), response));
    expect(await (await get(widgetsPath)).text()).toContain('"KIND":"WIDGETLIST"');
  });

  it('may end a watch of the API', async () => {
    const watches = api.store.statistics.watches;
    middleware = async (_event, next) => {
      await next();
      return 'no watches';
    };
    expect(await (await get(`${widgetsPath}?watch=true`)).text()).toBe('no watches');
    expect(api.store.statistics.watches).toBe(watches);
  });

  it('passes on a watch that it has read, event by event', async () => {
    middleware = onResponse((response, event) => {
      event.res.headers.set('x-status', String(response.status));
    });
    const leaving = new AbortController();
    const watches = api.store.statistics.watches;
    const answer = await get(`${widgetsPath}?watch=true&resourceVersion=${api.store.revision}`, {
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    await api.send('POST', widgetsPath, widget('watched'));
    let text = '';
    while (!text.includes('watched')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    leaving.abort();
    await expect.poll(() => api.store.statistics.watches).toBe(watches);
  });

  it('may read a body before the API does', async () => {
    let name: unknown;
    middleware = async ({ req }, next) => {
      const body: { metadata: { name: string } } = Object(await req.json());
      name = body.metadata.name;
      return next();
    };
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    expect((await get(widgetsPath, { ...init, body: JSON.stringify(widget('read')) })).status).toBe(201);
    expect(name).toBe('read');
    const tooLong = await get(widgetsPath, { ...init, body: 'x'.repeat(3 * 1024 * 1024 + 1) });
    expect(tooLong.status).toBe(413);
  });

  it('that throws is a defect, and the answer is a 500', async () => {
    middleware = () => {
      throw new Error('out of order');
    };
    expect((await get(widgetsPath)).status).toBe(500);
    expect(api.defects).toEqual([expect.objectContaining({ message: 'out of order' })]);
  });

  it("that removes the server's data from a request does not bypass its rights", async () => {
    middleware = (event, next) => {
      Reflect.set(event, 'context', {});
      return next();
    };
    expect((await get('/secret')).status).toBe(500);
    expect(await (await get('/secret')).text()).not.toContain('the secret');
  });
});

describe('a route', () => {
  it.each([
    ['of the server', (path: string) => server.request(path, { headers })],
    [
      'of an app that mounts the server',
      (path: string) => new H3().mount('/kf', server).request(`/kf${path}`, { headers }),
    ],
    [
      'of an app that hands events on',
      (path: string) => new H3().all('/kf/**', withBase('/kf', server)).request(`/kf${path}`, { headers }),
    ],
  ])('%s is behind the same rights', async (_name, ask) => {
    expect(await (await ask('/whoami')).text()).toBe('anna');
    expect((await ask('/secret')).status).toBe(403);
  });

  it('for all paths does not match paths of the API', async () => {
    expect(await (await get(widgetsPath)).json()).toMatchObject({ kind: 'WidgetList' });
    expect(await (await get('/somewhere')).text()).toBe('everything else');
  });
});

describe('the handler of a verb', () => {
  it.each([
    ['in the app of the server', server],
    ['in an app of its own', new H3().get('/shop/:namespace', server.eventHandlers(widgets).list)],
  ])('answers with the rights of the resource %s', async (_name, app) => {
    const answer = await app.request('/shop/front?limit=1', { headers });
    expect(await answer.json()).toMatchObject({ kind: 'WidgetList' });
    expect(asked).toEqual([expect.objectContaining({ verb: 'list', resource: 'widgets', namespace: 'front' })]);
    expect((await app.request('/shop/secret', { headers })).status).toBe(403);
    expect((await app.request('/shop/front', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  it('is behind the middleware of the server', async () => {
    expect(await (await get('/shop/front')).json()).toMatchObject({ kind: 'WidgetList' });
    expect(seen).toEqual(['anna GET /shop/front']);
  });
});

it('hooks of the app see requests and answers', async () => {
  const hooked = await startTestApi([widgets], {});
  const listening = await hooked.server.listen({ host: '127.0.0.1', port: 0 });
  const told: string[] = [];
  hooked.server.config.onRequest = (event) => void told.push(event.url.pathname);
  hooked.server.config.onResponse = (response) => void told.push(String(response.status));
  expect(await (await fetch(listening.url + widgetsPath)).json()).toMatchObject({ kind: 'WidgetList' });
  expect(told).toEqual([widgetsPath, '200']);
  await listening.close();
  await hooked.close();
});

it.each<[string, string, (app: H3, part: H3) => H3]>([
  ['used', '/secret', (app, part) => app.use(part)],
  ['mounted', '/part/secret', (app, part) => app.mount('/part', part)],
])('an app that is %s sees the user, and is behind the same rights', async (_how, path, add) => {
  const users: unknown[] = [];
  const part = new H3().use(({ context }) => void users.push(context.user?.name)).get('/secret', () => 'the secret');
  const nobody: Authorizer = { name: 'nobody', decide: () => ({ decision: 'deny' }) };
  const parts = { authenticators: [byToken], authorizer: nobody, routes: (app: H3) => void add(app, part) };
  const whole = await startTestApi([widgets], parts);
  expect((await whole.server.request(path, { headers })).status).toBe(403);
  expect(users).toEqual(['anna']);
  await whole.close();
});
