/** The verb `patch`: JSON, merge and strategic patches of the stored object. */
import { describe, expect, it } from 'vitest';
import { resource as leases } from '../../../../generated/coordination.platform.io/v1/leases/resource.js';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import { resource as serviceAccounts } from '../../../../generated/core/v1/serviceaccounts/resource.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const api = await suiteApi([widgets, configMaps, serviceAccounts, leases]);

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

const patch = (path: string, body: unknown, type = merge) => api.send('PATCH', path, body, { 'content-type': type });

let count = 0;

/** Returns the path of a new widget. */
async function created(): Promise<string> {
  const name = `w${count++}`;
  await api.send('POST', widgetsPath, widget(name, { size: 1, parts: ['a', 'b'] }, { labels: { tier: 'web' } }));
  return `${widgetsPath}/${name}`;
}

describe('a merge patch', () => {
  it('changes the named fields, removes the ones with null, and replaces lists', async () => {
    const reply = await patch(await created(), {
      metadata: { labels: { tier: null, a: 'b' } },
      spec: { parts: ['c'] },
    });
    expect(reply).toMatchObject({ code: 200, body: { spec: { size: 1, parts: ['c'] }, metadata: { generation: 2 } } });
    expect(reply.body).toHaveProperty('metadata.labels', { a: 'b' });
  });

  it('that changes nothing writes nothing', async () => {
    const path = await created();
    const before = api.store.revision;
    expect((await patch(path, { spec: { size: 1 } })).code).toBe(200);
    expect(api.store.revision).toBe(before);
  });

  it('may name the revision that it is meant for', async () => {
    const path = await created();
    const { body } = await api.send('GET', path);
    const resourceVersion = String(api.store.revision);
    expect(body).toHaveProperty('metadata.resourceVersion', resourceVersion);
    expect((await patch(path, { metadata: { resourceVersion }, spec: { size: 2 } })).code).toBe(200);
    expect(await patch(path, { metadata: { resourceVersion }, spec: { size: 3 } })).toMatchObject({
      code: 409,
      body: { reason: 'Conflict' },
    });
  });

  it('succeeds among many others', async () => {
    const path = await created();
    const colors = ['red', 'green', 'blue', 'pink'];
    const replies = await Promise.all(colors.map((color) => patch(path, { metadata: { labels: { [color]: 'yes' } } })));
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    const { body } = await api.send('GET', path);
    expect(body).toHaveProperty('metadata.labels', { tier: 'web', red: 'yes', green: 'yes', blue: 'yes', pink: 'yes' });
  });
});

describe('a JSON patch', () => {
  it('runs its operations in order', async () => {
    const reply = await patch(
      await created(),
      [
        { op: 'test', path: '/spec/size', value: 1 },
        { op: 'add', path: '/spec/parts/-', value: 'c' },
        { op: 'remove', path: '/spec/parts/0' },
        { op: 'replace', path: '/spec/size', value: 2 },
      ],
      json,
    );
    expect(reply).toMatchObject({ code: 200, body: { spec: { size: 2, parts: ['b', 'c'] } } });
  });

  it('changes nothing if a test fails', async () => {
    const path = await created();
    const operations = [
      { op: 'replace', path: '/spec/size', value: 2 },
      { op: 'test', path: '/spec/size', value: 1 },
    ];
    expect((await patch(path, operations, json)).code).toBe(422);
    expect((await api.send('GET', path)).body).toMatchObject({ spec: { size: 1 } });
  });
});

describe('a strategic patch', () => {
  it('merges lists of typed kinds by their keys', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await api.send('POST', accounts, { metadata: { name: 'a' }, secrets: [{ name: 'one' }, { name: 'two' }] });
    const reply = await patch(`${accounts}/a`, { secrets: [{ name: 'three' }] }, strategic);
    expect(reply.code).toBe(200);
    expect(JSON.stringify(reply.body.secrets)).toMatch(/one.*two|two.*one/);
    expect(JSON.stringify(reply.body.secrets)).toContain('three');
  });

  it('is not for custom resources', async () => {
    expect(await patch(await created(), {}, strategic)).toMatchObject({
      code: 415,
      body: { reason: 'UnsupportedMediaType' },
    });
  });
});

describe('a dry run', () => {
  it('answers like the patch, and stores nothing', async () => {
    const path = await created();
    const before = api.store.revision;
    expect((await patch(`${path}?dryRun=All`, { spec: { size: 5 } })).body).toMatchObject({ spec: { size: 5 } });
    expect(api.store.revision).toBe(before);
  });
});

