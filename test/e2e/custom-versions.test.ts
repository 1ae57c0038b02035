/** Custom resources in several versions: the server checks an object against the schema of the request's version. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { type Answer, askLater } from '../support/ask.js';
import { servingForTests } from '../support/serving.js';

const spec = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties, ...more },
      status: { type: 'object', properties: { seen: { type: 'integer' } } },
    },
  },
});
const version = (name: string, storage: boolean, schema: JsonObject): JsonObject => ({
  name,
  storage,
  served: true,
  schema,
  subresources: { status: {} },
});
const texts = { type: 'array', items: { type: 'string' } };

/** The schemas of the stored version and of the other version. */
const stored = spec({
  size: { type: 'integer', maximum: 10 },
  tone: { type: 'string', default: 'stored' },
  tags: texts,
  note: { type: 'string' },
});
const other = spec(
  {
    size: { type: 'integer', maximum: 5 },
    tone: { type: 'string', default: 'other' },
    tags: { ...texts, 'x-kubernetes-list-type': 'set' },
    extra: { type: 'string' },
    note: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self != oldSelf || self != "fixed"', message: 'stays as it was' }],
    },
  },
  { 'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size != 3', message: 'is not three' }] },
);

const server = servingForTests({ naming: 'kubernetes', emulatedVersion: '1.27' });

const ask = askLater(server);

const at = (of: 'v1' | 'v2'): string => `/apis/example.com/${of}/namespaces/default/tools`;
const tool = (of: 'v1' | 'v2', name: string, its: JsonObject): JsonObject => ({
  apiVersion: `example.com/${of}`,
  kind: 'Tool',
  metadata: { name },
  spec: its,
});
const create = (of: 'v1' | 'v2', name: string, its: JsonObject): Promise<Answer> =>
  ask('POST', at(of), tool(of, name, its));
const label = { metadata: { labels: { a: 'b' } } };
const merge = 'application/merge-patch+json';

beforeAll(async () => {
  const made = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'tools.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'tools', singular: 'tool', kind: 'Tool', listKind: 'ToolList' },
      scope: 'Namespaced',
      versions: [version('v1', true, stored), version('v2', false, other)],
    },
  });
  expect(made.code).toBe(201);
});

describe('an object that only the stored version allows', () => {
  beforeAll(async () => {
    expect((await create('v2', 'large', { size: 7 })).code).toBe(422);
    expect((await create('v1', 'large', { size: 7 })).code).toBe(201);
  });

  it('is read and listed in the other version', async () => {
    expect(await ask('GET', `${at('v2')}/large`)).toMatchObject({ code: 200, body: { spec: { size: 7 } } });
    expect((await ask('GET', at('v2'))).code).toBe(200);
  });

  it.each<[string, string, JsonValue, string]>([
    ['PATCH', '/large', label, merge],
    ['PATCH', '/large', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], 'application/json-patch+json'],
    ['PATCH', '/large?fieldManager=m', { ...label, metadata: { ...label.metadata, name: 'large' } }, 'apply'],
    ['PATCH', '/large/status', { status: { seen: 1 } }, merge],
    ['PATCH', '/large/status', label, merge],
    ['PUT', '/large', { metadata: { name: 'large' }, spec: { size: 7 } }, 'application/json'],
    ['PUT', '/large/status', { metadata: { name: 'large' }, status: { seen: 1 } }, 'application/json'],
  ])('is written only through the stored version: %s %s %j', async (method, place, body, type) => {
    const send = async (of: 'v1' | 'v2'): Promise<Answer> => {
      const { metadata } = (await ask('GET', `${at(of)}/large`)).body;
      const { resourceVersion } = Object(metadata);
      const whole = { apiVersion: `example.com/${of}`, kind: 'Tool', ...Object(body) };
      const revised = { ...whole, metadata: { ...Object(whole.metadata), resourceVersion } };
      const sent = method === 'PUT' ? revised : type === 'apply' ? whole : body;
      const query = place.includes('?') ? '&dryRun=All' : '?dryRun=All';
      return ask(method, at(of) + place + query, sent, type === 'apply' ? 'application/apply-patch+yaml' : type);
    };
    const refused = await send('v2');
    expect([refused.code, refused.body.message]).toEqual([
      422,
      'Tool.example.com "large" is invalid: spec.size: Invalid value: 7: spec.size in body should be less than or equal to 5',
    ]);
    expect((await send('v1')).code).toBe(200);
  });

  it('is valid in the other version after a write through it that corrects the value', async () => {
    expect((await create('v1', 'mended', { size: 8 })).code).toBe(201);
    expect((await ask('PATCH', `${at('v2')}/mended`, { spec: { size: 2 } }, merge)).code).toBe(200);
  });

  it('is deleted through the other version', async () => {
    expect((await create('v1', 'gone', { size: 9 })).code).toBe(201);
    expect((await ask('DELETE', `${at('v2')}/gone`)).code).toBe(200);
  });
});

it('has the defaults of the version that it is written in', async () => {
  expect(await create('v2', 'two', {})).toMatchObject({ code: 201, body: { spec: { tone: 'other' } } });
  expect(await create('v1', 'one', {})).toMatchObject({ code: 201, body: { spec: { tone: 'stored' } } });
  expect(await ask('GET', `${at('v1')}/two`)).toMatchObject({ body: { spec: { tone: 'other' } } });
  expect(await ask('GET', `${at('v2')}/one`)).toMatchObject({ body: { spec: { tone: 'stored' } } });
});

it('loses fields that the stored version does not have', async () => {
  const { code, body } = await create('v2', 'extra', { extra: 'x', size: 1 });
  expect([code, body.spec]).toEqual([201, { size: 1, tone: 'other' }]);
});

it('is checked by rules of its version, with the old object in that version', async () => {
  expect((await create('v1', 'ruled', { size: 3, note: 'fixed' })).code).toBe(201);
  const broken = await ask('PATCH', `${at('v2')}/ruled`, label, merge);
  expect([broken.code, broken.body.message]).toEqual([
    422,
    expect.stringMatching(/spec: Invalid value: "object": is not three.*stays as it was/),
  ]);
  expect((await ask('PATCH', `${at('v1')}/ruled`, label, merge)).code).toBe(200);
  expect((await ask('PATCH', `${at('v2')}/ruled`, { spec: { size: 2, note: 'free' } }, merge)).code).toBe(200);
  expect((await create('v2', 'three', { size: 3 })).code).toBe(422);
});

it('may keep repeated items that a version without sets has accepted', async () => {
  expect((await create('v2', 'set', { tags: ['a', 'a'] })).code).toBe(422);
  expect((await create('v1', 'set', { tags: ['a', 'a'] })).code).toBe(201);
  expect((await ask('PATCH', `${at('v2')}/set`, label, merge)).code).toBe(200);
  expect((await ask('PATCH', `${at('v2')}/set`, { spec: { tags: ['a', 'b'] } }, merge)).code).toBe(200);
  expect((await ask('PATCH', `${at('v2')}/set`, { spec: { tags: ['b', 'b'] } }, merge)).code).toBe(422);
});
