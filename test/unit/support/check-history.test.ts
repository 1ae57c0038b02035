/** The history checker finds nothing in a valid history, and each kind of violation in an invalid one. */
import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../support/history/check-history.js';
import type {
  GetRecord,
  History,
  ListRecord,
  Seen,
  Violation,
  WatchedChange,
  WatchRecord,
  WriteRecord,
} from '../../support/history/records.js';

const span = (began: number, ended = began + 1) => ({ began, ended });
const seen = (key: string, revision: number, value: string): Seen => ({ key, revision, value });

const put = (began: number, key: string, value: string, outcome: WriteRecord['outcome'], expected?: number) =>
  ({ ...span(began), key, value, outcome, ...(expected === undefined ? {} : { expected }) }) satisfies WriteRecord;
const remove = (began: number, key: string, outcome: WriteRecord['outcome'], expected?: number) =>
  ({ ...span(began), key, outcome, ...(expected === undefined ? {} : { expected }) }) satisfies WriteRecord;

const list = (
  began: number,
  revision: number,
  entries: readonly Seen[],
  more: Partial<ListRecord> = {},
): ListRecord => ({
  ...span(began),
  latest: true,
  revisions: [revision],
  entries,
  ...more,
});

const change = (
  type: WatchedChange['type'],
  key: string,
  revision: number,
  value: string,
  at = 1000,
): WatchedChange => ({
  ...seen(key, revision, value),
  type,
  at,
});

/** a: created, updated twice, deleted, created again. b: created without an answer. c: created. */
const writes: readonly WriteRecord[] = [
  put(0, 'a', 'a1', 11, 0),
  put(10, 'a', 'a2', 12, 11),
  put(12, 'a', 'late', 'refused', 11),
  put(14, 'b', 'b1', 'unknown', 0),
  put(20, 'a', 'a3', 14),
  remove(30, 'a', 15, 14),
  put(40, 'a', 'a4', 16, 0),
  put(50, 'c', 'c1', 20, 0),
];
const changes: readonly WatchedChange[] = [
  change('ADDED', 'a', 11, 'a1'),
  change('MODIFIED', 'a', 12, 'a2'),
  change('ADDED', 'b', 13, 'b1'),
  change('MODIFIED', 'a', 14, 'a3'),
  change('DELETED', 'a', 15, 'a3'),
  change('ADDED', 'a', 16, 'a4'),
  change('ADDED', 'c', 20, 'c1'),
];
const end: readonly Seen[] = [seen('a', 16, 'a4'), seen('b', 13, 'b1'), seen('c', 20, 'c1')];

/** Makes a history from the valid one with some parts replaced. */
const history = (parts: Partial<History> = {}): History => ({
  writes,
  gets: [],
  lists: [list(60, 20, end)],
  watches: [{ from: 10, changes }],
  ...parts,
});

const rules = (parts: Partial<History>): Violation['rule'][] => [
  ...new Set(checkHistory(history(parts)).map(({ rule }) => rule)),
];

/** Returns the watches of the valid history without some changes. */
const without = (...revisions: number[]): readonly WatchRecord[] => [
  { from: 10, changes: changes.filter(({ revision }) => !revisions.includes(revision)) },
];

describe('a valid history', () => {
  it('has no violations', () => {
    expect(checkHistory(history())).toEqual([]);
    expect(checkHistory({ writes: [], gets: [], lists: [], watches: [] })).toEqual([]);
  });

  it('may have watches that continue each other, and watches that saw nothing', () => {
    const watches = [
      { from: 10, changes: changes.slice(0, 3) },
      { from: 13, changes: [] },
      { from: 13, changes: changes.slice(3) },
    ];
    expect(rules({ watches })).toEqual([]);
  });

  it('may have lists of earlier revisions, and gets as old as requested', () => {
    const past = list(60, 14, [seen('a', 14, 'a3'), seen('b', 13, 'b1')], { latest: false, exactly: 14 });
    const none = list(61, 15, [seen('b', 13, 'b1')], { latest: false, revisions: [15, 15] });
    const get: GetRecord = { ...span(62), key: 'a', latest: false, notBefore: 13, found: seen('a', 12, 'a2') };
    expect(rules({ lists: [past, none], gets: [get] })).toEqual([]);
  });

  it('may have changes in progress while they were read', () => {
    // Requested before the creation was acknowledged, answered after it.
    const early: GetRecord = { began: 40, ended: 60, key: 'a', latest: true };
    expect(rules({ gets: [early] })).toEqual([]);
  });

  it('may lack a deletion that nobody has seen', () => {
    const unknown = writes.map((write) =>
      write.value === undefined ? { ...write, outcome: 'unknown' as const } : write,
    );
    // Nobody watched over revision 15.
    const watches = [
      { from: 10, changes: changes.slice(0, 4) },
      { from: 15, changes: changes.slice(5) },
    ];
    expect(rules({ writes: unknown, watches })).toEqual([]);
    expect(rules({ writes: unknown, watches: without(15) })).toEqual(['double win', 'wrong type']);
  });
});

