/** The one frozen object of an entry that readers share. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { sharedObjectOf } from '../../../../runtime/resource/versions.js';
import { moduleOf } from '../../../support/modules.js';

const resource = serveResource(moduleOf('', 'configmaps', 'ConfigMap'));
const stored = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"x":"1"},"finalizers":["f"]}}';
const entryOf = (text: string): Entry => ({
  key: 'configmaps/default/a',
  revision: 5,
  bytes: Buffer.from(text),
  attributes: { labels: { x: '1' }, fields: {} },
});

describe('sharedObjectOf', () => {
  test('decodes an entry once', () => {
    const entry = entryOf(stored);
    expect(sharedObjectOf(resource, entry)).toBe(sharedObjectOf(resource, entry));
    expect(sharedObjectOf(resource, entry)).toEqual(JSON.parse(stored));
    expect(sharedObjectOf(resource, entryOf(stored))).not.toBe(sharedObjectOf(resource, entry));
  });

  test('decodes it again for a resource with a changed definition', () => {
    const entry = entryOf(stored);
    const again = serveResource(moduleOf('', 'configmaps', 'ConfigMap'));
    expect(sharedObjectOf(again, entry)).not.toBe(sharedObjectOf(resource, entry));
  });

  test('cannot be changed, however deep', () => {
    const object = sharedObjectOf(resource, entryOf(stored));
    expect(() => Object.assign(object.metadata.labels ?? {}, { x: '2' })).toThrow(TypeError);
    expect(() => object.metadata.finalizers?.push('g')).toThrow(TypeError);
    expect(() => Object.assign(object, { spec: {} })).toThrow(TypeError);
  });
});
