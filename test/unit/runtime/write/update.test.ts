/** The verb `update`: revisions that must match, fields that nobody may change, and objects that a PUT creates. */

import { describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { moduleOf } from '../../../support/modules.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const leases = moduleOf('', 'leases', 'Lease', { createOnUpdate: true });
const api = await suiteApi([widgets, configMaps, leases]);

const configMapsPath = '/api/v1/namespaces/default/configmaps';
const leasesPath = '/api/v1/namespaces/default/leases';

let count = 0;

/** Creates a widget, and returns the server's answer. */
async function created(metadata: JsonObject = {}): Promise<{ path: string; name: string; object: JsonObject }> {
  const name = `w${count++}`;
  const { body } = await api.send('POST', widgetsPath, widget(name, { size: 1 }, metadata));
  return { path: `${widgetsPath}/${name}`, name, object: body };
}

const metaOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});
const withMeta = (object: JsonObject, changes: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...metaOf(object), ...changes },
});

describe('update', () => {
  it('replaces the object and counts the change', async () => {
    const { path, object } = await created();
    const reply = await api.send('PUT', path, { ...object, spec: { size: 2 } });
    expect(reply).toMatchObject({
      code: 200,
      body: { spec: { size: 2 }, metadata: { generation: 2, uid: metaOf(object).uid } },
    });
    expect(metaOf(reply.body).resourceVersion).toBe(String(api.store.revision));
    expect((await api.send('GET', path)).text).toBe(reply.text);
  });

  it('that changes nothing writes nothing', async () => {
    const { path, object } = await created();
    const before = api.store.revision;
    expect((await api.send('PUT', path, object)).body).toEqual(object);
    expect(api.store.revision).toBe(before);
  });

  it('does not change the status, which has a path of its own', async () => {
    const { path, object } = await created();
    const status = await api.send('PUT', `${path}/status`, { ...object, spec: { size: 9 }, status: { ready: true } });
    expect(status.body).toMatchObject({ spec: { size: 1 }, status: { ready: true }, metadata: { generation: 1 } });
    const reply = await api.send('PUT', path, { ...status.body, spec: { size: 2 }, status: { ready: false } });
    expect(reply.body).toMatchObject({ spec: { size: 2 }, status: { ready: true } });
  });

  it('of a missing object is a 404', async () => {
    expect(await api.send('PUT', `${widgetsPath}/none`, widget('none'))).toMatchObject({
      code: 404,
      body: { message: 'widgets.example.com "none" not found' },
    });
  });
});

describe('revisions', () => {
  it('that are not current are a conflict', async () => {
    const { path, name, object } = await created();
    await api.send('PUT', path, { ...object, spec: { size: 2 } });
    expect(await api.send('PUT', path, { ...object, spec: { size: 3 } })).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on widgets.example.com "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      },
    });
  });

  it('let one of many writers with the same revision win', async () => {
    const { path, object } = await created();
    const writers = Array.from({ length: 8 }, (_, i) => api.send('PUT', path, { ...object, spec: { size: i + 2 } }));
    const codes = (await Promise.all(writers)).map(({ code }) => code).sort();
    expect(codes).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('are required if the kind asks for them', async () => {
    const { path, object } = await created();
    const reply = await api.send('PUT', path, withMeta(object, { resourceVersion: '' }));
    expect(reply).toMatchObject({ code: 422 });
    expect(reply.body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    );
  });

  it('may be left out if the kind allows it; then all writers win, one after the other', async () => {
    await api.send('POST', configMapsPath, { metadata: { name: 'a' }, data: { n: '0' } });
    const put = (n: number) => api.send('PUT', `${configMapsPath}/a`, { metadata: { name: 'a' }, data: { n: `${n}` } });
    const before = api.store.revision;
    const replies = await Promise.all([1, 2, 3, 4].map(put));
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    expect(api.store.revision).toBe(before + 4);
  });
});

