/** The typed validators of a kind. */
import { H3, readValidatedBody } from 'h3';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../runtime/contract/index.js';
import { defineValidator } from '../../../../runtime/schema/validator.js';

interface Widget {
  apiVersion: 'shop.example.com/v1';
  kind: 'Widget';
  metadata: { name?: string; labels?: Record<string, string> };
  spec?: { size: string; count?: number | bigint; notes?: Record<string, string>; parts?: { id: string }[] };
}

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'string', enum: ['small', 'large'] },
        count: { type: 'integer', minimum: 0, default: 1 },
        notes: { type: 'object', additionalProperties: { type: 'string', maxLength: 3, not: { enum: ['no'] } } },
        parts: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
      },
    },
  },
};

const { is, validate, fillIn } = defineValidator<Widget>({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  decoding: 'structural',
  schema,
  rules: (object) =>
    object.metadata && JSON.stringify(object.metadata).includes('"forbidden"')
      ? [{ reason: 'FieldValueInvalid', field: 'spec', message: 'Invalid value: "object": no forbidden widgets' }]
      : [],
});

const widget = (spec: Widget['spec'], more: object = {}): Widget => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door' },
  ...(spec && { spec }),
  ...more,
});

const found = (value: unknown): string[] =>
  validate(value).map(({ path, reason, message }) => `${path}|${reason}|${message}`);

describe('validate', () => {
  it('finds nothing in a valid object, and does not change it', () => {
    const object = Object.freeze(widget(Object.freeze({ size: 'small', count: 2n ** 60n })));
    expect(found(object)).toEqual([]);
    expect(object.spec).not.toHaveProperty('parts');
  });

  it.each<[string, unknown, string[]]>([
    ['a text', 'x', ['|type|must be an object']],
    ['a list', [], ['|type|must be an object']],
    ['another kind', widget({ size: 'small' }, { kind: 'Door' }), ['kind|value|Invalid value: "Door": must be Widget']],
    ['metadata of another type', widget({ size: 'small' }, { metadata: 1 }), ['metadata|type|must be an object']],
    ['a missing field', widget({} as never), ['spec.size|missing|Required value']],
    ['an unknown field', widget({ size: 'small', sise: 1 } as never), ['spec.sise|unknown|unknown field']],
    [
      'a wrong type',
      widget({ size: 'small', count: 'x' } as never),
      ['spec.count|type|Invalid value: "string": must be of type integer'],
    ],
    [
      'a broken keyword',
      widget({ size: 'small', count: -1 }),
      ['spec.count|value|Invalid value: -1: should be greater than or equal to 0'],
    ],
    [
      'what a combination refuses',
      widget({ size: 'small', notes: { 'a.b': 'no' } }),
      ['spec.notes["a.b"]|value|Invalid value: must not validate the schema (not)'],
    ],
    [
      'a broken rule',
      widget({ size: 'small', notes: { a: 'b' } }, { metadata: { name: 'x', labels: { a: 'forbidden' } } }),
      ['spec|value|Invalid value: "object": no forbidden widgets'],
    ],
    [
      'labels that are no texts',
      widget({ size: 'small' }, { metadata: { labels: { a: 1 } } }),
      ['metadata.labels|type|json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string'],
    ],
    ['a function', widget({ size: () => 'small' } as never), ['spec.size|type|must be a JSON value, not function']],
  ])('reports %s', (_what, value, expected) => expect(found(value)).toEqual(expected));

  it('ends for recursive values', () => {
    const ring: Record<string, unknown> = {};
    ring.a = ring;
    expect(found(ring)[0]).toContain('must not nest deeper than 1000 levels');
    const list: unknown[] = [];
    list.push(list, list);
    expect(found({ list })[0]).toContain('must not nest deeper');
    let twice: unknown = 1;
    for (let i = 0; i < 60; i++) twice = { a: twice, b: twice };
    expect(found(twice)).toEqual(['|type|must not have more than 1000000 values']);
  });
});

describe('is', () => {
  it('distinguishes objects of the kind from others', () => {
    expect(is(widget({ size: 'large' }))).toBe(true);
    expect(is(widget({ size: 'large', more: 1 } as never))).toBe(true);
    for (const value of [null, 1, {}, { spec: { size: 'small' } }, widget({ size: 'huge' })])
      expect(is(value)).toBe(false);
  });
});

describe('fillIn', () => {
  it('returns a copy with defaults', () => {
    const object = widget({ size: 'small' });
    expect(fillIn(object)).toEqual(widget({ size: 'small', count: 1 }));
    expect(object.spec).toEqual({ size: 'small' });
  });
});

describe('Standard Schema', () => {
  const standard = validate['~standard'];

  it('returns valid objects with their defaults and without unknown fields', () => {
    expect(standard).toMatchObject({ version: 1, vendor: 'kindforge' });
    expect(standard.validate({ spec: { size: 'small', more: 1 } })).toEqual({
      value: { apiVersion: 'shop.example.com/v1', kind: 'Widget', metadata: {}, spec: { size: 'small', count: 1 } },
    });
  });

  it('returns issues at paths of keys and indexes', () => {
    const value = { spec: { size: 'big', notes: { 'a.b/c[0]': 'long', a: 'x' }, parts: [{ id: 'a' }, {}] } };
    const result = standard.validate(value);
    expect(result.issues?.map(({ path }) => path)).toEqual([
      ['spec', 'size'],
      ['spec', 'notes', 'a.b/c[0]'],
      ['spec', 'parts', 1, 'id'],
    ]);
    const excluded = standard.validate({ spec: { size: 'small', notes: { 'a.b': 'no' } } });
    expect(excluded.issues?.map(({ path }) => path)).toEqual([['spec', 'notes', 'a.b']]);
  });

  it('is accepted by readValidatedBody of h3', async () => {
    const app = new H3().post('/widgets', (event) => readValidatedBody(event, validate));
    const send = (body: unknown): Promise<Response> =>
      Promise.resolve(
        app.request('/widgets', {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      );
    const [good, bad] = [await send({ spec: { size: 'small' } }), await send({ spec: { size: 'big' } })];
    expect(await good.json()).toMatchObject({ kind: 'Widget', spec: { size: 'small', count: 1 } });
    expect(bad.status).toBe(400);
    expect(JSON.stringify(await bad.json())).toContain('Unsupported value');
  });
});
