import { describe, expect, it } from 'vitest';
import type { Row, RowChange } from '../../../../packages/console/src/data/live-table.js';
import { compareCells, RowView, type ViewOptions } from '../../../../packages/console/src/data/table-view.js';

const columns = [
  { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
  { name: 'Size', type: 'string', format: '', description: '', priority: 0 },
];
const row = (name: string, size: unknown = '', labels = {}): Row => ({
  id: `default/${name}`,
  namespace: 'default',
  name,
  labels,
  created: '',
  cells: [name, size],
  revision: '',
  changedAt: 0,
});
const byId = (...rows: readonly Row[]): Map<string, Row> => new Map(rows.map((one) => [one.id, one]));
const plain = { text: '', sort: '', isDescending: false };
const names = (rows: readonly Row[]): string[] => rows.map(({ name }) => name);

/** Returns a view with all rows. */
function viewOf(rows: ReadonlyMap<string, Row>, options: Partial<ViewOptions> = {}): RowView {
  const view = new RowView();
  for (const _ of view.arrange(rows.values(), columns, { ...plain, ...options }));
  return view;
}
const shown = (rows: ReadonlyMap<string, Row>, options: Partial<ViewOptions> = {}): string[] =>
  names(viewOf(rows, options).order);

/** Puts a row into the map, or removes it, and returns the change. */
function changed(rows: Map<string, Row>, one: Row, isGone = false): RowChange {
  const before = rows.get(one.id);
  if (isGone) rows.delete(one.id);
  else rows.set(one.id, one);
  return { before, after: isGone ? undefined : one };
}

function randomNumbers(): (below: number) => number {
  let seed = 1;
  return (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
}

describe('the rows to show', () => {
  it('have each word of the text in a cell, the namespace or a label', () => {
    const rows = byId(row('a', 'Big'), row('b', 'big', { app: 'web' }), row('c'));
    expect(shown(rows, { text: 'APP=web big' })).toEqual(['b']);
    expect(shown(rows, { text: 'default' })).toEqual(['a', 'b', 'c']);
  });

  it('are sorted by values, then by name', () => {
    const rows = byId(row('d', '1Gi'), row('c', '20Mi'), row('b', '100Ki'), row('a', '20Mi'));
    expect(shown(rows, { sort: 'Size' })).toEqual(['b', 'a', 'c', 'd']);
    expect(shown(rows, { sort: 'Size', isDescending: true })).toEqual(['d', 'a', 'c', 'b']);
    expect(shown(byId(row('o-10'), row('o-9')))).toEqual(['o-9', 'o-10']);
  });

  it('are sorted in short steps, and do not change until the last', () => {
    const random = randomNumbers();
    const rows = byId(...Array.from({ length: 20_000 }, (_, at) => row(`o-${at}`, random(500))));
    const view = viewOf(byId(row('before')));
    let steps = 0;
    for (const _ of view.arrange(rows.values(), columns, { ...plain, sort: 'Size' })) {
      if (steps++ < 30) expect(names(view.order)).toEqual(['before']);
    }
    expect(steps).toBeGreaterThan(100);
    const sizes = view.order.map(({ cells }) => Number(cells[1]));
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(view.order.length).toBe(20_000);
  });

  it('are the same array while no visible cell changes', () => {
    const rows = byId(row('only'), row('b'));
    const view = viewOf(rows, { text: 'only' });
    const { order } = view;
    view.take([changed(rows, row('b', 'x')), changed(rows, row('x'))], false);
    expect(view.order).toBe(order);
  });

  it.each([plain, { text: '1', sort: 'Size', isDescending: true }])(
    'are the same after any changes, held or not, as in a new view: %o',
    (options) => {
      const random = randomNumbers();
      const rows = new Map<string, Row>();
      const view = viewOf(rows, options);
      for (let step = 0; step < 500; step++) {
        const changes = Array.from({ length: random(5) }, () =>
          changed(rows, row(`o-${random(60)}`, random(20)), random(3) === 0),
        );
        const isHeld = random(3) > 0;
        view.take(changes, isHeld);
        if (!isHeld) expect(view.order).toEqual(viewOf(rows, options).order);
      }
    },
  );
});

describe('rows that are held', () => {
  it('keep their places, with new cells, until they may move', () => {
    const rows = byId(row('a', 1), row('b', 2), row('c', 3));
    const view = viewOf(rows, { sort: 'Size' });
    view.take([changed(rows, row('a', 9)), changed(rows, row('b', 2, { new: 'label' }))], true);
    view.take([changed(rows, row('c'), true), changed(rows, row('0', 0))], true);
    expect(view.order.map(({ name, cells }) => [name, cells[1]])).toEqual([
      ['a', 9],
      ['b', 2],
      ['c', 3],
    ]);
    expect([view.waiting, view.fitting, view.order.length]).toEqual([3, 3, 3]);
    view.take([changed(rows, row('d', 4))], true);
    expect([view.fitting, view.order.length]).toEqual([rows.size, 3]);
    expect(view.order.filter((one) => view.isGone(one)).map(({ name }) => name)).toEqual(['c']);
    view.release();
    expect(names(view.order)).toEqual(['0', 'b', 'd', 'a']);
    expect(view.waiting).toBe(0);
  });

  it('do not count an object that was added and removed meanwhile', () => {
    const rows = byId(row('a'));
    const view = viewOf(rows);
    view.take([changed(rows, row('b'))], true);
    view.take([changed(rows, row('b'), true)], true);
    expect([view.waiting, names(view.order)]).toEqual([0, ['a']]);
  });
});

describe('cells', () => {
  it.each([
    [9, 10],
    ['1m', '1'],
    ['999Ki', '1Mi'],
    ['-5', '3'],
    ['node-9', 'node-10'],
    ['', 'a'],
  ])('compare %s below %s', (less, greater) => {
    expect(compareCells(less, greater)).toBeLessThan(0);
    expect(compareCells(greater, less)).toBeGreaterThan(0);
  });
});