describe('fields that no update may change', () => {
  it.each<[string, JsonObject, number, RegExp]>([
    ['the name', { name: 'other' }, 400, /name of the object \(other\) does not match the name on the URL/],
    ['the name, left out', { name: '' }, 400, /undeterminable: name must be provided/],
    ['the namespace', { namespace: 'other' }, 400, /the namespace of the provided object does not match/],
    ['the uid', { uid: 'other' }, 409, /Precondition failed: UID in precondition: other, UID in object meta: /],
    ['the deletion', { deletionTimestamp: '2020-01-01T00:00:00Z' }, 422, /metadata\.deletionTimestamp: .*immutable/],
  ])('%s', async (_what, changes, code, message) => {
    const { path, object } = await created();
    const reply = await api.send('PUT', path, withMeta(object, changes));
    expect(reply.code).toBe(code);
    expect(reply.body.message).toMatch(message);
    expect((await api.send('GET', path)).body).toEqual(object);
  });

  it('include creation and generation, which stay without an error', async () => {
    const { path, object } = await created();
    const sent = withMeta(object, { creationTimestamp: '2001-01-01T00:00:00Z', generation: 50 });
    expect((await api.send('PUT', path, sent)).body).toEqual(object);
  });

  it('include the uid of an object that does not exist', async () => {
    const reply = await api.send('PUT', `${widgetsPath}/none`, widget('none', {}, { uid: 'u' }));
    expect(reply).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
    const later = await startTestApi([widgets], { release: emulate('1.33') });
    const found = await later.send('PUT', `${widgetsPath}/none`, widget('none', {}, { uid: 'u' }));
    expect(found).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
    await later.close();
  });
});

describe('a dry run', () => {
  it('answers like the update, and stores nothing', async () => {
    const { path, object } = await created();
    const reply = await api.send('PUT', `${path}?dryRun=All`, { ...object, spec: { size: 2 } });
    expect(reply).toMatchObject({ code: 200, body: { spec: { size: 2 }, metadata: { generation: 2 } } });
    expect((await api.send('GET', path)).body).toEqual(object);
  });
});

describe('objects in deletion', () => {
  it('are removed with their last finalizer, and the answer is the last state', async () => {
    const { path, object } = await created({ finalizers: ['example.com/a', 'example.com/b'] });
    const marked = await api.send('DELETE', path);
    const one = await api.send('PUT', path, withMeta(marked.body, { finalizers: ['example.com/b'] }));
    expect(one.code).toBe(200);
    expect((await api.send('GET', path)).code).toBe(200);
    const last = await api.send('PUT', path, withMeta(one.body, { finalizers: [] }));
    expect(last).toMatchObject({ code: 200, body: { metadata: { uid: metaOf(object).uid } } });
    expect((await api.send('GET', path)).code).toBe(404);
  });

  it('accept no new finalizers', async () => {
    const { path } = await created({ finalizers: ['example.com/a'] });
    const marked = await api.send('DELETE', path);
    const reply = await api.send(
      'PUT',
      path,
      withMeta(marked.body, { finalizers: ['example.com/a', 'example.com/c'] }),
    );
    expect(reply.code).toBe(422);
    expect(reply.body.message).toContain('found new finalizers []string{"example.com/c"}');
  });
});

describe('kinds that a PUT may create', () => {
  it('answer 201 for a new object and 200 for the next PUT', async () => {
    const lease = { metadata: { name: 'a' } };
    expect(await api.send('PUT', `${leasesPath}/a`, lease)).toMatchObject({ code: 201, body: { kind: 'Lease' } });
    expect((await api.send('PUT', `${leasesPath}/a`, { metadata: { name: 'a', labels: { a: 'b' } } })).code).toBe(200);
  });
});

describe('bad bodies', () => {
  it.each([
    ['', 400],
    ['{', 400],
    ['[]', 400],
    ['{"metadata":5}', 400],
    ['{"kind":"Gadget"}', 400],
  ])('%j is a %d', async (body, code) => {
    const { path } = await created();
    expect((await api.send('PUT', path, body)).code).toBe(code);
    expect(api.defects).toEqual([]);
  });
});
