/** Reading stored entries back: copies that may be changed. */

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ApiObject, Entry, JsonObject } from '../../../../runtime/contract/index.js';
import { encodeObject, encodeWithRevision, objectOf } from '../../../../runtime/resource/served-resource.js';

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

  test('keeps every digit of wide integers', () => {
    const entry = entryOf(`${stored.slice(0, -1)},"n":9223372036854775807,"m":0.5}`);
    expect(objectOf(entry)).toMatchObject({ n: 9223372036854775807n, m: 0.5 });
  });

  test.each(['[]', '{"kind":', '\u0000'])('throws for bytes that are not an object: %j', (bytes) => {
    expect(() => objectOf(entryOf(bytes))).toThrow('configmaps/default/a at revision 5');
  });
});

const resource = { head: '{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"' };

const podWith = (rest: JsonObject, meta: JsonObject = {}): ApiObject => ({
  apiVersion: 'v1',
  metadata: { name: 'a', ...meta },
  kind: 'Pod',
  ...rest,
});

const encode = (object: ApiObject): string => encodeWithRevision(resource, object, '7');

describe('the first keys', () => {
  it('are kind, version and revision, and the rest keeps its order', () => {
    expect(encode(podWith({ status: 1, spec: { z: 1, a: 2 } }))).toBe(
      `${resource.head}7","name":"a"},"status":1,"spec":{"z":1,"a":2}}`,
    );
  });

  it('are not moved if they are first already', () => {
    const object: ApiObject = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { resourceVersion: '3', name: 'a' },
      spec: { z: 1 },
    };
    expect(encode(object)).toBe(`${resource.head}7","name":"a"},"spec":{"z":1}}`);
  });

  it('stay first before keys that are whole numbers, at the top or in the metadata', () => {
    expect(encode(podWith({ 1: true }, { 2: 'b' }))).toBe(`${resource.head}7","2":"b","name":"a"},"1":true}`);
  });
});

describe('the revision', () => {
  it('replaces the revision of an object', () => {
    expect(encode(podWith({}, { resourceVersion: '3' }))).toBe(`${resource.head}7","name":"a"}}`);
  });

  it('is left out if there is none', () => {
    expect(encodeObject(resource, podWith({}))).toBe('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}');
  });
});

it('keeps a key that names the prototype', () => {
  const rest: JsonObject = JSON.parse('{"__proto__":{"a":1},"spec":{"__proto__":2}}');
  expect(encode(podWith(rest))).toBe(`${resource.head}7","name":"a"},"__proto__":{"a":1},"spec":{"__proto__":2}}`);
});

it('loses nothing and changes nothing that it is given', () => {
  const rest = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }));
  fc.assert(
    fc.property(rest, rest, (body, meta) => {
      const object = { ...JSON.parse(JSON.stringify(body)), ...podWith({}, JSON.parse(JSON.stringify(meta))) };
      const before = JSON.stringify(object);
      const read: ApiObject = JSON.parse(encode(object));
      expect(read).toEqual({ ...object, metadata: { ...object.metadata, resourceVersion: '7' } });
      expect(JSON.stringify(object)).toBe(before);
    }),
  );
});
