/** The verb `create`: the stored object, the answer, and refused requests. */
import { describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const guard: AdmissionPlugin = {
  name: 'Guard',
  handles: (_module, operation) => operation === 'CREATE',
  admit: ({ object }) => {
    if (object?.metadata.name === 'mutated') object.spec = {};
    return undefined;
  },
  validate: ({ object }, { warn }) => {
    if (object?.metadata.name === 'warned') warn('look out');
    return object?.metadata.name === 'guarded' ? { reason: 'Forbidden', message: 'not this one' } : undefined;
  },
};
const api = await suiteApi([widgets, configMaps], { plugins: [guard] });

describe('create', () => {
  it('answers with the stored object', async () => {
    const created = await api.send('POST', widgetsPath, widget('a', { color: 'red' }));
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        generation: 1,
        uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        resourceVersion: String(api.store.revision),
        managedFields: [{ manager: 'tester', operation: 'Update' }],
      },
      spec: { size: 3, color: 'red' },
    });
    expect((await api.send('GET', `${widgetsPath}/a`)).text).toBe(created.text);
  });

  it('ignores system fields and the status of clients', async () => {
    const metadata = { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x', generation: 9 };
    const { body } = await api.send('POST', widgetsPath, { ...widget('b', {}, metadata), status: { ready: true } });
    expect(body.metadata).not.toMatchObject({ uid: 'mine' });
    expect(body.metadata).not.toMatchObject({ creationTimestamp: '2001-01-01T00:00:00Z' });
    expect(body).toMatchObject({ metadata: { generation: 1 } });
    expect(body).not.toHaveProperty('status');
    expect(body).not.toHaveProperty('metadata.selfLink');
  });

  it('accepts YAML if the client sends it as such', async () => {
    const yaml = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: yaml}\nspec:\n  size: 7\n';
    const reply = await api.send('POST', widgetsPath, yaml, { 'content-type': 'application/yaml' });
    expect(reply).toMatchObject({ code: 201, body: { spec: { size: 7 } } });
  });

  it.each([
    ['a Table of nonsense', 'Table', '?includeObject=Some', 400],
    ['the metadata of many', 'PartialObjectMetadataList', '', 406],
  ])('is carried out even if the client asks for %s, and fails only then', async (_form, kind, search, code) => {
    const name = kind.toLowerCase();
    const accept = `application/json;as=${kind};g=meta.platform.io;v=v1`;
    expect(await api.send('POST', `${widgetsPath}${search}`, widget(name), { accept })).toMatchObject({ code });
    expect(await api.send('GET', `${widgetsPath}/${name}`)).toMatchObject({ code: 200 });
    const removed = await api.send('DELETE', `${widgetsPath}/${name}${search}`, undefined, { accept });
    expect(removed).toMatchObject({ code });
    expect(await api.send('GET', `${widgetsPath}/${name}`)).toMatchObject({ code: 404 });
    expect(await api.send('GET', `${widgetsPath}/a${search}`, undefined, { accept })).toMatchObject({ code });
  });

  it('refuses a name that is taken', async () => {
    expect(await api.send('POST', widgetsPath, widget('a'))).toMatchObject({
      code: 409,
      body: { reason: 'AlreadyExists', message: 'widgets.example.com "a" already exists' },
    });
  });

  it('reports that an object with the name is in deletion', async () => {
    await api.send('POST', widgetsPath, widget('going', {}, { finalizers: ['example.com/hold'] }));
    await api.send('DELETE', `${widgetsPath}/going`);
    expect((await api.send('POST', widgetsPath, widget('going'))).body.message).toBe(
      'object is being deleted: widgets.example.com "going" already exists',
    );
  });

  it.each([
    ['5', 400],
    ['0', 201],
  ])('with the revision %s is a %d', async (resourceVersion, code) => {
    const reply = await api.send('POST', widgetsPath, widget(`revision-${resourceVersion}`, {}, { resourceVersion }));
    expect(reply.code).toBe(code);
  });
});

describe('generated names', () => {
  it('are the prefix and five characters, different each time', async () => {
    const create = () => api.send('POST', widgetsPath, widget('', {}, { generateName: 'gen-' }));
    const replies = await Promise.all([create(), create(), create()]);
    const names = replies.map(({ body }) => JSON.stringify(body.metadata).match(/"name":"(gen-[a-z0-9]{5})"/)?.[1]);
    expect(new Set(names).size).toBe(3);
    expect(names).not.toContain(undefined);
  });
});

