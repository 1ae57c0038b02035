/** The console of a server: its files, its headers, and signing in with a code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { openUpstream } from '../../../../client/node/upstream.js';
import { defineConsole } from '../../../../server/console/console.js';
import { type ListeningServer, startServer } from '../../../../server/index.js';
import { listenLocally } from '../../../support/local-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
const server = await startServer({ storage: 'memory', console: true, controllers: [], credentials: { folder } });
const bare = await startServer({ storage: 'memory', controllers: [] });
const provided = await startServer({
  storage: 'memory',
  console: true,
  controllers: [],
  authentication: { oidc: { issuerUrl: 'https://login.example.com/realm', clientId: 'kindforge' } },
});
afterAll(async () => {
  for (const one of [server, bare, provided]) await one.stop();
});

const signIn = (code: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof code === 'string' ? JSON.stringify({ code }) : String(code),
  });

const newCode = (): string => server.consoleLink?.().split('#code=')[1] ?? '';

describe('the console of a server', () => {
  it('needs no credentials to load, at the address of each of its pages', async () => {
    for (const path of ['/console/', '/console/kinds/core/v1/pods/default/a.b', '/console/definitions']) {
      const response = await fetch(`${server.url}${path}`);
      expect([200, 503]).toContain(response.status);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(await response.text()).toContain('Kindforge');
    }
    const moved = await fetch(`${server.url}/console`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/']);
    expect((await fetch(`${server.url}/console/assets/missing.js`)).status).toBe(404);
  });

  it('may only load from the server and its identity provider', async () => {
    const policyOf = async (url: string): Promise<string> =>
      (await fetch(`${url}/console/`)).headers.get('content-security-policy') ?? '';
    const policy = await policyOf(server.url);
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).toContain("trusted-types 'none'");
    expect(policy).toMatch(/connect-src 'self'(;|$)/);
    expect(await policyOf(provided.url)).toContain("connect-src 'self' https://login.example.com;");
  });

  it('is absent by default', async () => {
    expect((await fetch(`${bare.url}/console/`)).status).toBe(401);
    expect(bare.consoleLink).toBeUndefined();
  });

  it('does not change the API', async () => {
    expect((await fetch(`${server.url}/api/v1/namespaces`)).status).toBe(401);
    expect((await fetch(`${server.url}/consoles`)).status).toBe(401);
  });
});

describe('signing in by the code of the link', () => {
  it('makes one client the administrator, once', async () => {
    const code = newCode();
    const answer = await signIn(code);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token } = JSON.parse(await answer.text());
    const list = await fetch(`${server.url}/api/v1/namespaces`, { headers: { authorization: `Bearer ${token}` } });
    expect(list.status).toBe(200);
    const again = await signIn(code);
    expect([again.status, JSON.parse(await again.text()).message]).toEqual([
      401,
      'the code is unknown, used or older than two minutes; ask the server for another',
    ]);
  });

  it('is refused without a code', async () => {
    for (const body of ['wrong', '{}', '[', 'null', 7, '"a"']) expect((await signIn(body)).status).toBe(401);
    expect((await signIn('x'.repeat(2_000))).status).toBe(401);
    expect((await fetch(`${server.url}/console/api/sign-in`)).status).toBe(405);
  });

  it('reads no more of a body than a code may have, also if it comes in pieces', async () => {
    const asked = request(`${server.url}/console/api/sign-in`, { method: 'POST' });
    asked.write(JSON.stringify({ code: newCode() }));
    asked.end(' '.repeat(2_000));
    const status = await new Promise((resolve) => asked.once('response', (one) => resolve(one.statusCode)));
    expect([status, asked.getHeader('content-length')]).toEqual([401, undefined]);
  });

  it('is refused for a minute after twenty wrong codes', async () => {
    let now = 1_000_000;
    const { middleware, sessions } = defineConsole({ clock: () => now });
    const { H3, toNodeHandler } = await import('h3');
    const { createServer } = await import('node:http');
    const app = new H3();
    app.use(middleware);
    const host = createServer(toNodeHandler(app));
    const url = `http://127.0.0.1:${await listenLocally(host)}/console/api/sign-in`;
    const attempt = async (code: string): Promise<number> =>
      (await fetch(url, { method: 'POST', body: JSON.stringify({ code }) })).status;
    const codes = await Promise.all(Array.from({ length: 20 }, () => attempt('wrong')));
    expect(new Set(codes)).toEqual(new Set([401]));
    const good = sessions.newCode();
    expect(await attempt(good)).toBe(429);
    now += 61_000;
    expect(await attempt(good)).toBe(200);
    expect(await attempt('wrong')).toBe(401);
    host.close();
  });

  it('is refused to pages of other sites and through proxies, and the code stays valid', async () => {
    const code = newCode();
    expect((await signIn(code, { origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await signIn(code, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(403);
    expect((await signIn(code, { origin: server.url })).status).toBe(200);
  });

  it('is refused over connections from other machines', async () => {
    const { middleware, sessions } = defineConsole({});
    const { H3, toNodeHandler } = await import('h3');
    const app = new H3();
    app.use(middleware);
    const handler = toNodeHandler(app);
    const { createServer } = await import('node:http');
    const host = createServer((req, res) => {
      Object.defineProperty(req.socket, 'remoteAddress', { value: '192.0.2.7' });
      void handler(req, res);
    });
    const port = await listenLocally(host);
    const asked = request({ port, host: '127.0.0.1', path: '/console/api/sign-in', method: 'POST' });
    asked.end(JSON.stringify({ code: sessions.newCode() }));
    const [response] = await new Promise<[import('node:http').IncomingMessage]>((resolve) =>
      asked.once('response', (one) => resolve([one])),
    );
    expect([response.statusCode, await text(response)]).toEqual([403, expect.stringContaining('on the machine')]);
    host.close();
  });
});

describe('another link', () => {
  const administrator = (): string =>
    readFileSync(join(folder, 'header'), 'utf8').replace('authorization: ', '').trim();
  const ask = (headers: Record<string, string>, one: ListeningServer = server): Promise<Response> =>
    fetch(`${one.url}/console/api/link`, { method: 'POST', headers });

  it('is for the administrator, and signs in like the first one', async () => {
    const answer = await ask({ authorization: administrator() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { link } = JSON.parse(await answer.text());
    expect(link.startsWith(`${server.url}/console/#code=`)).toBe(true);
    expect((await signIn(link.split('#code=')[1])).status).toBe(200);
  });

  it('is for nobody else', async () => {
    const authorization = administrator();
    expect((await ask({})).status).toBe(403);
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(403);
    expect((await ask({ authorization, origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await fetch(`${server.url}/console/api/link`, { headers: { authorization } })).status).toBe(405);
    // A session of the console is not enough: it would never end.
    const { token } = JSON.parse(await (await signIn(newCode())).text());
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(403);
    expect((await ask({ authorization }, bare)).status).not.toBe(200);
  });

  it('is for the certificate of the administrator, and for nobody without it', async () => {
    const own = await startServer({
      storage: 'memory',
      console: true,
      controllers: [],
      tls: {},
      credentials: { folder: join(folder, 'tls') },
    });
    const linkBy = async (kubeconfig: string): Promise<number> => {
      const upstream = openUpstream(kubeconfig, undefined);
      const asked = { method: 'POST', path: '/console/api/link', headers: {}, signal: AbortSignal.timeout(5000) };
      const { statusCode, body } = await upstream.send(asked, undefined);
      await body.dump();
      await upstream.close();
      return statusCode;
    };
    const ofAdministrator = join(folder, 'tls', 'kubeconfig');
    expect(await linkBy(ofAdministrator)).toBe(200);
    const anonymous = JSON.parse(readFileSync(ofAdministrator, 'utf8'));
    anonymous.users[0].user = {};
    writeFileSync(join(folder, 'anonymous'), JSON.stringify(anonymous));
    expect(await linkBy(join(folder, 'anonymous'))).toBe(403);
    await own.stop();
  });

  it('is for the user and the groups of the administrator', async () => {
    const { middleware, recognizeBy } = defineConsole({});
    const { H3 } = await import('h3');
    const app = new H3();
    app.use(middleware);
    const askAs = async (name: string, groups: readonly string[]): Promise<number> => {
      recognizeBy([{ name: 'known', authenticate: () => ({ user: { name, groups, uid: '', extra: {} } }) }]);
      return (await app.request('/console/api/link', { method: 'POST' })).status;
    };
    expect(await askAs('system:admin', ['system:masters', 'system:authenticated'])).toBe(200);
    expect(await askAs('system:admin', ['system:authenticated'])).toBe(403);
    expect(await askAs('jane', ['system:masters', 'system:authenticated'])).toBe(403);
  });
});
