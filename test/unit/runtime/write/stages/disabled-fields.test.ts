/** Fields behind gates in creates, updates, patches and applies. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { clone } from '../../../../../runtime/objects/clone.js';
import { memoryBackend } from '../../../../../runtime/storage/index.js';
import { moduleOf } from '../../../../support/modules.js';
import { suiteApi } from '../../../../support/test-api.js';
import { widgetStatus } from '../../../../support/widgets.js';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', format: 'int32' },
        mode: { type: 'string', default: 'Plain', 'x-kindforge-feature-gate': 'Modes', enum: ['Plain', 'Fancy'] },
      },
    },
    status: { type: 'object', properties: { mode: { type: 'string', 'x-kindforge-feature-gate': 'Modes' } } },
  },
};

const boxes = moduleOf('example.com', 'boxes', 'Box', {
  schema,
  subresources: [widgetStatus],
});

const path = '/apis/example.com/v1/namespaces/default/boxes';
const yaml = { 'content-type': 'application/apply-patch+yaml' };

let modes = false;
let seen: unknown[] = [];
const see = (object: JsonObject): void => {
  seen.push(clone(object).spec);
};
const api = await suiteApi([boxes], {
  handlers: [{ resource: boxes, prepareForCreate: see, prepareForUpdate: see }],
  backend: memoryBackend(),
  featureEnabled: (gate) => gate === 'Modes' && modes,
});

const box = (name: string, spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Box', metadata: { name }, spec });

async function spec(method: string, place: string, body: object, headers?: Record<string, string>) {
  const reply = await api.send(method, place, body, headers);
  expect([reply.code, reply.text]).toEqual([expect.toSatisfy((code) => code < 300), expect.any(String)]);
  return reply.body.spec;
}

describe('a field with a disabled gate', () => {
  it('is dropped by every kind of create and change, before it is validated, including its default', async () => {
    modes = false;
    expect(await spec('POST', path, box('a', { size: 1, mode: 'Wrong' }))).toEqual({ size: 1 });
    expect(await spec('PUT', `${path}/a`, box('a', { size: 2, mode: 'Fancy' }))).toEqual({ size: 2 });
    expect(await spec('PATCH', `${path}/a`, { spec: { mode: 'Fancy' } })).toEqual({ size: 2 });
    const applied = `${path}/b?fieldManager=me`;
    expect(await spec('PATCH', applied, box('b', { size: 3, mode: 'Fancy' }), yaml)).toEqual({ size: 3 });
    expect(await spec('PATCH', applied, box('b', { size: 4, mode: 'Fancy' }), yaml)).toEqual({ size: 4 });
    const status = await api.send('PATCH', `${path}/a/status`, { status: { mode: 'x' } });
    expect(status.body.status ?? {}).toEqual({});
  });

  it('is not shown to handlers of its kind', async () => {
    modes = false;
    seen = [];
    await spec('POST', path, box('e', { size: 1, mode: 'Fancy' }));
    await spec('PUT', `${path}/e`, box('e', { size: 2, mode: 'Fancy' }));
    expect(seen).toEqual([{ size: 1 }, { size: 2 }]);
  });

  it('is kept, and can be changed, if an object already has it', async () => {
    modes = true;
    expect(await spec('POST', path, box('c', { size: 1 }))).toEqual({ size: 1, mode: 'Plain' });
    modes = false;
    expect(await spec('PATCH', `${path}/c`, { spec: { mode: 'Fancy' } })).toEqual({ size: 1, mode: 'Fancy' });
    const refused = await api.send('PATCH', `${path}/c`, { spec: { mode: 'Wrong' } });
    expect(refused.code).toBe(422);
    expect((await api.send('GET', `${path}/c`)).body.spec).toEqual({ size: 1, mode: 'Fancy' });
  });

  it('is known: it causes no warning', async () => {
    modes = false;
    const strict = `${path}?fieldValidation=Strict`;
    expect((await api.send('POST', strict, box('d', { mode: 'Fancy' }))).code).toBe(201);
  });
});
