/** Tests reading stored entries back: copies that are free to change. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../../runtime/contract/index.js';
import { objectOf } from '../../../../runtime/resource/stored-object.js';

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

  test.each(['[]', '{"kind":', '\u0000'])('throws for bytes that are no object: %j', (bytes) => {
    expect(() => objectOf(entryOf(bytes))).toThrow('configmaps/default/a at revision 5');
  });
});