describe('patches of parts', () => {
  it('change the status through its own path only', async () => {
    const path = await created();
    expect((await patch(path, { status: { ready: true } })).body).not.toHaveProperty('status');
    const reply = await patch(`${path}/status`, { spec: { size: 9 }, status: { ready: true } });
    expect(reply.body).toMatchObject({ spec: { size: 1 }, status: { ready: true }, metadata: { generation: 1 } });
  });

  it('complete the deletion of an object by removing its last finalizer', async () => {
    const path = await created();
    await patch(path, { metadata: { finalizers: ['example.com/hold'] } });
    await api.send('DELETE', path);
    expect((await patch(path, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await api.send('GET', path)).code).toBe(404);
  });
});

describe('an unusual patch', () => {
  const odd = '/api/v1/namespaces/default/configmaps/odd';
  const warningsOf = (reply: { readonly headers: unknown }) => JSON.parse(JSON.stringify(reply.headers)).warning ?? [];

  it('has warnings for its kind of patch', async () => {
    await api.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'odd' }, data: { a: '1' } });
    const operations = '[{"op":"add","op":"add","path":"/data/b","value":"2","extra":1}]';
    expect(warningsOf(await patch(odd, operations, json))).toEqual([
      String.raw`299 - "json patch duplicate field \"[0].op\""`,
      String.raw`299 - "json patch unknown field \"[0].extra\""`,
    ]);
    for (const type of [merge, strategic]) {
      expect(warningsOf(await patch(odd, '{"metadata":{"nane":1},"extra":1,"extra":2}', type))).toEqual([
        String.raw`299 - "duplicate field \"extra\""`,
        String.raw`299 - "unknown field \"extra\""`,
        String.raw`299 - "unknown field \"metadata.nane\""`,
      ]);
    }
  });

  it('may remove the version, and then no field is known', async () => {
    const reply = await patch(odd, { apiVersion: null });
    expect(reply).toMatchObject({ code: 400, body: { message: expect.stringContaining('name must be provided') } });
    expect(warningsOf(reply)).toEqual(['data', 'metadata'].map((field) => `299 - "unknown field \\"${field}\\""`));
  });

  it('may be a list, which is not checked', async () => {
    expect((await patch(`${odd}?fieldValidation=Ignore`, '[]')).code).toBe(422);
    expect((await patch(`${odd}?fieldValidation=Ignore`, '1')).code).toBe(400);
    expect((await patch(odd, '[]')).code).toBe(400);
  });

  it('may have integers in another notation, unless it is strategic', async () => {
    const collection = '/apis/coordination.platform.io/v1/namespaces/default/leases';
    expect(
      (await api.send('POST', collection, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 1 } })).code,
    ).toBe(201);
    const merged = '{"spec":{"leaseDurationSeconds":2.0}}';
    const operation = '[{"op":"add","path":"/spec/leaseDurationSeconds","value":2.0}]';
    for (const [body, type] of [
      [merged, merge],
      [operation, json],
    ] as const) {
      expect(await patch(`${collection}/l`, body, type)).toMatchObject({
        code: 422,
        body: { message: expect.stringContaining('json: cannot unmarshal number 2.0 into Go struct field') },
      });
    }
    expect((await patch(`${collection}/l`, merged, strategic)).code).toBe(200);
  });
});

describe('patches that are refused', () => {
  it.each<[string, unknown, string, number]>([
    ['an unknown media type', {}, 'text/plain', 415],
    ['no media type', {}, '', 415],
    ['no body', '', merge, 400],
    ['no JSON', '{', merge, 400],
    ['no JSON', '[', json, 400],
    ['a list as a merge patch', [], merge, 400],
    ['an object as a JSON patch', {}, json, 400],
    ['an unknown operation', [{ op: 'burn', path: '/spec' }], json, 422],
    ['an operation without a path', [{ op: 'remove' }], json, 422],
    ['a path to nowhere', [{ op: 'remove', path: '/spec/none/x' }], json, 422],
    ['the whole object replaced by a number', [{ op: 'replace', path: '', value: 5 }], json, 422],
    ['the whole object removed', [{ op: 'remove', path: '' }], json, 422],
    ['metadata replaced by text', { metadata: 'x' }, merge, 422],
    ['another kind', { kind: 'Gadget' }, merge, 422],
    ['a value out of bounds', { spec: { size: 0 } }, merge, 422],
    ['another name', { metadata: { name: 'other' } }, merge, 400],
    ['the uid', { metadata: { uid: 'other' } }, merge, 422],
    ['force, which is for apply', {}, `${merge}?force`, 422],
  ])('%s', async (_what, body, type, code) => {
    const path = await created();
    const before = api.store.revision;
    const [mediaType = '', force] = type.split('?');
    const reply = await patch(force ? `${path}?force=true` : path, body, mediaType);
    expect(reply).toMatchObject({ code, body: { kind: 'Status', status: 'Failure' } });
    expect(api.store.revision).toBe(before);
    expect(api.defects).toEqual([]);
  });

  it('for a missing object', async () => {
    expect((await patch(`${widgetsPath}/none`, {})).code).toBe(404);
  });

  it('under Strict for unknown fields', async () => {
    const path = await created();
    expect((await patch(`${path}?fieldValidation=Strict`, { spec: { sice: 2 } })).code).toBe(400);
    expect(await patch(path, { spec: { sice: 2 } })).toMatchObject({
      code: 200,
      headers: { warning: ['299 - "unknown field \\"spec.sice\\""'] },
    });
  });

  it('under Strict for all repeated and unknown fields at once', async () => {
    const path = await created();
    const reply = await api.send('PATCH', `${path}?fieldValidation=Strict`, '{"spec":{"size":4,"size":5,"sice":2}}', {
      'content-type': 'application/merge-patch+json',
    });
    const problem = 'strict decoding error: duplicate field "spec.size", unknown field "spec.sice"';
    expect(reply.code).toBe(400);
    expect(reply.body.message).toBe(`Widget in version "v1" cannot be handled as a Widget: ${problem}`);
  });
});
