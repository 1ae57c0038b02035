/** Lists in one piece: the bytes of what was asked for, copied where that is worth it, in bounded memory. */
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../../../runtime/request/representation/representation.js';
import { WholeListCache } from '../../../../../runtime/request/representation/whole-list-cache.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../../runtime/resource/served-resource.js';
import { widgets } from '../../../../support/widgets.js';

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

/** Lists of a size, in two chunks; tells what they were, and whether they had to be made. */
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

/** Asks so often that the next one finds a piece. */
function askOften(ask: ReturnType<typeof lists>, page: Page, size: number): void {
  for (let i = 0; i < often; i++) ask(page, size);
}

describe('a list', () => {
  it('that is small is one piece, which is kept when it is asked for again', () => {
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

  it('that is large is one piece when it is asked for often', () => {
    const ask = lists();
    const page = pageOf();
    for (let i = 1; i < often; i++) expect(ask({ ...page }, 64 * kib + 1)).toMatchObject({ pieces: 2, made: true });
    expect(ask({ ...page }, 64 * kib + 1)).toMatchObject({ pieces: 1, made: true });
    expect(ask({ ...page }, 64 * kib + 1)).toEqual({ pieces: 1, made: false, begins: '9a9' });
  });

  it('that is larger than any that are copied never is', () => {
    const ask = lists();
    const page = pageOf();
    for (let i = 0; i < 2 * often; i++) expect(ask(page, 2048 * kib + 1)).toMatchObject({ pieces: 2, made: true });
  });

  it.each([{ revision: 10 }, { continueToken: 'on' }, { remainingItemCount: 3 }])(
    'with other list metadata for the same entries, such as %o, is built again, and copied only once it is asked for often',
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
  it('stay as long as there is room for them, and are made again after they had to go', () => {
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
