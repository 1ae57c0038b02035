/** Compact JSON: the stored bytes, joined to lists without being read again. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry, Schema } from '../../../../../runtime/contract/index.js';
import { entryBytes, jsonRepresentation, WholeListCache } from '../../../../../runtime/request/representation/json.js';
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
  it('is sent in its stored bytes, without a copy', () => {
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

  it('has a token for the next chunk', () => {
    const { metadata } = listed(structural, page(['a'], { continueToken: 'to"ken', remainingItemCount: 0 }));
    expect(metadata).toEqual({ resourceVersion: '9', continue: 'to"ken', remainingItemCount: 0 });
  });

  it('has items without kind and version if the kind is typed', () => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = stored('a');
    expect(listed(typed, page(['a', 'a'])).items).toEqual([rest, rest]);
  });

  it.each([[[]], [['a', 'b']]])(
    'of %j that was joined before is the same bytes, if all its metadata is the same',
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

  it('has items in the requested version', () => {
    const { apiVersion, items } = listed(v2, page(['a']));
    expect(apiVersion).toBe('example.com/v2');
    expect(items).toMatchObject([{ apiVersion: 'example.com/v2', spec: { size: 1 } }]);
  });
});

describe('a long list under a changed definition', () => {
  const since = 4;
  const narrowed = changedModule(widgets, { schema: noColor });
  const defined = {
    uid: undefined,
    since,
    ended: new AbortController().signal,
    terminating: () => false,
    guard: () => guard,
  };
  const guard = { key: 'definition', revision: since };
  const changed = serveResource(narrowed, { defined });
  const long = page(Array.from({ length: 4000 }, (_, at) => `w${at}`));
  const laid = (entries: readonly Entry[]) => jsonRepresentation.list(changed, { ...long, entries });

  it('is made piece by piece, because each item must be read', () => {
    const pieces = laid(long.entries);
    expect(Array.isArray(pieces)).toBe(false);
    const lengths = [...pieces].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
    const [first] = listed(changed, long).items;
    expect(first.spec).toEqual({ size: 1 });
  });

  it('is sent in its stored bytes if all items were written since', () => {
    expect(Array.isArray(laid(long.entries.map((entry) => ({ ...entry, revision: since + 1 }))))).toBe(true);
  });
});

describe('a bookmark', () => {
  it('is an object with only a revision', () => {
    expect(JSON.parse(Buffer.from(jsonRepresentation.bookmark(structural, 7)).toString())).toEqual({
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '7', creationTimestamp: null },
    });
  });
});

const resource = serveResource(widgets);
const other = serveResource(widgets);

const kib = 1024;
const often = 16;

const pageOf = (more: Partial<Page> = {}): Page => ({
  revision: 9,
  entries: [],
  repeated: true,
  selected: false,
  continueToken: '',
  ...more,
});

/** Makes lists of a size, in two chunks. Returns their pieces, and whether they were made. */
function lists() {
  const whole = new WholeListCache();
  return (page: Page, size: number, of = resource) => {
    let made = false;
    const chunks = whole.of(of, page, (askedFor: ServedResource, { revision }: Page) => {
      made = true;
      const text = `${revision}${askedFor === resource ? 'a' : 'b'}`;
      return [Buffer.alloc(3, text), Buffer.alloc(size - 3, text)];
    });
    return { pieces: chunks.length, made, begins: Buffer.concat([...chunks]).toString('latin1', 0, 3) };
  };
}

/** Asks so often that the next request finds a single piece. */
function askOften(ask: ReturnType<typeof lists>, page: Page, size: number): void {
  for (let i = 0; i < often; i++) ask(page, size);
}

describe('a list', () => {
  it('that is small is one piece, which is kept when it is requested again', () => {
    const ask = lists();
    const once = pageOf({ repeated: false });
    expect(ask(once, 64 * kib)).toMatchObject({ pieces: 1, made: true });
    expect(ask({ ...once, repeated: true }, 64 * kib)).toMatchObject({ pieces: 1, made: true });
    expect(ask({ ...once, repeated: true }, 64 * kib)).toMatchObject({ pieces: 1, made: false });
  });

  it('of one chunk is not copied', () => {
    const chunks = [Buffer.from('{}')];
    expect(new WholeListCache().of(resource, pageOf(), () => chunks)).toBe(chunks);
  });

  it('that is large is one piece when it is requested often', () => {
    const ask = lists();
    const page = pageOf();
    for (let i = 1; i < often; i++) expect(ask({ ...page }, 64 * kib + 1)).toMatchObject({ pieces: 2, made: true });
    expect(ask({ ...page }, 64 * kib + 1)).toMatchObject({ pieces: 1, made: true });
    expect(ask({ ...page }, 64 * kib + 1)).toEqual({ pieces: 1, made: false, begins: '9a9' });
  });

  it('that is above the size limit is never copied', () => {
    const ask = lists();
    const page = pageOf();
    for (let i = 0; i < 2 * often; i++) expect(ask(page, 2048 * kib + 1)).toMatchObject({ pieces: 2, made: true });
  });

  it.each([{ revision: 10 }, { continueToken: 'on' }, { remainingItemCount: 3 }])(
    'with other list metadata for the same entries, such as %o, is built again, and copied only once it is requested often',
    (more) => {
      const ask = lists();
      const page = pageOf();
      askOften(ask, page, 100 * kib);
      expect(ask({ ...page, ...more }, 100 * kib)).toMatchObject({ pieces: 2, made: true });
    },
  );

  it('of another resource is built again', () => {
    const ask = lists();
    const page = pageOf();
    askOften(ask, page, 100 * kib);
    expect(ask(page, 100 * kib, other)).toEqual({ pieces: 2, made: true, begins: '9b9' });
  });
});

describe('the copies of large lists', () => {
  it('stay while there is room for them, and are made again once they were evicted', () => {
    const ask = lists();
    const pages = Array.from({ length: 5 }, () => pageOf({ entries: [] }));
    const size = 2048 * kib;
    const isKept = (page: Page | undefined) => page !== undefined && !ask(page, size).made;
    for (const page of pages.slice(0, 4)) askOften(ask, page, size);
    expect(pages.map(isKept)).toEqual([true, true, true, true, false]);
    for (let i = 0; i < 200; i++) ask(pageOf({ entries: [] }), 64 * kib);
    expect(isKept(pages[0])).toBe(true);
    for (const page of pages.slice(4)) askOften(ask, page, size);
    expect(pages.map(isKept)).toEqual([false, false, false, false, true]);
    for (const page of pages) askOften(ask, page, size);
    expect(pages.map(isKept)).toEqual([false, false, false, true, true]);
  });
});
