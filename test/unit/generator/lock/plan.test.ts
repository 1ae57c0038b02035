/** Schemas become messages: names, types, and values that protobuf cannot express. */
import { describe, expect, it } from 'vitest';
import { planMessages } from '../../../../generator/lock/plan.js';
import type { Schema } from '../../../../runtime/contract/index.js';

function plan(properties: Record<string, Schema>, decoding: 'typed' | 'structural' = 'typed') {
  const schema: Schema = { type: 'object', properties };
  const messages = planMessages({ library: 'a.b/v1', kind: 'Thing', decoding, schema, types: new Map() });
  return Object.fromEntries(
    messages.map(({ id, fields }) => [id, Object.fromEntries(fields.map(({ name, type }) => [name, type]))]),
  );
}

const fieldOf = (field: Schema, decoding?: 'typed' | 'structural'): string | undefined =>
  plan({ field }, decoding)['a.b/v1#/Thing']?.field;

describe('planMessages', () => {
  it('puts metadata first and leaves the envelope out', () => {
    const { 'a.b/v1#/Thing': thing } = plan({ kind: { type: 'string' }, spec: { type: 'object' }, apiVersion: {} });
    expect(Object.entries(thing ?? {})).toEqual([
      ['metadata', 'meta/v1#/ObjectMeta'],
      ['spec', 'a.b/v1#/Thing.spec'],
    ]);
  });

  it.each<[string, Schema, string, string]>([
    ['text', { type: 'string' }, 'string', 'string'],
    ['bytes', { type: 'string', format: 'byte' }, 'bytes', 'string'],
    ['a time', { type: 'string', format: 'date-time' }, 'meta/v1#/Time', 'string'],
    ['a small integer', { type: 'integer', format: 'int32' }, 'int32', 'int64'],
    ['an integer', { type: 'integer' }, 'int64', 'int64'],
    ['a number', { type: 'number' }, 'double', 'double'],
    ['a list', { type: 'array', items: { type: 'boolean' } }, 'repeated bool', 'repeated bool'],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'map string', 'map string'],
    ['either', { 'x-kubernetes-int-or-string': true }, 'meta/v1#/IntOrString', 'meta/v1#/IntOrString'],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }, 'json', 'json'],
    ['an open object', { type: 'object', additionalProperties: true }, 'json', 'json'],
    ['an embedded object', { type: 'object', 'x-kubernetes-embedded-resource': true, properties: {} }, 'json', 'json'],
    ['a list of anything', { type: 'array', items: {} }, 'repeated json', 'repeated json'],
  ])('%s', (_name, schema, typed, structural) => {
    expect(fieldOf(schema)).toBe(typed);
    expect(fieldOf(schema, 'structural')).toBe(structural);
  });

  it('wraps lists within lists and maps', () => {
    const texts: Schema = { type: 'array', items: { type: 'string' } };
    expect(
      plan({ grid: { type: 'array', items: texts }, byName: { type: 'object', additionalProperties: texts } }),
    ).toEqual({
      'a.b/v1#/Thing': {
        metadata: 'meta/v1#/ObjectMeta',
        grid: 'repeated a.b/v1#/Thing.grid[]',
        byName: 'map a.b/v1#/Thing.byName[]',
      },
      'a.b/v1#/Thing.grid[]': { '': 'repeated string' },
      'a.b/v1#/Thing.byName[]': { '': 'repeated string' },
    });
  });

  it('plans a shared type once, under its name', () => {
    const part: Schema = { type: 'object', properties: { n: { type: 'integer' } }, 'x-kindforge-type': 'a/v1#/Part' };
    const planned = plan({ one: part, more: { type: 'array', items: part } });
    expect(planned['a.b/v1#/Thing']).toMatchObject({ one: 'a/v1#/Part', more: 'repeated a/v1#/Part' });
    expect(planned['a/v1#/Part']).toEqual({ n: 'int64' });
  });

  it('leaves out apiVersion and kind of an embedded object, but not of a reference', () => {
    const text: Schema = { type: 'string' };
    const metadata: Schema = { type: 'object', 'x-kindforge-type': 'meta/v1#/ObjectMeta' };
    const properties = { apiVersion: text, kind: text, spec: text };
    const claim: Schema = {
      type: 'object',
      properties: { ...properties, metadata },
      'x-kindforge-type': 'core/v1#/Claim',
    };
    const reference: Schema = { type: 'object', properties, 'x-kindforge-type': 'core/v1#/Reference' };
    const planned = plan({ claim, reference });
    expect(planned['core/v1#/Claim']).toEqual({ spec: 'string', metadata: 'meta/v1#/ObjectMeta' });
    expect(planned['core/v1#/Reference']).toEqual({ apiVersion: 'string', kind: 'string', spec: 'string' });
  });

  it('keeps names with dots apart from paths', () => {
    const empty: Schema = { type: 'object' };
    expect(Object.keys(plan({ 'a.b': empty, a: { type: 'object', properties: { b: empty } } }))).toEqual([
      'a.b/v1#/Thing',
      'a.b/v1#/Thing.a~1b',
      'a.b/v1#/Thing.a',
      'a.b/v1#/Thing.a.b',
    ]);
  });

  it.each<[string, Schema, Schema['x-kindforge-presence'], true | undefined]>([
    ['text of which a zero is none', { type: 'string' }, 'implicit', true],
    ['text that is always there', { type: 'string' }, 'always', true],
    ['text of which a zero is told apart', { type: 'string' }, 'explicit', undefined],
    ['a time that may be absent', { type: 'string', format: 'date-time' }, 'implicit', undefined],
    ['a time that is always there', { type: 'string', format: 'date-time' }, 'always', true],
    ['a quantity', { type: 'string', 'x-kindforge-type': 'meta/v1#/Quantity' }, 'implicit', undefined],
    ['an integer or text', { 'x-kubernetes-int-or-string': true }, 'implicit', undefined],
    ['an object that may be absent', { type: 'object' }, 'implicit', undefined],
    ['an object that is always there', { type: 'object' }, 'always', true],
    ['a list', { type: 'array', items: { type: 'string' } }, 'always', undefined],
  ])('writes a value for %s, even if an object has none', (_name, node, presence, always) => {
    const field: Schema = presence === undefined ? node : { ...node, 'x-kindforge-presence': presence };
    const schema: Schema = { type: 'object', properties: { field } };
    const [thing] = planMessages({ library: 'a.b/v1', kind: 'Thing', decoding: 'typed', schema, types: new Map() });
    expect(thing?.fields.find(({ name }) => name === 'field')?.always).toBe(always);
  });

  it('ends at a maximum depth', () => {
    let deep: Schema = { type: 'string' };
    for (let i = 0; i < 2000; i++) deep = { type: 'object', properties: { next: deep } };
    expect(Object.keys(plan({ deep })).length).toBeLessThan(300);
  });
});