describe('a dry run', () => {
  it('answers like the create, and stores nothing', async () => {
    const before = api.store.revision;
    const reply = await api.send('POST', `${widgetsPath}?dryRun=All`, widget('dry'));
    expect(reply).toMatchObject({ code: 201, body: { metadata: { name: 'dry', generation: 1 }, spec: { size: 3 } } });
    expect(reply.body).not.toHaveProperty('metadata.resourceVersion');
    expect(api.store.revision).toBe(before);
    expect((await api.send('GET', `${widgetsPath}/dry`)).code).toBe(404);
  });

  it('finds the same mistakes', async () => {
    const replies = await Promise.all(
      [widget('a'), widget('B'), widget('guarded')].map((body) => api.send('POST', `${widgetsPath}?dryRun=All`, body)),
    );
    expect(replies.map(({ code }) => code)).toEqual([409, 422, 403]);
  });
});

describe('validation', () => {
  it('reports all mistakes in one answer', async () => {
    const reply = await api.send('POST', widgetsPath, widget('B', { size: 0 }));
    expect(reply).toMatchObject({ code: 422, body: { reason: 'Invalid', details: { name: 'B', kind: 'Widget' } } });
    expect(reply.text).toContain('"field":"metadata.name"');
    expect(reply.text).toContain('"field":"spec.size"');
  });

  it.each([
    ['', 201, ['299 - "unknown field \\"spec.sice\\""']],
    ['?fieldValidation=Ignore', 201, undefined],
    ['?fieldValidation=Strict', 400, undefined],
  ])('of unknown fields under %j', async (search, code, warning) => {
    const name = `fields-${search.length}`;
    const reply = await api.send('POST', `${widgetsPath}${search}`, widget(name, { sice: 5 }));
    expect(reply.code).toBe(code);
    expect(reply.headers.warning).toEqual(warning);
  });

  it('names fields that occur twice', async () => {
    const body =
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"size":1,"size":2}}';
    const reply = await api.send('POST', widgetsPath, body);
    expect(reply).toMatchObject({ code: 201, headers: { warning: ['299 - "duplicate field \\"spec.size\\""'] } });
    expect(reply.body.spec).toEqual({ size: 2 });
  });
});

describe('admission', () => {
  it('may change, warn and refuse', async () => {
    expect((await api.send('POST', widgetsPath, widget('mutated', { size: 9 }))).body.spec).toEqual({ size: 3 });
    expect((await api.send('POST', widgetsPath, widget('warned'))).headers).toEqual({ warning: ['299 - "look out"'] });
    expect(await api.send('POST', widgetsPath, widget('guarded'))).toMatchObject({
      code: 403,
      body: { message: 'not this one' },
    });
  });
});

describe('bad bodies', () => {
  const deep = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
  const json = 'application/json';
  const ofKind = '{"apiVersion":"example.com/v1","kind":"Widget",';

  it.each<[string, string, string, number]>([
    ['nothing', '', json, 400],
    ['no JSON', '{', json, 400],
    ['a list', '[]', json, 400],
    ['a number', '5', json, 400],
    ['null', 'null', json, 400],
    ['another kind', '{"kind":"Gadget"}', json, 400],
    ['metadata that is no object', `${ofKind}"metadata":"a"}`, json, 400],
    ['too deep', deep, json, 400],
    ['bytes that are no text', '\ufffd\u0000', json, 400],
    ['no kind', '{"apiVersion":"example.com/v1"}', json, 400],
    ['no version', '{"kind":"Widget"}', json, 400],
    ['no name', `${ofKind}"metadata":{}}`, json, 422],
    ['no spec', `${ofKind}"metadata":{"name":"x"}}`, json, 422],
    ['keys of every object', `${ofKind}"__proto__":{"metadata":{"name":"x"}},"constructor":1}`, json, 422],
    ['another namespace', `${ofKind}"metadata":{"name":"x","namespace":"other"},"spec":{}}`, json, 400],
    ['another media type', '{}', 'text/plain', 415],
    ['YAML that is none', 'a: [', 'application/yaml', 400],
    [
      'YAML that grows',
      'apiVersion: example.com/v1\nkind: Widget\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n',
      'application/yaml',
      422,
    ],
  ])('%s', async (_what, body, contentType, code) => {
    const before = api.store.revision;
    const reply = await api.send('POST', widgetsPath, body, { 'content-type': contentType });
    expect(reply).toMatchObject({ code, body: { kind: 'Status', status: 'Failure', code } });
    expect(api.store.revision).toBe(before);
  });

  it('of typed kinds: wrong types are named', async () => {
    const reply = await api.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'x' },
      data: { a: 1 },
    });
    expect(reply.code).toBe(400);
    expect(reply.body.message).toContain('json: cannot unmarshal number into Go struct field ConfigMap.data of type');
  });

  it('do not count as defects', () => {
    expect(api.defects).toEqual([]);
  });
});
