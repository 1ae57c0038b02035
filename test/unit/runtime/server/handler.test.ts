/** Requests go where their path leads: documents, endpoints, resources, or nowhere. */
import { describe, expect, it } from 'vitest';
import type { Authenticator, ResourceModule, Schema, UserInfo } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import type { ApiRequest } from '../../../../runtime/request/api-request.js';
import { createServer } from '../../../../runtime/server/index.js';
import { requestOf } from '../../../support/api-requests.js';
import { moduleOf } from '../../../support/modules.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

const api = await suiteApi([widgets, moduleOf('', 'secrets', 'Secret')]);

describe('health', () => {
  const ask = async (path: string, livezGraceMs?: number): Promise<number> => {
    const own = await startTestApi([widgets], {
      healthChecks: [{ name: 'work', problem: () => 'not finished' }],
      ...(livezGraceMs === undefined ? {} : { livezGraceMs }),
    });
    const { code } = await own.send('GET', path);
    await own.close();
    return code;
  };

  it.each([
    ['/livez', 200],
    ['/livez/work', 200],
    ['/livez/nothing', 404],
    ['/readyz', 500],
    ['/readyz/work', 500],
    ['/healthz', 500],
  ])('of %s is %i while a server has time to start', async (path, code) => {
    expect(await ask(path, 3_600_000)).toBe(code);
  });

  it.each([undefined, 0])('has the state of its checks after a time of %s', async (grace) => {
    expect(await ask('/livez', grace)).toBe(500);
    expect(await ask('/livez/work', grace)).toBe(500);
  });
});

describe('documents and endpoints', () => {
  it.each([
    ['/api', { kind: 'APIVersions' }],
    ['/api/', { kind: 'APIVersions' }],
    ['/apis', { kind: 'APIGroupList' }],
    ['/apis/example.com/v1', { kind: 'APIResourceList', groupVersion: 'example.com/v1' }],
    ['/api/v1', { kind: 'APIResourceList', groupVersion: 'v1' }],
    ['/version', { major: '1', minor: '27' }],
    ['/openapi/v3', { paths: {} }],
  ])('%s', async (path, expected) => {
    const reply = await api.send('GET', path);
    expect(reply.code).toBe(200);
    expect(reply.body).toMatchObject(expected);
    const ofAnyMethod = path === '/apis' || path === '/apis/example.com';
    expect((await api.send('POST', path)).code).toBe(ofAnyMethod ? 200 : 405);
  });

  it('are listed at the root, in one form for everyone', async () => {
    const reply = await api.send('GET', '/', undefined, { accept: 'text/plain' });
    expect(reply).toMatchObject({ code: 200, contentType: 'application/json' });
    expect(reply.body.paths).toEqual([
      '/api',
      '/api/v1',
      '/apis',
      '/apis/',
      '/apis/example.com',
      '/apis/example.com/v1',
      ...['/healthz', '/livez'].flatMap((path) => [path, `${path}/ping`]),
      '/metrics',
      ...[
        '/openapi/v2',
        '/openapi/v3',
        '/openapi/v3/',
        '/readyz',
        '/readyz/followers',
        '/readyz/ping',
        '/readyz/storage',
        '/version',
      ],
    ]);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'a missing check is not found, whatever the method: %s',
    async (method) => {
      for (const path of ['/healthz/x', '/livez/x', '/readyz/x', '/healthz/', '/livez/ping/x']) {
        const reply = await api.send(method, path);
        expect(reply).toMatchObject({
          code: 404,
          contentType: 'text/plain; charset=utf-8',
          text: '404 page not found\n',
        });
      }
    },
  );

  it('need a namespace if the path has a place for it, except lists', async () => {
    expect((await api.send('GET', '/apis/example.com/v1/namespaces//widgets')).body.kind).toBe('WidgetList');
    expect(await api.send('GET', '/apis/example.com/v1/namespaces//widgets/a')).toMatchObject({
      code: 400,
      body: { message: 'Namespace parameter required.' },
    });
  });

  it('include the document of a group, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await api.send(method, '/apis/example.com');
      expect(reply).toMatchObject({ code: 200, body: { kind: 'APIGroup', name: 'example.com' } });
    }
  });

  it.each(['/healthz', '/livez', '/readyz', '/healthz/ping'])('%s is ok', async (path) => {
    expect(await api.send('GET', path)).toMatchObject({ code: 200, text: 'ok' });
    expect((await api.send('HEAD', path)).code).toBe(200);
    expect((await api.send('POST', path)).code).toBe(405);
  });

  it('are found in any spelling of their path', async () => {
    expect(await api.send('GET', '/%61pis%2Fexample.com/v1/widgets//')).toMatchObject({ code: 200 });
    const reply = await api.send('GET', '/apis/example.com/v1/namespaces/n/widgets/a%25b');
    expect(reply).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
    expect(reply.body.message).toBe(`Name parameter invalid: "a%b": may not contain '%'`);
  });

  it('include one that is in JSON only', async () => {
    expect((await api.send('GET', '/version', undefined, { accept: 'application/yaml' })).code).toBe(406);
    expect((await api.send('GET', '/version', undefined, { accept: '*/*' })).text).toContain('\n  "major": "1"');
  });

  it('are aggregated for clients that ask for it', async () => {
    const accept = 'application/json;g=apidiscovery.platform.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
    const reply = await api.send('GET', '/apis', undefined, { accept });
    expect(reply.body.kind).toBe('APIGroupDiscoveryList');
    expect(reply.contentType).toBe('application/json;g=apidiscovery.platform.io;v=v2beta1;as=APIGroupDiscoveryList');
    expect(reply.headers.vary).toBe('Accept');
  });
});

