/** Compact JSON: the bytes that are stored, joined to lists without being read again. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry, Schema } from '../../../../../runtime/contract/index.js';
import { entryBytes, jsonRepresentation } from '../../../../../runtime/request/representation/json.js';
import type { Page } from '../../../../../runtime/request/representation/representation.js';
import { encodeAnswer } from '../../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../../runtime/resource/served-resource.js';
import { changedModule } from '../../../../support/modules.js';
import { widget, widgets } from '../../../../support/widgets.js';

const structural = serveResource(widgets);
const typed = serveResource({ ...widgets, decoding: 'typed' });
const noColor: Schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: {} } } } };
const v2 = serveResource(changedModule(widgets, { version: 'v2', schema: noColor }), {
  stored: structural,
});

const stored = (name: string): ApiObject => widget(name, { size: 1, color: 'réd' }, { resourceVersion: '4' });

const entryOf = (name: string): Entry => ({
  key: `example.com/widgets/default/${name}`,
  revision: 4,
  bytes: Buffer.from(encodeAnswer(structural, stored(name))),
  attributes: { labels: {}, fields: {} },
});

const page = (names: readonly string[], more: Partial<Page> = {}): Page => ({
  revision: 9,
  entries: names.map(entryOf),
  repeated: false,
  selected: false,
  continueToken: '',
  ...more,
});

const listed = (resource: ServedResource, of: Page) =>
  JSON.parse(Buffer.concat([...jsonRepresentation.list(resource, of)]).toString());

describe('an entry', () => {
  it('is sent as it is stored, without a copy', () => {
    const entry = entryOf('a');
    expect(jsonRepresentation.entry(structural, entry)).toBe(entry.bytes);
    expect(jsonRepresentation.event(structural, entry, true)).toBe(entry.bytes);
  });

  it('is read and written again for another version', () => {
    expect(JSON.parse(Buffer.from(entryBytes(v2, entryOf('a'))).toString())).toEqual({
      ...stored('a'),
      apiVersion: 'example.com/v2',
      spec: { size: 1 },
    });
  });
});

describe('a list', () => {
  it('is empty, of one, or of many', () => {
    for (const names of [[], ['a'], ['a', 'b', 'c']]) {
      expect(listed(structural, page(names))).toEqual({
        kind: 'WidgetList',
        apiVersion: 'example.com/v1',
        metadata: { resourceVersion: '9', continue: '' },
        items: names.map(stored),
      });
    }
  });

  it('says how it goes on', () => {
    const { metadata } = listed(structural, page(['a'], { continueToken: 'to"ken', remainingItemCount: 0 }));
    expect(metadata).toEqual({ resourceVersion: '9', continue: 'to"ken', remainingItemCount: 0 });
  });

  it('has items without kind and version where the kind is typed', () => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = stored('a');
    expect(listed(typed, page(['a', 'a'])).items).toEqual([rest, rest]);
  });

  it.each([[[]], [['a', 'b']]])(
    'of %j that was joined before is the same bytes, where all that it says is the same',
    (names) => {
      const first = page(names, { repeated: true });
      const chunks = jsonRepresentation.list(structural, first);
      expect(jsonRepresentation.list(structural, { ...first })).toBe(chunks);
      for (const other of [{ revision: 10 }, { continueToken: 'on' }, { remainingItemCount: 3 }] as const) {
        const metadata = { resourceVersion: '9', continue: '', ...listed(structural, page(names, other)).metadata };
        expect(listed(structural, { ...first, ...other }).metadata).toEqual(metadata);
        jsonRepresentation.list(structural, first);
      }
      expect(listed(v2, first).apiVersion).toBe('example.com/v2');
      expect(listed(structural, first)).toEqual(listed(structural, page(names)));
      const once = page(names);
      expect(jsonRepresentation.list(structural, { ...once })).not.toBe(jsonRepresentation.list(structural, once));
    },
  );

  it('has items in the version that was asked for', () => {
    const { apiVersion, items } = listed(v2, page(['a']));
    expect(apiVersion).toBe('example.com/v2');
    expect(items).toMatchObject([{ apiVersion: 'example.com/v2', spec: { size: 1 } }]);
  });
});

describe('a long list whose definition has changed', () => {
  const since = 4;
  const narrowed = changedModule(widgets, { schema: noColor });
  const defined = { since, ended: new AbortController().signal, terminating: () => false, guard: () => guard };
  const guard = { key: 'definition', revision: since };
  const changed = serveResource(narrowed, { defined });
  const long = page(Array.from({ length: 4000 }, (_, at) => `w${at}`));
  const laid = (entries: readonly Entry[]) => jsonRepresentation.list(changed, { ...long, entries });

  it('is made piece by piece, as each item has to be read', () => {
    const pieces = laid(long.entries);
    expect(Array.isArray(pieces)).toBe(false);
    const lengths = [...pieces].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
    const [first] = listed(changed, long).items;
    expect(first.spec).toEqual({ size: 1 });
  });

  it('is sent as it is stored where all has been written since', () => {
    expect(Array.isArray(laid(long.entries.map((entry) => ({ ...entry, revision: since + 1 }))))).toBe(true);
  });
});

describe('a bookmark', () => {
  it('is an object with nothing but a revision', () => {
    expect(JSON.parse(Buffer.from(jsonRepresentation.bookmark(structural, 7)).toString())).toEqual({
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '7', creationTimestamp: null },
    });
  });
});
