/** Tests reading stored entries back: copies that are free to change, and one frozen object for readers. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../../runtime/contract/index.js';
import { objectOf, sharedObjectOf } from '../../../../runtime/pipeline/stored-object.js';

const stored = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"x":"1"},"finalizers":["f"]}}';
const entryOf = (text: string): Entry => ({
  key: 'configmaps/default/a',
  revision: 5,
  bytes: Buffer.from(text),
  attributes: { labels: { x: '1' }, fields: {} },
});

describe('objectOf', () => {
  test('makes a fresh copy each time', () => {
    const entry = entryOf(stored);
    const first = objectOf(entry);
    first.metadata.name = 'changed';
    expect(objectOf(entry).metadata.name).toBe('a');
  });

  test('throws for bytes that are no object', () => {
    expect(() => objectOf(entryOf('[]'))).toThrow('configmaps/default/a at revision 5');
  });
});

describe('sharedObjectOf', () => {
  test('decodes an entry once', () => {
    const entry = entryOf(stored);
    expect(sharedObjectOf(entry)).toBe(sharedObjectOf(entry));
    expect(sharedObjectOf(entry)).toEqual(JSON.parse(stored));
    expect(sharedObjectOf(entryOf(stored))).not.toBe(sharedObjectOf(entry));
  });

  test('cannot be changed, however deep', () => {
    const object = sharedObjectOf(entryOf(stored));
    expect(() => Object.assign(object.metadata.labels ?? {}, { x: '2' })).toThrow(TypeError);
    expect(() => object.metadata.finalizers?.push('g')).toThrow(TypeError);
    expect(() => Object.assign(object, { spec: {} })).toThrow(TypeError);
  });
});
