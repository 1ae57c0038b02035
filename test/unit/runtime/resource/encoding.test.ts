/** The text of stored objects and answers: the revision has a known place. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry } from '../../../../runtime/contract/index.js';
import { encodeAnswer, encodeForStore, isStoredAs } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { widget, widgets } from '../../../support/widgets.js';

const resource = serveResource(widgets);
const head = '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"';

describe('encoding for the store', () => {
  it('puts the empty revision where the store fills it in', () => {
    const { text, revisionAt } = encodeForStore(resource, widget('a', { size: 1 }, { resourceVersion: '9' }));
    expect(text).toBe(`${head}","name":"a"},"spec":{"size":1}}`);
    expect(text.slice(0, revisionAt)).toBe(head);
    expect(text.slice(revisionAt)).toMatch(/^"/);
  });

  it('returns the labels and fields for selectors', () => {
    const object = widget('a', { color: 'red' }, { namespace: 'default', labels: { tier: 'web' } });
    expect(encodeForStore(resource, object).attributes).toEqual({
      labels: { tier: 'web' },
      fields: { 'spec.color': 'red' },
    });
  });

  it('writes an object that has only its envelope', () => {
    const bare: ApiObject = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: {} };
    expect(encodeForStore(resource, bare).text).toBe(`${head}"}}`);
  });

  it('keeps the envelope first for an object with a number as a key', () => {
    const numbered = Object.assign(widget('a', { size: 1 }), { 7: 'seven' });
    expect(encodeForStore(resource, numbered).text).toBe(`${head}","name":"a"},"7":"seven","spec":{"size":1}}`);
  });

  it('keeps the envelope first in any order of keys', () => {
    const turned: ApiObject = {
      spec: {},
      metadata: { name: 'a', resourceVersion: '3' },
      apiVersion: 'example.com/v1',
      kind: 'Widget',
    };
    expect(encodeForStore(resource, turned).text).toBe(`${head}","name":"a"},"spec":{}}`);
  });
});

describe('an entry', () => {
  const entryOf = (text: string): Entry => ({
    key: 'example.com/widgets/default/a',
    revision: 12,
    bytes: Buffer.from(text),
    attributes: { labels: {}, fields: {} },
  });
  const encoded = encodeForStore(resource, widget('a', { size: 1 }));

  it.each([
    [`${head}12","name":"a"},"spec":{"size":1}}`, true],
    [`${head}","name":"a"},"spec":{"size":1}}`, true],
    [`${head}12","name":"a"},"spec":{"size":2}}`, false],
    [`${head}12","name":"b"},"spec":{"size":1}}`, false],
    [`${head.replace('v1', 'v2')}12","name":"a"},"spec":{"size":1}}`, false],
  ])('%s is stored as a write would store it: %j', (text, is) => {
    expect(isStoredAs(entryOf(text), encoded)).toBe(is);
  });
});

describe('an object that was read from the store', () => {
  const stored = widget('a', { size: 1 }, { resourceVersion: '3', labels: { tier: 'web' } });

  it('is encoded unchanged, even with another revision, and is not modified', () => {
    const first = encodeForStore(resource, stored).text;
    const read: ApiObject = JSON.parse(first);
    read.metadata.resourceVersion = '12';
    const before = JSON.stringify(read);
    expect(encodeForStore(resource, read).text).toBe(first);
    expect(JSON.stringify(read)).toBe(before);
    expect(encodeAnswer(resource, read)).toBe(before);
  });

  it('gets its revision at the front again when it has lost it', () => {
    const read: ApiObject = JSON.parse(encodeForStore(resource, stored).text);
    read.metadata.resourceVersion = undefined;
    expect(encodeForStore(resource, read).text).toBe(encodeForStore(resource, stored).text);
    delete read.metadata.resourceVersion;
    expect(encodeForStore(resource, read).text).toBe(encodeForStore(resource, stored).text);
  });
});

describe('encoding an answer', () => {
  it('writes the revision in the same place', () => {
    expect(encodeAnswer(resource, widget('a', {}, { resourceVersion: '9' }))).toBe(`${head}9","name":"a"},"spec":{}}`);
  });

  it('leaves out an absent revision', () => {
    const sneaky = widget('a', { color: '"resourceVersion":"",' });
    expect(JSON.parse(encodeAnswer(resource, sneaky))).toEqual(sneaky);
  });
});