describe('the checker finds', () => {
  it.each<[Violation['rule'], string, Partial<History>]>([
    ['lost write', 'an acknowledged write that is not there', { lists: [list(60, 20, end.slice(0, 2))] }],
    [
      'lost write',
      'one that was undone',
      { lists: [list(60, 13, [seen('a', 11, 'a1'), seen('b', 13, 'b1')], { latest: false })] },
    ],
    [
      'lost write',
      'a deletion that was undone',
      { lists: [list(60, 15, [seen('a', 14, 'a3'), seen('b', 13, 'b1')], { latest: false })] },
    ],
    ['lost write', 'one that a get does not find', { gets: [{ ...span(60), key: 'c', latest: true }] }],
    [
      'double win',
      'two updates of one version',
      { writes: [...writes.slice(0, 2), put(12, 'a', 'late', 13, 11)], watches: [], lists: [] },
    ],
    ['double win', 'two creations', { writes: [...writes, put(60, 'c', 'c2', 21, 0)], watches: [], lists: [] }],
    [
      'double win',
      'two deletions',
      { writes: [...writes, remove(60, 'c', 21), remove(60, 'c', 22)], watches: [], lists: [] },
    ],
    [
      'double win',
      'a deletion of another version than was named',
      { writes: [...writes, remove(60, 'a', 21, 14)], watches: [], lists: [] },
    ],
    [
      'applied twice',
      'an unacknowledged write that happened again',
      { watches: [{ from: 10, changes: [...changes, change('MODIFIED', 'b', 21, 'b1')] }], lists: [] },
    ],
    [
      'applied twice',
      'a write that happened at another revision than was said',
      { lists: [list(60, 19, [seen('a', 16, 'a4'), seen('b', 13, 'b1'), seen('c', 19, 'c1')], { latest: false })] },
    ],
    [
      'phantom',
      'a value that nobody has written',
      { gets: [{ ...span(60), key: 'b', latest: false, found: seen('b', 18, 'half') }] },
    ],
    [
      'phantom',
      'one that was refused',
      { gets: [{ ...span(60), key: 'a', latest: false, found: seen('a', 18, 'late') }] },
    ],
    [
      'phantom',
      'one that was written to another key',
      { gets: [{ ...span(60), key: 'd', latest: false, found: seen('d', 18, 'b1') }] },
    ],
    [
      'phantom',
      'a deletion that nobody has made',
      { watches: [{ from: 10, changes: [...changes, change('DELETED', 'c', 21, 'c1')] }] },
    ],
    ['repeated revision', 'a revision that two changes have', { writes: [...writes, put(60, 'd', 'd1', 20)] }],
    [
      'revision went back',
      'a write below what was known',
      { writes: [...writes, put(70, 'd', 'd1', 18, 0)], watches: [] },
    ],
    [
      'revision went back',
      'changes out of order',
      { watches: [{ from: 10, changes: [...changes.slice(0, 2), ...changes.slice(3, 4), ...changes.slice(2, 3)] }] },
    ],
    ['missed change', 'one in the middle of a watch', { watches: without(12) }],
    ['missed change', 'one that only a list shows', { watches: without(13) }],
    [
      'missed change',
      'one between two connections',
      {
        watches: [
          { from: 10, changes: changes.slice(0, 2) },
          { from: 12, changes: changes.slice(3) },
        ],
      },
    ],
    ['repeated change', 'one within a watch', { watches: [{ from: 10, changes: [...changes, ...changes.slice(-1)] }] }],
    ['repeated change', 'one from before it began', { watches: [{ from: 11, changes }] }],
    [
      'wrong type',
      'an addition of what was there',
      {
        watches: [{ from: 10, changes: changes.map((one) => (one.revision === 12 ? { ...one, type: 'ADDED' } : one)) }],
      },
    ],
    [
      'wrong type',
      'a modification of what was not',
      {
        watches: [
          { from: 10, changes: changes.map((one) => (one.revision === 16 ? { ...one, type: 'MODIFIED' } : one)) },
        ],
      },
    ],
    ['stale read', 'a list that is older than what was known', { lists: [list(60, 16, end.slice(0, 2))] }],
    [
      'stale read',
      'a list that is older than was asked for',
      { lists: [list(60, 16, end.slice(0, 2), { latest: false, notBefore: 18 })] },
    ],
    [
      'stale read',
      'a get of an earlier version',
      { gets: [{ ...span(60), key: 'a', latest: true, found: seen('a', 12, 'a2') }] },
    ],
    [
      'stale read',
      'a get that is older than was asked for',
      { gets: [{ ...span(60), key: 'a', latest: false, notBefore: 16, found: seen('a', 12, 'a2') }] },
    ],
    ['wrong state', 'a list at another revision than was named', { lists: [list(60, 20, end, { exactly: 16 })] }],
    ['wrong state', 'chunks of different revisions', { lists: [list(60, 20, end, { revisions: [20, 21] })] }],
    ['wrong state', 'a list that shows what came later', { lists: [list(60, 16, end, { latest: false })] }],
    ['wrong state', 'a list that repeats itself', { lists: [list(60, 20, [...end, ...end.slice(-1)])] }],
  ])('%s: %s', (rule, _what, parts) => expect(rules(parts)).toContain(rule));
});
