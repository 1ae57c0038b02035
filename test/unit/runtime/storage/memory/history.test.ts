/** The history returns its changes unchanged, although it keeps additions in another form. */
import { describe, expect, it } from 'vitest';
import type { StoreEvent } from '../../../../../runtime/contract/index.js';
import { History } from '../../../../../runtime/storage/memory/history.js';
import { StoredEntry, type StoredEvent } from '../../../../../runtime/storage/memory/stored-entry.js';

const entry = (key: string, revision: number) => new StoredEntry(key, revision, { labels: {}, fields: {} });

/** Returns the changes in the life of a key, and an addition of another resource between. */
function changes(): readonly StoredEvent[] {
  const [first, second, last] = [entry('g/things/a', 1), entry('g/things/a', 3), entry('g/things/a', 4)];
  return [
    { type: 'ADDED', revision: 1, entry: first },
    { type: 'ADDED', revision: 2, entry: entry('g/others/a', 2) },
    { type: 'MODIFIED', revision: 3, entry: second, previous: first },
    { type: 'DELETED', revision: 4, entry: last, previous: second },
    { type: 'ADDED', revision: 5, entry: entry('g/things/b', 5) },
  ];
}

function setUp() {
  let time = 0;
  const dropped: StoreEvent[] = [];
  const now = () => time;
  const options = { windowMs: 1000, maxBytes: 10_000, now, dropped: (event: StoreEvent) => dropped.push(event) };
  const history = new History(options, 0);
  const append = (event: StoredEvent, at: number): void => {
    time = at;
    history.append(event);
  };
  const trimAt = (at: number): void => {
    time = at;
    history.trim();
  };
  return { history, append, trimAt, dropped };
}

describe('the history', () => {
  it('returns the changes after a revision, of all resources or of one, unchanged', () => {
    const { history, append } = setUp();
    const events = changes();
    for (const event of events) append(event, 0);
    expect(history.after(0, '')).toEqual(events);
    expect(history.after(0, 'g/things/')).toEqual(events.filter(({ revision }) => revision !== 2));
    expect(history.after(3, 'g/things/a')).toEqual(events.slice(3, 4));
    expect(history.after(4, '')).toEqual(events.slice(4));
    expect(history.after(5, '')).toEqual([]);
    const [first] = history.after(0, '');
    // This is the store's own entry, with the position of its bytes, and not a copy.
    expect(first?.entry).toBe(events[0]?.entry);
  });

  it('keeps less of additions, and returns the same event to all callers', () => {
    const { history, append } = setUp();
    const events = changes();
    for (const event of events) append(event, 0);
    const told = history.after(0, 'g/things/');
    expect(told).toEqual(events.filter(({ revision }) => revision !== 2));
    expect(told[0]).not.toBe(events[0]);
    for (const [at, event] of history.after(0, 'g/things/').entries()) expect(event).toBe(told[at]);
    expect(history.after(0, '')).toEqual(events);
  });

  it('reports each change that it drops, oldest first, unchanged', () => {
    const { append, trimAt, dropped, history } = setUp();
    const events = changes();
    for (const [at, event] of events.entries()) append(event, at * 100);
    trimAt(1250);
    expect(dropped).toEqual(events.slice(0, 3));
    expect(history.oldestRevision).toBe(3);
    expect(history.after(3, '')).toEqual(events.slice(3));
    history.clear(7);
    expect(dropped).toEqual(events);
    expect(history.oldestRevision).toBe(7);
    expect(history.bytes).toBe(0);
  });
});
