/** The new object shares no part with the stored one that a plugin could change. */
import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin, ApiObject, JsonObject } from '../../../../../runtime/contract/index.js';
import { clone } from '../../../../../runtime/objects/clone.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { draftOf } from '../../../../../runtime/write/stages/merge.js';
import { suiteApi } from '../../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../../support/widgets.js';

const seen: ApiObject[] = [];

/** Changes the object at every depth, and records the current one at that time. */
const meddler: AdmissionPlugin = {
  name: 'Meddler',
  handles: (_resource, operation) => operation === 'UPDATE',
  admit: async ({ object }) => {
    Object.assign(object?.metadata.labels ?? {}, { meddled: 'yes' });
    const parts = isObject(object?.spec) ? object.spec.parts : undefined;
    if (Array.isArray(parts)) parts.push('meddled');
    return undefined;
  },
  validate: ({ oldObject }) => {
    if (oldObject) seen.push(clone(oldObject));
    return undefined;
  },
};

/** Refuses objects of size 13, after a pause. */
const ponderer: AdmissionPlugin = {
  name: 'Ponderer',
  handles: (_resource, operation) => operation === 'UPDATE',
  validate: async ({ object }) => {
    await new Promise((resolve) => setImmediate(resolve));
    const refused = isObject(object?.spec) && object.spec.size === 13;
    return refused ? { reason: 'Forbidden', message: 'thirteen' } : undefined;
  },
};

const api = await suiteApi([widgets], { plugins: [meddler, ponderer] });

const labels = { tier: 'web' };
const spec = { size: 1, parts: ['a'] };

type Request = readonly [method: string, body: unknown, type: string];

const writes: Readonly<Record<string, (name: string, current: JsonObject) => Request>> = {
  'an update': (_name, current) => ['PUT', { ...current, spec: { ...spec, size: 2 } }, 'application/json'],
  'a merge patch': () => ['PATCH', { spec: { size: 2 } }, 'application/merge-patch+json'],
  'a JSON patch': () => ['PATCH', [{ op: 'replace', path: '/spec/size', value: 2 }], 'application/json-patch+json'],
  'an apply': (name) => [
    'PATCH',
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { size: 2 } },
    'application/apply-patch+yaml',
  ],
};

describe('changes of a plugin to the object of', () => {
  it.each(Object.entries(writes))('%s do not reach the current one', async (what, write) => {
    const name = what.replaceAll(' ', '-').toLowerCase();
    const path = `${widgetsPath}/${name}`;
    await api.send('POST', widgetsPath, widget(name, spec, { labels }));
    const { body: current } = await api.send('GET', path);
    const [method, body, type] = write(name, current);
    const force = type.includes('apply') ? '&force=true' : '';
    const reply = await api.send(method, `${path}?fieldManager=tester${force}`, body, { 'content-type': type });
    expect(reply).toMatchObject({
      code: 200,
      body: { metadata: { labels: { meddled: 'yes' } }, spec: { size: 2, parts: ['a', 'meddled'] } },
    });
    expect(seen.pop()).toEqual(current);
    expect(api.defects).toEqual([]);
  });
});

it('waits for plugins that answer later', async () => {
  const path = `${widgetsPath}/waiting`;
  await api.send('POST', widgetsPath, widget('waiting', spec));
  expect((await api.send('PATCH', path, { spec: { size: 12 } })).code).toBe(200);
  const reply = await api.send('PATCH', path, { spec: { size: 13 } });
  expect(reply).toMatchObject({ code: 403, body: { message: 'thirteen' } });
});

describe('a draft', () => {
  const managedFields = [{ manager: 'm', fieldsV1: { 'f:spec': {} } }];

  it('equals the current object, and shares only the entries of owners with it', () => {
    const current: ApiObject = { ...widget('a', spec, { labels, managedFields }), metadata: { labels, managedFields } };
    const draft = draftOf(current);
    expect(draft).toEqual(current);
    expect(draft.metadata.managedFields).toBe(managedFields);
    expect(draft.metadata.labels).not.toBe(labels);
    expect(draft.spec).not.toBe(current.spec);
  });

  it('has no owners if the object has none', () => {
    expect(draftOf({ apiVersion: 'v1', kind: 'A', metadata: {} })).toStrictEqual({
      apiVersion: 'v1',
      kind: 'A',
      metadata: {},
    });
  });
});
