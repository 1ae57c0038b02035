/** The verb `deletecollection`: what it deletes and keeps, and how it ends early. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionPlugin, JsonObject } from '../../../../runtime/contract/index.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

const guard: AdmissionPlugin = {
  name: 'Guard',
  handles: (_module, operation) => operation === 'DELETE',
  validate: ({ oldObject }) =>
    oldObject?.metadata.labels?.guarded ? { reason: 'Forbidden', message: 'this one stays' } : undefined,
};
const api = await suiteApi([widgets], { plugins: [guard] });

let count = 0;
let path = '';
const create = (name: string, metadata: JsonObject = {}, color = 'red') =>
  api.send('POST', path, widget(name, { color }, metadata));
const left = async (): Promise<string[]> => {
  const { body } = await api.send('GET', path);
  const items = Array.isArray(body.items) ? body.items : [];
  return items.map((item) => JSON.stringify(item).match(/"name":"([^"]+)"/)?.[1] ?? '');
};

beforeEach(() => {
  path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
});

describe('deletecollection', () => {
  it('empties only this namespace', async () => {
    const before = path;
    await create('a');
    path = `/apis/example.com/v1/namespaces/n${count++}/widgets`;
    await create('a');
    await create('b');
    expect(await api.send('DELETE', path)).toMatchObject({ code: 200, body: { kind: 'Status', status: 'Success' } });
    expect(await left()).toEqual([]);
    path = before;
    expect(await left()).toEqual(['a']);
  });

  it.each([
    ['labelSelector=tier%3Dweb', ['c']],
    ['fieldSelector=metadata.name%3Da', ['b', 'c']],
    ['fieldSelector=spec.color%3Dred', ['c']],
  ])('deletes objects that %s selects', async (search, expected) => {
    await create('a', { labels: { tier: 'web' } });
    await create('b', { labels: { tier: 'web' } });
    await create('c', {}, 'blue');
    await api.send('DELETE', `${path}?${search}`);
    expect(await left()).toEqual(expected);
  });

  it('answers with a table on request', async () => {
    await create('a');
    const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
    const reply = await api.send('DELETE', path, undefined, { accept });
    expect(reply).toMatchObject({
      code: 200,
      body: { kind: 'Table', rows: [{ object: { metadata: { name: 'a' } } }] },
    });
  });

  it('marks objects with finalizers', async () => {
    await create('a', { finalizers: ['example.com/hold'] });
    await create('b');
    expect((await api.send('DELETE', path)).code).toBe(200);
    expect(await left()).toEqual(['a']);
    expect((await api.send('GET', `${path}/a`)).body).toHaveProperty('metadata.deletionTimestamp');
  });

  it('of nothing is ok', async () => {
    expect((await api.send('DELETE', path)).code).toBe(200);
  });

  it('deletes many', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, i) => create(`w${i}`)));
    await api.send('DELETE', path);
    expect(await left()).toEqual([]);
  });

  it('deletes nothing in a dry run', async () => {
    await create('a');
    expect((await api.send('DELETE', `${path}?dryRun=All`)).code).toBe(200);
    expect((await api.send('DELETE', path, { dryRun: ['All'] })).code).toBe(200);
    expect(await left()).toEqual(['a']);
  });

  it('answers with the first refusal', async () => {
    await create('a', { labels: { guarded: 'yes' } });
    expect(await api.send('DELETE', path)).toMatchObject({ code: 403, body: { message: 'this one stays' } });
    expect(await left()).toEqual(['a']);
  });

  it.each([
    ['labelSelector=%3D%3D', 400],
    ['fieldSelector=spec.size%3D1', 400],
    ['propagationPolicy=Some', 422],
    ['resourceVersionMatch=Exact', 422],
  ])('with bad options deletes nothing: %s', async (search, code) => {
    await create('a');
    expect((await api.send('DELETE', `${path}?${search}`)).code).toBe(code);
    expect(await left()).toEqual(['a']);
    expect(api.defects).toEqual([]);
  });
});
