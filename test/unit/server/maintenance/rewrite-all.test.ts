import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inProcessTransport } from '../../../../client/in-process.js';
import type { Backend, ResourceModule, Schema } from '../../../../runtime/contract/index.js';
import { defineConversion } from '../../../../runtime/schema/index.js';
import { lmdbBackend } from '../../../../runtime/storage/index.js';
import { rewriteAll } from '../../../../server/maintenance/rewrite-all.js';
import { changedModule, moduleOf } from '../../../support/modules.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const spec = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});
const counted = { count: { type: 'integer' } as const };
const old = spec({ ...counted, hue: { type: 'string' } });
const present = spec({ ...counted, color: { type: 'string' } });
const both = { ...widgets, subresources: [] };
const conversion = defineConversion([{ move: { field: 'spec.hue', stored: 'spec.color' } }]);

const v1 = changedModule(both, { schema: old, selectableFields: ['spec.hue'] });
const v2 = changedModule(both, { version: 'v2', schema: present });
/** A definition that stored v1 before, and stores v2 now. */
const after: readonly ResourceModule[] = [v2, changedModule(v1, { storage: false, conversion })];
/** The same, but v1 is no longer served. */
const later: readonly ResourceModule[] = [
  moduleOf('', 'secrets', 'Secret'),
  v2,
  changedModule(v1, { storage: false, served: false, conversion }),
];

const folder = mkdtempSync(join(tmpdir(), 'kindforge-versions-'));
const open: TestApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

let stores = 0;
async function withOldObjects(count: number): Promise<() => Backend> {
  const backend = (
    (place) => () =>
      lmdbBackend(place)
  )(join(folder, String(stores++)));
  const api = await startTestApi([v1], { backend: backend() });
  for (let i = 0; i < count; i++) {
    const kind = { apiVersion: 'example.com/v1', kind: 'Widget' };
    const body = { ...kind, metadata: { name: `w${i}` }, spec: { count: 0, hue: i % 2 === 0 ? 'red' : 'blue' } };
    await api.send('POST', '/apis/example.com/v1/namespaces/a/widgets', body);
  }
  await api.close();
  return backend;
}

async function start(modules: readonly ResourceModule[], backend: Backend): Promise<TestApi> {
  const api = await startTestApi(modules, { backend });
  open.push(api);
  return api;
}

const path = (version: string, name = ''): string =>
  `/apis/example.com/${version}/namespaces/a/widgets${name === '' ? '' : `/${name}`}`;

const outdated = ({ store }: TestApi): number => {
  const listed = store.list('example.com/widgets/', {});
  return typeof listed === 'string' ? -1 : listed.entries.filter(({ outdated }) => outdated).length;
};

const rewrite = ({ server }: TestApi) =>
  rewriteAll({ transport: inProcessTransport(server.handle, {}) }, { tell: () => {} });

describe('objects that were stored in an earlier version', () => {
  it('are read in every version as if they had been stored in the present one', async () => {
    const backend = await withOldObjects(2);
    const api = await start(after, backend());
    expect(outdated(api)).toBe(2);
    const shown = { apiVersion: 'example.com/v2', spec: { count: 0, color: 'red' } };
    expect((await api.send('GET', path('v2', 'w0'))).body).toMatchObject(shown);
    expect((await api.send('GET', path('v1', 'w0'))).body).toMatchObject({ spec: { count: 0, hue: 'red' } });
    expect((await api.send('GET', path('v2'))).body.items).toMatchObject([shown, { spec: { color: 'blue' } }]);
    expect((await api.send('GET', `${path('v2')}?fieldSelector=spec.color%3Dred`)).body.items).toMatchObject([shown]);
    expect((await api.send('GET', `${path('v1')}?fieldSelector=spec.hue%3Dred`)).body.items).toMatchObject([
      { metadata: { name: 'w0' } },
    ]);
    const watched = await api.watch(`${path('v2')}?watch=true`);
    expect(watched.events).toMatchObject([{ object: shown }, { object: { spec: { color: 'blue' } } }]);
    watched.stop();
  });

  it('are written again by any write, even by one that changes nothing', async () => {
    const backend = await withOldObjects(2);
    const api = await start(later, backend());
    const before = (await api.send('GET', path('v2', 'w0'))).body;
    const patched = (await api.send('PATCH', path('v2', 'w0'), {})).body;
    expect(patched.metadata).not.toEqual(before.metadata);
    expect({ ...patched, metadata: {} }).toEqual({ ...before, metadata: {} });
    expect(outdated(api)).toBe(1);
    expect((await api.send('PATCH', path('v2', 'w0'), {})).body).toEqual(patched);
    expect((await api.send('GET', path('v1', 'w0'))).code).toBe(404);
  });

  it('are all written again under concurrent writes, and none is lost', async () => {
    const objects = 60;
    const backend = await withOldObjects(objects);
    const api = await start(later, backend());
    const acknowledged = new Map<string, number>();
    const deleted = new Set<string>();
    let done = false;
    const write = async (name: string): Promise<void> => {
      const current = (await api.send('GET', path('v2', name))).body;
      const count = (acknowledged.get(name) ?? 0) + 1;
      const reply = await api.send('PUT', path('v2', name), { ...current, spec: { count, color: 'new' } });
      if (reply.code === 200) acknowledged.set(name, count);
      else expect(reply.code).toBe(409);
    };
    const writers = [0, 1, 2].map(async (writer) => {
      for (let round = 0; !done || round < 5; round++) await write(`w${writer * 20 + (round % 20)}`);
    });
    const deleting = api.send('DELETE', path('v2', 'w59')).then(() => deleted.add('w59'));
    const rewritten = await rewrite(api);
    done = true;
    await Promise.all([...writers, deleting]);
    expect(rewritten.problems).toEqual([]);
    expect(outdated(api)).toBe(0);
    for (const [name, count] of acknowledged) {
      expect((await api.send('GET', path('v2', name))).body.spec).toEqual({ count, color: 'new' });
    }
    expect((await api.send('GET', path('v2'))).body.items).toHaveLength(objects - deleted.size);
    expect(await rewrite(api)).toEqual({ seen: objects - deleted.size, written: 0, pruned: [], problems: [] });
    expect(api.defects).toEqual([]);
    await open.pop()?.close();
    expect(outdated(await start(later, backend()))).toBe(0);
  });
});

it('leaves nothing behind', async () => {
  rmSync(folder, { recursive: true, force: true });
});
