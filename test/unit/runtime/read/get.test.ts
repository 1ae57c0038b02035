/** The verb `get`: one object in its current state, in the requested format. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
const api = await startTestApi([widgets]);
const path = `${widgetsPath}/a`;

beforeAll(async () => {
  await api.send('POST', widgetsPath, widget('a', { color: 'red' }));
});
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
});

describe('get', () => {
  it('answers with the object, at any revision that it can show', async () => {
    const reply = await api.send('GET', path);
    expect(reply).toMatchObject({ code: 200, contentType: 'application/json', body: { spec: { color: 'red' } } });
    for (const revision of ['0', '1', String(api.store.revision)]) {
      expect((await api.send('GET', `${path}?resourceVersion=${revision}`)).text).toBe(reply.text);
    }
  });

  it('of a missing object is a 404 that names it', async () => {
    expect(await api.send('GET', `${widgetsPath}/none`)).toMatchObject({
      code: 404,
      body: {
        message: 'widgets.example.com "none" not found',
        details: { name: 'none', group: 'example.com', kind: 'widgets' },
      },
    });
  });

  it('of an impossible name is a 404 too', async () => {
    for (const name of ['__proto__', 'A%20B', '%2e%2e%2e', 'x'.repeat(10_000)]) {
      expect((await api.send('GET', `${widgetsPath}/${name}`)).code).toBe(404);
    }
  });

  it('waits for a future revision, and gives up', async () => {
    const waiting = api.send('GET', `${path}?resourceVersion=${api.store.revision + 1}`);
    await api.send('POST', widgetsPath, widget('b'));
    expect((await waiting).code).toBe(200);
    const hopeless = api.send('GET', `${path}?resourceVersion=999999`);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await hopeless).toMatchObject({
      code: 504,
      body: { reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
    });
  });

  it.each(['9007199254740993', '18446744073709551615'])('names revision %s with all its digits', async (revision) => {
    const hopeless = api.send('GET', `${path}?resourceVersion=${revision}`);
    const hopelessList = api.send('GET', `${widgetsPath}?resourceVersion=${revision}`);
    await vi.advanceTimersByTimeAsync(3000);
    const message = `Timeout: Too large resource version: ${revision}, current: ${api.store.revision}`;
    for (const reply of [await hopeless, await hopelessList]) expect(reply.body.message).toBe(message);
  });

  it.each(['resourceVersion=x', 'resourceVersion=-1', 'export=true'])('is refused with %s', async (search) => {
    expect((await api.send('GET', `${path}?${search}`)).code).toBe(400);
  });
});

describe('forms', () => {
  const get = (accept: string, search = '') => api.send('GET', `${path}${search}`, undefined, { accept });

  it('are JSON, indented JSON and YAML', async () => {
    expect((await get('application/json', '?pretty=true')).text).toContain('\n  "spec": {');
    const yaml = await get('application/yaml');
    expect(yaml.contentType).toBe('application/yaml');
    expect(yaml.text).toMatch(/^ {2}color: red$/m);
  });

  it('are metadata only, and a Table', async () => {
    const partial = await get('application/json;as=PartialObjectMetadata;g=meta.platform.io;v=v1');
    expect(partial.body).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.platform.io/v1',
      metadata: { name: 'a' },
    });
    expect(partial.body).not.toHaveProperty('spec');
    const table = await get('application/json;as=Table;g=meta.platform.io;v=v1');
    expect(table.body).toMatchObject({ kind: 'Table', rows: [{ object: { kind: 'PartialObjectMetadata' } }] });
  });

  it('are refused if the object has no such form', async () => {
    expect((await get('application/xml')).code).toBe(406);
    expect((await get('application/json;as=PartialObjectMetadataList;g=meta.platform.io;v=v1')).code).toBe(406);
    expect(api.defects).toEqual([]);
  });
});
