/** Empty lists of fields that are never absent: who owns them, and how they are stored. */
import { describe, expect, it } from 'vitest';
import type { JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../../../runtime/objects/guards.js';
import { listPlaces } from '../../../../../runtime/resource/list-places.js';
import { memoryBackend } from '../../../../../runtime/storage/index.js';
import { settleEmptyLists } from '../../../../../runtime/write/stages/fields.js';
import { moduleOf } from '../../../../support/modules.js';
import { suiteApi } from '../../../../support/test-api.js';

const parts: Schema = { type: 'array', 'x-kindforge-presence': 'always', items: { type: 'string' } };
const part: Schema = { type: 'object', properties: { parts } };
const schema: Schema = {
  type: 'object',
  properties: {
    parts,
    tags: { type: 'array', items: { type: 'string' } },
    rows: { type: 'array', items: part },
    byName: { type: 'object', additionalProperties: part },
  },
};

const settled = (value: JsonValue): JsonValue => {
  settleEmptyLists(listPlaces(schema), value);
  return value;
};

describe('empty lists', () => {
  it.each<[JsonValue, JsonValue]>([
    [{ parts: [] }, { parts: null }],
    [
      { parts: ['a'], tags: [] },
      { parts: ['a'], tags: [] },
    ],
    [{ rows: [{ parts: [] }, { parts: ['a'] }, {}] }, { rows: [{ parts: null }, { parts: ['a'] }, {}] }],
    [{ byName: { x: { parts: [] } } }, { byName: { x: { parts: null } } }],
    [
      { parts: null, rows: null, byName: 'x' },
      { parts: null, rows: null, byName: 'x' },
    ],
    [{ rows: [1, [], { parts: {} }] }, { rows: [1, [], { parts: {} }] }],
  ])('of %j', (value, expected) => {
    expect(settled(value)).toEqual(expected);
  });

  it('have no place in a schema without them', () => {
    expect(listPlaces({ type: 'object', properties: { tags: { type: 'array', items: {} } } })).toBeUndefined();
  });
});

const boxes = moduleOf('example.com', 'boxes', 'Box', {
  schema,
});
const path = '/apis/example.com/v1/namespaces/default/boxes';

const api = await suiteApi([boxes], { backend: memoryBackend() });

const named = (name: string, fields: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name },
  ...fields,
});

async function write(method: string, place: string, body: object, type = 'application/json') {
  const reply = await api.send(method, place, body, { 'content-type': type });
  expect([reply.code, reply.text]).toEqual([expect.toSatisfy((code) => code < 300), expect.any(String)]);
  const { managedFields } = objectAt(reply.body, 'metadata') ?? {};
  const entries = isArray(managedFields) ? managedFields : [];
  return { body: reply.body, owned: entries.map((entry) => isObject(entry) && entry.fieldsV1) };
}

describe('an empty list that a client writes', () => {
  it('belongs to the client after a create, and comes back as null', async () => {
    const { body, owned } = await write('POST', path, named('a', { parts: [] }));
    expect(body.parts).toBeNull();
    expect(owned).toEqual([{ 'f:parts': {} }]);
  });

  it('belongs to nobody if no client writes it', async () => {
    const { body, owned } = await write('POST', path, named('b', {}));
    expect(body.parts).toBeNull();
    expect(owned).toEqual([]);
  });

  it.each([
    ['PUT', 'application/json', 'c', ''],
    ['PATCH', 'application/merge-patch+json', 'd', ''],
    ['PATCH', 'application/apply-patch+yaml', 'e', '&force=true'],
  ])('belongs to the client after a %s of %s', async (method, type, name, more) => {
    await write('POST', path, named(name, { parts: ['x'], tags: ['y'] }));
    const place = `${path}/${name}?fieldManager=second${more}`;
    const { body, owned } = await write(method, place, named(name, { parts: [], tags: ['y'] }), type);
    expect(body.parts).toBeNull();
    expect(owned).toContainEqual(expect.objectContaining({ 'f:parts': {} }));
    expect(owned).toContainEqual({ 'f:tags': {} });
  });

  it('changes nothing when it is written again', async () => {
    const first = await write('POST', path, named('f', { parts: [] }));
    const again = await write('PUT', `${path}/f`, named('f', { parts: [] }));
    expect(again.body).toEqual(first.body);
  });
});
