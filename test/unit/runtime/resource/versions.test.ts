/** Reads stored objects, and writes new ones, in another version of their resource. */
import { describe, expect, it } from 'vitest';
import type { Entry, Schema } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { encodeForStore } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { convertBetween, readAs, sharedObjectOf } from '../../../../runtime/resource/versions.js';
import { changedModule } from '../../../support/modules.js';
import { widget, widgets } from '../../../support/widgets.js';

const specOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});
const newer = specOf({ size: { type: 'integer' }, weight: { type: 'integer', default: 10 } });

const stored = serveResource(widgets);
const v2 = serveResource(changedModule(widgets, { version: 'v2', schema: newer }), {
  stored,
});

function entryOf(text: string): Entry {
  return { key: 'example.com/widgets/default/a', revision: 4, bytes: Buffer.from(text), attributes: noAttributes };
}
const noAttributes = { labels: {}, fields: {} };

const object = widget('a', { size: 1, color: 'red' }, { resourceVersion: '4' });

describe('reading an entry', () => {
  it('gives the stored object itself in the stored version', () => {
    expect(readAs(stored, entryOf(JSON.stringify(object)))).toEqual(object);
  });

  it('drops fields that another version does not have, and adds none of its defaults', () => {
    expect(readAs(v2, entryOf(JSON.stringify(object)))).toEqual({
      ...object,
      apiVersion: 'example.com/v2',
      spec: { size: 1 },
    });
  });

  it('gives each reader an object of its own', () => {
    const entry = entryOf(JSON.stringify(object));
    readAs(stored, entry).metadata.name = 'changed';
    expect(readAs(stored, entry).metadata.name).toBe('a');
  });

  it.each(['[]', '{', '{"kind":"Widget"}'])('throws for %s, which the server cannot have stored', (text) => {
    expect(() => readAs(stored, entryOf(text))).toThrow(
      'stored entry example.com/widgets/default/a at revision 4 is not an API object',
    );
  });
});

describe('converting', () => {
  it('does not change its input', () => {
    const before = structuredClone(object);
    expect(convertBetween(stored, v2, object).apiVersion).toBe('example.com/v2');
    expect(object).toEqual(before);
  });

  it('happens before the store, with the defaults of the stored version', () => {
    const { text } = encodeForStore(v2, { ...widget('a', { weight: 5 }), apiVersion: 'example.com/v2' });
    expect(JSON.parse(text)).toEqual(widget('a', { size: 3 }, { resourceVersion: '' }));
  });
});

describe('the frozen object of an entry that readers share', () => {
  const text = JSON.stringify(widget('a', { parts: ['x'] }, { labels: { x: '1' } }));

  it('is decoded once', () => {
    const entry = entryOf(text);
    expect(sharedObjectOf(stored, entry)).toBe(sharedObjectOf(stored, entry));
    expect(sharedObjectOf(stored, entry)).toEqual(JSON.parse(text));
    expect(sharedObjectOf(stored, entryOf(text))).not.toBe(sharedObjectOf(stored, entry));
  });

  it('is decoded again for a resource with a changed definition', () => {
    const entry = entryOf(text);
    expect(sharedObjectOf(serveResource(widgets), entry)).not.toBe(sharedObjectOf(stored, entry));
  });

  it('cannot be changed, however deep', () => {
    const shared = sharedObjectOf(stored, entryOf(text));
    expect(() => Object.assign(shared.metadata.labels ?? {}, { x: '2' })).toThrow(TypeError);
    expect(() => Object.assign(objectAt(shared, 'spec')?.parts ?? [], ['y'])).toThrow(TypeError);
    expect(() => Object.assign(shared, { status: {} })).toThrow(TypeError);
  });
});
