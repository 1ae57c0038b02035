/** Kinds with code that is loaded on first use, and objects that an earlier version has stored. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AdmissionPlugin, ResourceModule } from '../../../../runtime/contract/index.js';
import { codeOf } from '../../../../runtime/resource/served-resource.js';
import { defineConversion } from '../../../../runtime/schema/index.js';
import { lmdbBackend } from '../../../../runtime/storage/index.js';
import { changedModule } from '../../../support/modules.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

const schemaOf = (field: string) =>
  ({
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
  }) as const;
const conversion = defineConversion([{ move: { field: 'spec.hue', stored: 'spec.color' } }]);
const v1 = changedModule(widgets, {
  schema: schemaOf('hue'),
  selectableFields: [],
});
const v2 = changedModule(widgets, {
  version: 'v2',
  schema: schemaOf('color'),
  selectableFields: [],
});

/** Makes a module like a generated one, with code that loads slowly. */
function lazy(module: ResourceModule): ResourceModule {
  const code = codeOf(module);
  return { ...module, code: () => new Promise((loaded) => setImmediate(loaded, code)) };
}

const folder = mkdtempSync(join(tmpdir(), 'kindforge-lazy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (version: string, name = ''): string => `/apis/example.com/${version}/namespaces/a/widgets${name}`;

let stores = 0;

/** Starts a server that stores version 2, over a store in which version 1 has written one widget. */
async function start(selectableFields: readonly string[], plugins: readonly AdmissionPlugin[] = []) {
  const place = join(folder, String(stores++));
  const before = await startTestApi([v1], { backend: lmdbBackend(place) });
  expect((await before.send('POST', path('v1'), widget('old', { hue: 'red' }))).code).toBe(201);
  await before.close();
  const modules = [
    lazy({ ...v2, selectableFields }),
    lazy(changedModule(v1, { storage: false, conversion, selectableFields: [] })),
  ];
  return startTestApi(modules, { backend: lmdbBackend(place), plugins });
}

describe('objects of an earlier version', () => {
  it.each([
    ['v2', { color: 'red' }],
    ['v1', { hue: 'red' }],
  ])('are read, listed and watched in %s by the first client', async (version, spec) => {
    const read = await start([]);
    expect((await read.send('GET', path(version, '/old'))).body.spec).toEqual(spec);
    const listed = await start([]);
    expect((await listed.send('GET', path(version))).body.items).toMatchObject([{ spec }]);
    const watched = await start([]);
    const watch = await watched.watch(`${path(version)}?watch=true`);
    await expect.poll(() => watch.events).toMatchObject([{ type: 'ADDED', object: { spec } }]);
    watch.stop();
    for (const api of [read, listed, watched]) {
      expect(api.defects).toEqual([]);
      await api.close();
    }
  });

  it('are selected by fields of the current stored version', async () => {
    const api = await start(['spec.color']);
    const { body } = await api.send('GET', `${path('v2')}?fieldSelector=spec.color%3Dred`);
    expect(body.items).toMatchObject([{ metadata: { name: 'old' } }]);
    await api.close();
  });

  it('reach followers before a request has come', async () => {
    const told: unknown[] = [];
    const follower: AdmissionPlugin = {
      name: 'Follower',
      handles: () => false,
      start(host) {
        host.follow('example.com', 'widgets', {
          reset: () => {},
          changed: ({ spec }) => told.push(spec),
          removed: () => {},
        });
      },
    };
    const api = await start([], [follower]);
    expect(told).toEqual([{ color: 'red' }]);
    await api.close();
  });
});

it('OpenAPI documents wait for the schemas that they contain', async () => {
  const api = await startTestApi([lazy(v2)]);
  const { code, text } = await api.send('GET', '/openapi/v3/apis/example.com/v2');
  expect(code).toBe(200);
  expect(text).toContain('"color"');
  await api.close();
});