describe('paths without anything behind them', () => {
  it.each(['//', '/other', '/apis//v1', '/apis/other.com', '/apis/other.com/v1/widgets', '/healthz/a/b', '/healthz/a'])(
    '%s is a plain 404',
    async (path) => {
      expect(await api.send('GET', path)).toMatchObject({ code: 404, text: '404 page not found\n' });
    },
  );

  it.each(['/openapi/v4', '/openapi/v3/apis/other.com/v1'])('%s is a plain 404 for every method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
      expect((await api.send(method, path)).code).toBe(404);
    expect((await api.send('POST', '/openapi/v3/apis/example.com/v1')).code).toBe(405);
  });

  it.each([
    '/version/1',
    '/api/v2',
    '/api/v1/other',
    '/apis/example.com/v2',
    '/apis/example.com/v1/other',
    '/apis/example.com/v1/widgets/a',
    '/apis/example.com//widgets',
  ])('%s is a Status', async (path) => {
    expect(await api.send('GET', path)).toMatchObject({
      code: 404,
      body: { kind: 'Status', reason: 'NotFound', message: 'the server could not find the requested resource' },
    });
  });
});

it('a subresource that a custom resource does not have is not found under its name', async () => {
  expect(await api.send('GET', '/apis/example.com/v1/namespaces/n/widgets/a/other')).toMatchObject({
    code: 404,
    body: { reason: 'NotFound', message: 'widgets.example.com "a" not found' },
  });
});

describe('the user', () => {
  const user = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: {} });
  const knows = (header: string): Authenticator => ({
    name: header,
    authenticate: ({ headers }) => {
      if (headers[header] === undefined) return undefined;
      return headers[header] === 'right' ? { user: user(header) } : { refused: 'it is wrong' };
    },
  });
  const codeFor = async (headers: ApiRequest['headers'], anonymous?: UserInfo): Promise<number> => {
    const server = createServer({
      modules: [widgets],
      naming: platformNaming,
      store: api.store,
      authenticators: [knows('a'), knows('b')],
      ...(anonymous ? { anonymous } : {}),
      productVersion: '0',
    });
    return (await server.handle(requestOf({ path: '/version', headers }))).code;
  };

  it('is known by any authenticator', async () => {
    expect(await codeFor({ a: 'right' })).toBe(200);
    expect(await codeFor({ b: 'right' })).toBe(200);
    expect(await codeFor({ a: 'wrong', b: 'right' })).toBe(200);
  });

  it('is refused with wrong credentials, even if clients without any are let in', async () => {
    expect(await codeFor({ a: 'wrong' }, user('anonymous'))).toBe(401);
    expect(await codeFor({}, user('anonymous'))).toBe(200);
    expect(await codeFor({})).toBe(401);
  });
});

describe('a defect', () => {
  it('is a 500 with its reason in the log only', async () => {
    const broken: ResourceModule = {
      ...widgets,
      code: () => ({
        get schema(): Schema {
          throw new Error('secret');
        },
      }),
    };
    const own = await startTestApi([broken]);
    const reply = await own.send('POST', '/apis/example.com/v1/namespaces/n/widgets', widget('a'));
    expect(reply).toMatchObject({ code: 500, body: { kind: 'Status', reason: 'InternalError' } });
    expect(reply.text).not.toContain('secret');
    expect(own.defects).toEqual([new Error('secret')]);
    await own.close();
  });
});
