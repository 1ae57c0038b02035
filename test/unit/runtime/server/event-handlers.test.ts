/** The verbs of one resource, mounted one by one in an app of h3. */
import { H3, type H3Event, serve } from 'h3';
import { afterAll, describe, expect, it } from 'vitest';
import { csiDriverHandlers } from '../../../../generated/storage.platform.io/v1/csidrivers/handlers.js';
import { resource as csiDrivers } from '../../../../generated/storage.platform.io/v1/csidrivers/resource.js';
import type { AdmissionPlugin, AuditSink, Authenticator, Authorizer } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { createServer } from '../../../../runtime/server/index.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { widget, widgets } from '../../../support/widgets.js';

const byToken: Authenticator = {
  name: 'names',
  authenticate({ headers: { authorization } }) {
    const [, name] = /^Bearer (\w+)$/.exec(String(authorization)) ?? [];
    return name === undefined ? undefined : { user: { name, uid: '', groups: [], extra: {} } };
  },
};
/** Readers may read; everyone else may do everything. */
const authorizer: Authorizer = {
  name: 'readers',
  decide: ({ user, verb }) =>
    user.name === 'reader' && !['get', 'list', 'watch'].includes(verb)
      ? { decision: 'deny', reason: 'readers only read' }
      : { decision: 'allow' },
};
const noRed: AdmissionPlugin = {
  name: 'NoRed',
  handles: () => true,
  validate: ({ object }) =>
    JSON.stringify(object ?? {}).includes('"red"')
      ? { reason: 'Forbidden', message: 'nothing is red here' }
      : undefined,
};
const recorded: { verb: string; user: { username: string }; requestURI: string }[] = [];
const sink: AuditSink = {
  name: 'list',
  write({ json }) {
    recorded.push(JSON.parse(json));
    return true;
  },
  close: () => Promise.resolve(),
};
const omitStages = new Set(['RequestReceived', 'ResponseStarted'] as const);
const store = await openStore({ backend: memoryBackend(), readAttributes: () => ({ labels: {}, fields: {} }) });
const defects: unknown[] = [];
const server = createServer({
  modules: [widgets, csiDrivers],
  naming: kubernetesNaming,
  store,
  productVersion: '1.0.0',
  authenticators: [byToken],
  authorizer,
  plugins: [noRed],
  audit: {
    policy: { decide: () => ({ level: 'Metadata', omitStages, omitManagedFields: false, omitToken: false }) },
    sinks: [sink],
  },
  onDefect: (error) => defects.push(error),
});

const users: (string | undefined)[] = [];
const app = new H3({ silent: true });
app.use(async (event: H3Event, next) => {
  const answer = await next();
  users.push(event.context.user?.name);
  return answer;
});
const of = server.eventHandlers(widgets);
app.get('/widgets', of.list);
app.get('/changes', of.watch);
app.post('/widgets', of.create);
app.get('/widgets/:name', of.get);
app.put('/widgets/:name', of.update);
app.patch('/widgets/:name', of.patch);
app.post('/widgets/:name/apply', of.apply);
app.delete('/widgets/:name', of.delete);
app.delete('/widgets', of.deletecollection);
app.get('/teams/:namespace/widgets', of.list);
app.post('/teams/:namespace/widgets', of.create);
app.get('/all', server.eventHandlers(widgets, { namespace: '' }).list);
app.get('/front', server.eventHandlers(widgets, { namespace: 'front' }).list);
app.get('/nameless', of.get);
app.get('/drivers/:name', csiDriverHandlers(server).get);
const listening = serve(app, { port: 0, hostname: '127.0.0.1', silent: true });
await listening.ready();
afterAll(async () => {
  await listening.close(true);
  await store.close();
  expect(defects).toEqual([]);
});

