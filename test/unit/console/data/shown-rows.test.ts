import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Row } from '../../../../packages/console/src/data/live-table.js';
import { ShownRows } from '../../../../packages/console/src/data/shown-rows.js';

const row = (name: string): Row => ({
  ...{ id: `/${name}`, namespace: '', name, labels: {}, created: '', cells: [name], revision: '', changedAt: 0 },
});
const plain = { text: '', sort: '', isDescending: false };

describe('shown rows', () => {
  const all = new Map<string, Row>();
  let shows = 0;
  let shown: ShownRows;
  const add = (name: string): void => {
    const after = row(name);
    all.set(after.id, after);
    shown.take([{ before: undefined, after }]);
  };
  const names = (): string[] => shown.rows.map(({ name }) => name);

  beforeEach(() => {
    vi.useFakeTimers();
    all.clear();
    shows = 0;
    shown = new ShownRows({ all: () => all.values(), onShow: () => shows++ });
    return () => vi.useRealTimers();
  });

  it('are drawn once for many changes', async () => {
    for (const name of ['b', 'a', 'c']) add(name);
    expect(shows).toBe(0);
    await vi.advanceTimersByTimeAsync(20);
    expect([shows, names()]).toEqual([1, ['a', 'b', 'c']]);
  });

  it('are drawn four times a second if there are very many', async () => {
    for (let at = 0; at < 20_000; at++) add(`o-${at}`);
    await vi.advanceTimersByTimeAsync(20);
    shows = 0;
    for (let turn = 0; turn < 50; turn++) {
      add(`more-${turn}`);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(shows).toBeGreaterThanOrEqual(3);
    expect(shows).toBeLessThanOrEqual(4);
  });

  it('are sorted at once if there are few', () => {
    for (const name of ['b', 'a']) all.set(`/${name}`, row(name));
    void shown.arrange([], plain);
    expect([names(), shown.isBusy]).toEqual([['a', 'b'], false]);
  });

  it('have changes that came during a long sort, and only the last requested order', async () => {
    for (let at = 0; at < 30_000; at++) all.set(`/o-${(at * 7_919) % 30_000}`, row(`o-${(at * 7_919) % 30_000}`));
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock++);
    const orders = [shown.arrange([], plain), shown.arrange([], { ...plain, text: 'o-1' })];
    add('o-1-b');
    await vi.runAllTimersAsync();
    await Promise.all(orders);
    expect([shown.rows.length, names()[0]]).toEqual([11_112, 'o-1']);
  });

  it('stay in their places while they are held, and move then', async () => {
    add('b');
    await vi.advanceTimersByTimeAsync(20);
    shown.hold(true);
    add('a');
    await vi.advanceTimersByTimeAsync(20);
    expect([names(), shown.waiting]).toEqual([['b'], 1]);
    shown.hold(false);
    expect([names(), shown.waiting]).toEqual([['a', 'b'], 0]);
  });
});
