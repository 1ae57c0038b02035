/** Attributes of entries that were loaded without them are read step by step, and at once for a waiting caller. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AttributeReader } from '../../../../../runtime/contract/index.js';
import { LaterReading } from '../../../../../runtime/storage/memory/later-attributes.js';
import { entryMaker } from '../../../../../runtime/storage/memory/loaded-entries.js';
import { Replica } from '../../../../../runtime/storage/memory/replica.js';
import type { StoredEntry } from '../../../../../runtime/storage/memory/stored-entry.js';

const newReplica = (): Replica => new Replica({ historyWindowMs: 1000, historyMaxBytes: 1000, now: () => 0 }, 0);

/** Makes entries of objects with a label each, and counts how many of them were read. */
function loaded(count: number) {
  let read = 0;
  const reader: AttributeReader = Object.assign(
    () => {
      read++;
      return { labels: { app: 'web' }, fields: {} };
    },
    { isCurrent: () => true },
  );
  const toEntry = entryMaker(newReplica(), reader);
  const entries = Array.from({ length: count }, (_, i) => toEntry(`g/things/${i}`, i + 1, Buffer.from('{"a":1}')));
  return { entries: entries.filter((entry): entry is StoredEntry => entry !== undefined), read: () => read };
}

describe('entries that were loaded without their attributes', () => {
  it('read them once, on request', () => {
    const { entries, read } = loaded(2);
    expect(read()).toBe(0);
    expect([entries[0]?.attributes, entries[0]?.attributes]).toEqual(
      Array(2).fill({ labels: { app: 'web' }, fields: {} }),
    );
    expect(read()).toBe(1);
    expect(entries[1]?.outdated).toBeUndefined();
    expect(read()).toBe(1);
  });

  it('are read at once if their bytes are not an object of this version', () => {
    const reader: AttributeReader = Object.assign(() => ({ labels: {}, fields: {} }), { isCurrent: () => false });
    const toEntry = entryMaker(newReplica(), reader);
    expect(toEntry('g/things/a', 1, Buffer.from('{"a":1}'))?.attributes).toEqual({ labels: {}, fields: {} });
    expect(toEntry('g/things/b', 2, Buffer.from('{"a":'))).toBeUndefined();
  });

  it('are read from a part of the bytes, if possible', () => {
    const { entries, read } = loaded(0);
    const reader: AttributeReader = Object.assign(() => ({ labels: {}, fields: {} }), {
      isCurrent: () => true,
      cutOut: () => ({ labels: { cut: 'out' }, fields: {} }),
    });
    const entry = entryMaker(newReplica(), reader)('g/things/a', 1, Buffer.from('{}'));
    expect(entry?.attributes.labels).toEqual({ cut: 'out' });
    expect([entries.length, read()]).toEqual([0, 0]);
  });
});

describe('the reading of attributes', () => {
  it('ends by itself', async () => {
    const { entries, read } = loaded(300);
    const reading = new LaterReading(entries);
    while (read() < 300) await sleep(1);
    await sleep(20);
    expect(reading.done()).toBeUndefined();
  });

  it('continues for waiting callers, and lets others have their turn', async () => {
    const { entries, read } = loaded(5000);
    const reading = new LaterReading(entries);
    await Promise.all([reading.done(), reading.done()]);
    expect(read()).toBe(5000);
    expect(reading.done()).toBeUndefined();
  });

  it('releases waiters when it is stopped', async () => {
    const reading = new LaterReading(loaded(5000).entries);
    const waiting = reading.done();
    reading.stop();
    await waiting;
    expect(reading.done()).toBeUndefined();
  });
});