async function send(method: string, path: string, body?: unknown, user = 'anna', type = 'application/json') {
  const response = await fetch(new URL(path, listening.url), {
    method,
    headers: { authorization: `Bearer ${user}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const namesAt = async (path: string): Promise<string[]> =>
  (await send('GET', path)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

describe('the verbs of a resource', () => {
  it('read and write the objects that the API has', async () => {
    expect(await send('POST', '/widgets', widget('a', { size: 1 }))).toMatchObject({
      code: 201,
      body: { metadata: { namespace: 'default' }, spec: { size: 1 } },
    });
    const { body: created } = await send('GET', '/widgets/a');
    expect(await send('PUT', '/widgets/a', { ...created, spec: { size: 2 } })).toMatchObject({ code: 200 });
    const merge = 'application/merge-patch+json';
    expect(await send('PATCH', '/widgets/a', { spec: { color: 'blue' } }, 'anna', merge)).toMatchObject({
      body: { spec: { size: 2, color: 'blue' } },
    });
    expect(await namesAt('/widgets')).toEqual(['a']);
    expect(await send('DELETE', '/widgets/a')).toMatchObject({ code: 200 });
    expect(await namesAt('/widgets')).toEqual([]);
  });

  it('apply a configuration, whatever its content type', async () => {
    const config = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'applied' },
      spec: { color: 'green' },
    };
    const { code, body } = await send('POST', '/widgets/applied/apply?fieldManager=app', config);
    expect([code, body.metadata.managedFields[0].operation]).toEqual([201, 'Apply']);
    expect(await send('POST', '/widgets/applied/apply', config)).toMatchObject({ code: 422 });
  });

  it('take selectors and options of the query', async () => {
    await send('POST', '/widgets?dryRun=All', widget('dry'));
    await send('POST', '/widgets', widget('labelled', {}, { labels: { a: 'b' } }));
    expect(await namesAt('/widgets?labelSelector=a%3Db')).toEqual(['labelled']);
    expect(await namesAt('/widgets?limit=1')).toHaveLength(1);
  });

  it('use the namespace of the route, of the options, or default', async () => {
    await send('POST', '/teams/front/widgets', widget('in-front'));
    expect(await namesAt('/teams/front/widgets')).toEqual(['in-front']);
    expect(await namesAt('/front')).toEqual(['in-front']);
    expect(await namesAt('/widgets')).not.toContain('in-front');
    expect(await namesAt('/all')).toEqual([...(await namesAt('/widgets')), 'in-front']);
  });

  it('delete a collection in one namespace only', async () => {
    expect(await send('DELETE', '/widgets')).toMatchObject({ code: 200 });
    expect(await namesAt('/all')).toEqual(['in-front']);
  });

  it('watch changes', async () => {
    const leaving = new AbortController();
    const response = await fetch(new URL(`/changes?resourceVersion=${store.revision}`, listening.url), {
      headers: { authorization: 'Bearer anna' },
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    for (const name of ['first', 'second']) {
      await send('POST', '/widgets', widget(name));
      const { value } = (await reader?.read()) ?? {};
      expect(JSON.parse(Buffer.from(value ?? []).toString())).toMatchObject({
        type: 'ADDED',
        object: { metadata: { name } },
      });
    }
    leaving.abort();
  });

  it('are the mounted verbs, whatever the query asks for', async () => {
    expect(await send('GET', '/widgets?watch=true')).toMatchObject({ body: { kind: 'WidgetList' } });
  });

  it("are found under the server's naming", async () => {
    expect(await send('GET', '/drivers/none')).toMatchObject({
      code: 404,
      body: { details: { group: 'storage.k8s.io', kind: 'csidrivers', name: 'none' } },
    });
  });
});

describe('the path of the API', () => {
  it('refuses clients without credentials', async () => {
    expect(await send('GET', '/widgets', undefined, '-')).toMatchObject({ code: 401 });
  });

  it('refuses clients without the right', async () => {
    expect(await send('GET', '/widgets', undefined, 'reader')).toMatchObject({ code: 200 });
    expect(await send('POST', '/widgets', widget('denied'), 'reader')).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining('"reader" cannot create resource "widgets"') },
    });
    expect(await namesAt('/all')).not.toContain('denied');
  });

  it('runs admission', async () => {
    expect(await send('POST', '/widgets', widget('refused', { color: 'red' }))).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining('nothing is red here') },
    });
  });

  it('validates', async () => {
    expect(await send('POST', '/widgets', widget('small', { size: 0 }))).toMatchObject({ code: 422 });
  });

  it('records the audit', async () => {
    recorded.length = 0;
    await send('GET', '/widgets/first', undefined, 'reader');
    expect(recorded).toMatchObject([
      {
        verb: 'get',
        user: { username: 'reader' },
        requestURI: '/apis/example.com/v1/namespaces/default/widgets/first',
        objectRef: { resource: 'widgets', namespace: 'default', name: 'first' },
      },
    ]);
  });

  it('shows the user to middleware of the app', async () => {
    users.length = 0;
    await send('GET', '/widgets', undefined, 'reader');
    await send('GET', '/widgets', undefined, '-');
    expect(users).toEqual(['reader', undefined]);
  });

  it('cannot be left by any parameter', async () => {
    await send('POST', '/widgets', widget('kept'));
    expect(await send('GET', '/widgets/kept%2Fstatus')).toMatchObject({ code: 404, body: '404 page not found\n' });
    expect(await send('GET', '/teams/default%2Fwidgets%2Fkept%2Fstatus/widgets')).toMatchObject({ code: 404 });
    expect((await send('DELETE', '/widgets/kept%2F')).code).toBe(404);
    expect(await namesAt('/widgets')).toContain('kept');
  });

  it('gets no request if a route for one object has no name in its path', async () => {
    recorded.length = 0;
    expect(await send('GET', '/nameless')).toMatchObject({ code: 500 });
    expect(recorded).toEqual([]);
  });
});
