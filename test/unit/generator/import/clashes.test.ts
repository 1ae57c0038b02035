/** Fields with different types in several versions accept any value in all of them, wherever the types are written. */
import { expect, it } from 'vitest';
import { openClashes } from '../../../../generator/import/clashes.js';
import { printRemarks, type Remark } from '../../../../generator/import/remarks.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { get, list } from '../../../../runtime/schema/read.js';

const text = (): JsonObject => ({ type: 'string' });
const integer = (): JsonObject => ({ type: 'integer' });
const anything: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

/** Returns the schemas of versions, the first stored, and the remarks. */
function opened(schemas: readonly JsonObject[], types: Readonly<Record<string, JsonObject>> = {}) {
  const versions = schemas.map((spec, index) => ({
    name: `v${schemas.length - index}`,
    storage: index === 0,
    schema: { openAPIV3Schema: object({ spec }) },
  }));
  const resource: JsonObject = { spec: { group: 'example.com', names: { plural: 'things' }, versions } };
  const remarks: Remark[] = [];
  openClashes(
    [resource],
    (name) => types[name],
    (remark) => remarks.push(remark),
  );
  const after = list(get(resource.spec, 'versions')).map((each) =>
    get(get(get(get(each, 'schema'), 'openAPIV3Schema'), 'properties'), 'spec'),
  );
  return { after, said: printRemarks(remarks) };
}

it.each<[string, JsonObject, JsonObject, JsonObject, JsonObject]>([
  ['types', object({ a: text() }), object({ a: integer() }), object({ a: anything }), object({ a: anything })],
  [
    'any value in one of them',
    object({ a: text() }),
    object({ a: { ...anything } }),
    object({ a: anything }),
    object({ a: anything }),
  ],
  [
    'values of a map and a field',
    { type: 'object', additionalProperties: text() },
    object({ a: integer() }),
    { type: 'object', additionalProperties: anything },
    object({ a: anything }),
  ],
  [
    'items',
    object({ a: { type: 'array', items: text() } }),
    object({ a: { type: 'array', items: object({}) } }),
    object({ a: { type: 'array', items: anything } }),
    object({ a: { type: 'array', items: anything } }),
  ],
  [
    'a field, and an object that may have it too',
    object({ a: object({ b: text() }) }),
    object({ a: { type: 'object', ...anything } }),
    object({ a: object({ b: anything }) }),
    object({ a: { type: 'object', ...anything } }),
  ],
  [
    'an object, and one with a kind of its own',
    object({ a: object({ b: text() }) }),
    object({ a: { type: 'object', 'x-kubernetes-embedded-resource': true, ...anything } }),
    object({ a: anything }),
    object({ a: anything }),
  ],
])('are reported, and accept any value: %s', (_title, v2, v1, after2, after1) => {
  const { after, said } = opened([v2, v1]);
  expect(after).toEqual([after2, after1]);
  expect(said).toHaveLength(1);
});

it('accept any value in the shared types that have them, and in every version', () => {
  const types = {
    'a/v3#/Spec': object({ a: { ...text(), description: 'A.' }, self: { $ref: 'a/v3#/Spec' } }),
    'a/v2#/Spec': object({ a: text(), self: { $ref: 'a/v2#/Spec' } }),
    'a/v1#/Spec': object({ a: { $ref: 'a/v1#/Size' } }),
    'a/v1#/Size': integer(),
  };
  const { after, said } = opened([{ $ref: 'a/v3#/Spec' }, { $ref: 'a/v2#/Spec' }, { $ref: 'a/v1#/Spec' }], types);
  expect(after).toEqual([{ $ref: 'a/v3#/Spec' }, { $ref: 'a/v2#/Spec' }, { $ref: 'a/v1#/Spec' }]);
  expect(types['a/v3#/Spec']).toMatchObject({ properties: { a: { ...anything, description: 'A.' } } });
  expect([types['a/v2#/Spec'], types['a/v1#/Spec']]).toMatchObject([
    { properties: { a: anything } },
    { properties: { a: anything } },
  ]);
  expect(types['a/v1#/Size']).toEqual(integer());
  expect(said[0]).toBe(
    '["example.com/things.yaml"]: `spec.a` may hold anything: it is an integer in one version, and a string in another',
  );
});

it('are found behind any number of types', () => {
  const types: Record<string, JsonObject> = {};
  for (const version of ['v1', 'v2']) {
    for (let i = 0; i < 20_000; i++) types[`a/${version}#/T${i}`] = object({ n: { $ref: `a/${version}#/T${i + 1}` } });
  }
  types['a/v1#/T20000'] = object({ a: text() });
  types['a/v2#/T20000'] = object({ a: integer() });
  opened([{ $ref: 'a/v2#/T0' }, { $ref: 'a/v1#/T0' }], types);
  expect([types['a/v1#/T20000'], types['a/v2#/T20000']]).toEqual([object({ a: anything }), object({ a: anything })]);
});

it('do not exist if the types agree', () => {
  const either = (): JsonObject => ({ 'x-kubernetes-int-or-string': true });
  const same = (): JsonObject => object({ a: text(), b: either(), c: { ...anything } });
  expect(opened([same(), same()])).toEqual({ after: [same(), same()], said: [] });
});
