import { ApiError, ConnectionError, type Table } from 'kindforge/client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Listing,
  LiveTable,
  type TableEvents,
  type TableSource,
} from '../../../../packages/console/src/data/live-table.js';
import { eventually } from '../../../support/eventually.js';

const tableOf = (names: readonly string[], metadata: object = {}, revision = '1'): Table => ({
  apiVersion: 'meta.k8s.io/v1',
  kind: 'Table',
  metadata: { resourceVersion: '1', ...metadata },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: names.map((name) => ({
    cells: [name],
    object: { apiVersion: 'v1', kind: 'Partial', metadata: { name, namespace: 'default', resourceVersion: revision } },
  })),
});
const refusal = (code: number, reason: string): ApiError =>
  new ApiError(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason });

type Watch = ReturnType<TableSource['watchTable']>;

/** Answers lists and watches in turn. Later watches stay open. */
function scripted(lists: readonly (Table | Error)[], watches: readonly (() => Watch)[] = []) {
  const asked: { list: unknown[]; watch: string[] } = { list: [], watch: [] };
  const source: TableSource = {
    async table({ signal: _, ...options }) {
      asked.list.push(options);
      const answer = lists[Math.min(asked.list.length, lists.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
      return answer;
    },
    watchTable({ resourceVersion, signal }) {
      asked.watch.push(resourceVersion);
      return (watches[asked.watch.length - 1] ?? (() => untilAborted(signal)))();
    },
  };
  return { source, asked };
}

async function* untilAborted(signal: AbortSignal | undefined): Watch {
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
}

function opened(
  source: TableSource,
  { canWatch = true, listing = {} as Listing, onChange = (() => {}) as TableEvents['onChange'] } = {},
) {
  const answers: unknown[] = [];
  const events: TableEvents = { onChange, onAnswer: (error) => answers.push(error) };
  const table = new LiveTable(source, listing, canWatch, events);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  return { table, answers, ended: table.run(ending.signal) };
}

describe('a live table', () => {
  it('shows the first page at once, and the number of all objects', async () => {
    const { source, asked } = scripted([
      tableOf(['a', 'b'], { continue: 'next', remainingItemCount: 3 }),
      tableOf(['c', 'd', 'e']),
    ]);
    const seen: unknown[] = [];
    const onChange = (): void => void seen.push([table.rows.size, table.expected]);
    const { table } = opened(source, { onChange, listing: { labelSelector: 'app=web' } });
    await eventually(() => expect(asked.watch).toEqual(['1']));
    expect(seen.slice(0, 2)).toEqual([
      [2, 5],
      [5, undefined],
    ]);
    expect(asked.list).toEqual([
      { labelSelector: 'app=web', limit: 200 },
      { labelSelector: 'app=web', limit: 2_000, continue: 'next' },
    ]);
  });

  it('keeps one row for each object after tens of thousands of changes, and continues from the last one', async () => {
    const changes = 50_000;
    async function* changing(): Watch {
      for (let at = 2; at < changes; at++)
        yield { type: 'MODIFIED', table: tableOf([`o-${at % 100}`], {}, String(at)) };
      yield { type: 'ADDED', table: tableOf(['new'], {}, String(changes)) };
      yield { type: 'DELETED', table: tableOf(['new', 'o-7'], {}, String(changes + 1)) };
    }
    const { source, asked } = scripted([tableOf(Array.from({ length: 100 }, (_, at) => `o-${at}`))], [changing]);
    const { table } = opened(source);
    await eventually(() => expect(asked.watch).toEqual(['1', String(changes + 1)]));
    expect(table.rows.size).toBe(99);
    expect(table.rows.get('default/o-1')?.changedAt).toBeGreaterThan(0);
  });

  it('lists again when the history is gone, and keeps its rows until then', async () => {
    async function* gone(): Watch {
      yield { type: 'MODIFIED', table: tableOf(['a'], {}, '2') };
      throw refusal(410, 'Expired');
    }
    const { source, asked } = scripted([tableOf(['a']), tableOf(['a', 'b'], { resourceVersion: '9' })], [gone]);
    const sizes = new Set<number>();
    const { table, answers } = opened(source, { onChange: () => sizes.add(table.rows.size) });
    await eventually(() => expect(asked.watch).toEqual(['1', '9']));
    expect([...sizes]).toEqual([1, 2]);
    expect(answers.every((error) => error === undefined)).toBe(true);
  });

  it('keeps its rows while the server is away, and lists again, because it may be another server', async () => {
    async function* lost(): Watch {
      yield { type: 'ADDED', table: tableOf(['b'], {}, '5') };
      throw new ConnectionError('watch', new Error('reset'));
    }
    const { source, asked } = scripted([tableOf(['a']), tableOf(['c'], { resourceVersion: '2' })], [lost]);
    const { table, answers } = opened(source);
    await eventually(() => expect(answers.at(-1)).toBeInstanceOf(ConnectionError));
    expect([...table.rows.keys()]).toEqual(['default/a', 'default/b']);
    await eventually(() => expect(asked.watch).toEqual(['1', '2']));
    expect([...table.rows.keys()]).toEqual(['default/c']);
  });

  it('replaces a row only if it has changed, after it has listed again', async () => {
    async function* gone(): Watch {
      yield* [];
      throw refusal(410, 'Expired');
    }
    const again = tableOf(['a', 'b'], { resourceVersion: '9' }, '1');
    const { source, asked } = scripted(
      [tableOf(['a', 'b', 'c']), { ...again, rows: [...again.rows.slice(1), ...tableOf(['a'], {}, '7').rows] }],
      [gone],
    );
    const changes: (readonly (string | undefined)[])[] = [];
    const { table } = opened(source, {
      onChange: (all) => changes.push(...all.map(({ before, after }) => [before?.name, after?.name])),
    });
    await eventually(() => expect(asked.watch).toEqual(['1', '9']));
    expect(changes.slice(3)).toEqual([
      ['a', 'a'],
      ['c', undefined],
    ]);
    expect(table.rows.get('default/a')?.changedAt).toBeGreaterThan(0);
    expect(table.rows.get('default/b')?.changedAt).toBe(0);
  });

  it('begins the list again when the server has dropped the rest of it, reports it, and shows each object once', async () => {
    const first = tableOf(['a', 'b'], { continue: 'next', remainingItemCount: 1 });
    const { source, asked } = scripted([first, refusal(410, 'Expired'), first, tableOf(['c'])]);
    const seen = new Set<string>();
    const onChange = (): void => void seen.add(`${table.rows.size} ${table.isAgain} ${table.isLoading}`);
    const { table, answers } = opened(source, { onChange });
    await eventually(() => expect(asked.watch.length).toBe(1));
    expect([...seen]).toEqual(['2 false true', '2 true true', '3 false false']);
    expect(answers.every((error) => error === undefined)).toBe(true);
    expect(asked.list.map((one) => Reflect.get(Object(one), 'continue'))).toEqual([
      undefined,
      'next',
      undefined,
      'next',
    ]);
  });

  describe('with a failing server', () => {
    const minute = 60_000;
    async function* ended(): Watch {
      yield* [];
    }
    async function* gone(): Watch {
      yield* [];
      throw refusal(410, 'Expired');
    }
    const many = <T>(one: T): T[] => Array.from({ length: 1_000 }, () => one);

    beforeEach(() => {
      vi.useFakeTimers();
      return () => vi.useRealTimers();
    });

    it.each([
      ['watches end at once', [tableOf(['a'])], many(ended)],
      ['revisions are always too old', [tableOf(['a'])], many(gone)],
      [
        'the rest of a list is never there',
        many([tableOf(['a'], { continue: 'b' }), refusal(410, 'Expired')]).flat(),
        [],
      ],
      ['it does not answer', many(new ConnectionError('list', new Error('refused'))), []],
    ])('asks less and less often if %s', async (_, lists, watches) => {
      const { source, asked } = scripted(lists, watches);
      opened(source);
      const requests = (): number => asked.list.length + asked.watch.length;
      await vi.advanceTimersByTimeAsync(minute);
      expect(requests()).toBeLessThan(32);
      const before = requests();
      await vi.advanceTimersByTimeAsync(10 * minute);
      expect(requests() - before).toBeGreaterThan(10 * 5);
      expect(requests() - before).toBeLessThan(2 * 10 * 13);
    });

    it('comes back at another time than other tabs', async () => {
      const delays = new Set<number>();
      for (let tab = 0; tab < 5; tab++) {
        const times: number[] = [];
        const { source } = scripted(many(new ConnectionError('list', new Error('refused'))));
        const table: TableSource['table'] = (options) => {
          times.push(Date.now());
          return source.table(options);
        };
        opened({ ...source, table });
        await vi.advanceTimersByTimeAsync(2_000);
        delays.add((times[1] ?? 0) - (times[0] ?? 0));
      }
      expect(delays.size).toBeGreaterThan(2);
    });

    it('asks again soon after a watch that has lasted', async () => {
      let lastedUntil = 0;
      async function* lasting(): Watch {
        yield* [];
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        lastedUntil = Date.now();
      }
      const { source, asked } = scripted([tableOf(['a'])], [...Array.from({ length: 8 }, () => ended), lasting]);
      opened(source);
      while (asked.watch.length < 10) await vi.advanceTimersByTimeAsync(100);
      expect(Date.now() - lastedUntil).toBeLessThan(700);
    });
  });

  it('lists again and again if the user may list but not watch, and ends once that is refused too', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    async function* refused(): Watch {
      yield* [];
      throw refusal(403, 'Forbidden');
    }
    const { source, asked } = scripted([tableOf(['a']), tableOf(['b']), refusal(403, 'Forbidden')], [refused]);
    const { table, answers, ended } = opened(source);
    await vi.advanceTimersByTimeAsync(5_500);
    expect([table.isPolled, [...table.rows.keys()], table.error]).toEqual([true, ['default/b'], undefined]);
    expect(answers.every((error) => error === undefined)).toBe(true);
    await vi.advanceTimersByTimeAsync(5_500);
    await ended;
    expect(asked.watch.length).toBe(1);
    expect(table.error).toBeInstanceOf(ApiError);
    expect([...table.rows.keys()]).toEqual(['default/b']);
  });

  it.each([
    [403, 'Forbidden'],
    [404, 'NotFound'],
  ])('ends when the server answers %i, and shows the reason', async (code, reason) => {
    const { source } = scripted([refusal(code, reason)]);
    const { table, ended } = opened(source);
    await ended;
    expect(table.error).toBeInstanceOf(ApiError);
    expect(table.isReady).toBe(false);
  });

  it('lists again and again if the kind cannot be watched', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { source, asked } = scripted([tableOf(['a']), tableOf(['b'])]);
    const { table } = opened(source, { canWatch: false });
    await vi.advanceTimersByTimeAsync(5_500);
    expect(asked.watch).toEqual([]);
    expect([...table.rows.keys()]).toEqual(['default/b']);
  });
});
