import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineConfigMaps } from '../../../../strategies/core/configmaps.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineConfigMaps();

const map = (body: JsonObject): ApiObject => objectOf(handlers, body, { name: 'm' });

const errors = (body: JsonObject) => handlers.validate?.(map(body), contextOf()) ?? [];

describe('keys of a ConfigMap', () => {
  it.each(['a', '.hidden', 'A_b-c.d', 'k'.repeat(253)])('accepts %s', (key) =>
    expect(errors({ data: { [key]: '' } })).toEqual([]),
  );

  it.each(['', 'a b', '..', '.', '..a', 'k'.repeat(254), '__proto__!'])('refuses %j in both maps', (key) => {
    expect(errors({ data: { [key]: '' } })).toMatchObject([{ field: `data[${key}]` }]);
    expect(errors({ binaryData: { [key]: '' } })).toMatchObject([{ field: `binaryData[${key}]` }]);
  });

  it('refuses a key that is in both maps', () =>
    expect(errors({ data: { a: '' }, binaryData: { a: '' } })).toMatchObject([
      { field: 'data[a]', message: 'Invalid value: "a": duplicate of key present in binaryData' },
    ]));
});

describe('size of a ConfigMap', () => {
  const half = 512 * 1024;
  const bytes = Buffer.alloc(half).toString('base64');

  it('counts bytes, of binary data once decoded', () => {
    expect(errors({ data: { a: 'x'.repeat(half) }, binaryData: { b: bytes } })).toEqual([]);
    expect(errors({ data: { a: 'é'.repeat(half / 2) }, binaryData: { b: bytes } })).toEqual([]);
  });

  it('may not be above 1 MiB', () =>
    expect(errors({ data: { a: 'x'.repeat(half + 1) }, binaryData: { b: bytes } })).toEqual([
      {
        reason: 'FieldValueTooLong',
        field: '',
        message: 'Too long: must have at most 1048576 bytes',
        later: 'Too long: may not be more than 1048576 bytes',
      },
    ]));
});

describe('an immutable ConfigMap', () => {
  const old = map({ data: { a: '1' }, binaryData: { b: 'AA==' }, immutable: true });
  const fields = (body: JsonObject) =>
    (handlers.validateUpdate?.(map(body), old, contextOf()) ?? []).map(({ field }) => field);

  it('refuses changes, in the order of its rules', () => {
    expect(fields({ data: { a: '2' }, binaryData: { b: 'AA==' }, immutable: true })).toEqual(['data']);
    expect(fields({ data: { a: '1' }, immutable: true })).toEqual(['binaryData']);
    expect(fields({ data: { a: '1' }, binaryData: { b: 'AA==' } })).toEqual(['immutable']);
    expect(fields({ immutable: false })).toEqual(['immutable', 'data', 'binaryData']);
  });

  it('may still change before it is marked', () => {
    const mutable = map({ data: { a: '1' } });
    expect(handlers.validateUpdate?.(map({ data: {}, immutable: true }), mutable, contextOf())).toEqual([]);
  });
});

it('shows how many keys there are', () => {
  expect(handlers.columns?.Data?.(map({ data: { a: '1', b: '' }, binaryData: { c: '' } }), 0)).toBe(3);
  expect(handlers.columns?.Data?.(map({}), 0)).toBe(0);
});
