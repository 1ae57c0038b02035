/** Reads the objects in etcd: first all of them into empty memory, later only the ones that differ from memory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttributeReader, Key, OnLoading } from '../../contract/index.js';
import { inKeyOrder } from '../keys.js';
import { entryMaker } from '../memory/loaded-entries.js';
import type { Replica } from '../memory/replica.js';
import { StoredEntry, toEvent } from '../memory/stored-entry.js';
import { restampBytes } from '../stamp.js';
import { type Connection, READ } from './connection.js';
import type { Decryption } from './decryption.js';
import { damageOf, type Entries } from './entries.js';
import type { Layout } from './layout.js';
import { type KeyValue, range } from './messages.js';
import { type EtcdRevision, type Numbering, positionOf } from './numbering.js';

export interface Loading {
  readonly connection: Connection;
  readonly layout: Layout;
  readonly replica: Replica;
  readonly numbering: Numbering;
  readonly decryption: Decryption;
  readonly readAttributes: AttributeReader;
  readonly entries: Entries;
  /** Called with the progress of the first loading. */
  readonly onLoading?: OnLoading | undefined;
}

/** The state of etcd at a revision, which memory does not show yet. */
export interface StateRead {
  readonly revision: EtcdRevision;
  /** One more than the last position that an object names at that revision; 0 if no object was written there. */
  readonly size: number;
  /** True if memory differs. */
  readonly hasChanged: boolean;
  /** Applies it to memory. Returns the entries that may still lack their attributes. */
  apply(): readonly StoredEntry[];
}

/**
 * Reads into empty memory: each object becomes an entry as it comes, so its page need not be kept. Reads the latest
 * revision by default. Rejects with an `EtcdError`, `compacted` if the revision is gone.
 */
export async function readFirst(loading: Loading, at: EtcdRevision | undefined): Promise<StateRead> {
  const { layout, replica, readAttributes, numbering, entries, onLoading } = loading;
  const toEntry = entryMaker(replica, readAttributes);
  const loaded: StoredEntry[] = [];
  const sizes = new LastSize();
  const take = ({ key: place, modRevision = 0, value = Buffer.alloc(0), locked }: KeyValue): void => {
    const key = place && layout.keyOf(place);
    if (key === undefined) return;
    const position = locked === undefined ? positionOf(value) : 0;
    sizes.note(modRevision, position);
    const revision = numbering.toStore(modRevision, position);
    const bytes = restampBytes(value, revision);
    // Nothing that a server has stored lacks a place for its revision.
    const isNone = bytes === value || locked !== undefined;
    const entry = isNone ? undefined : toEntry(key, revision, bytes);
    if (entry) loaded.push(entry);
    else entries.noteDamage(damageOf(key, revision, value, locked));
  };
  try {
    const revision = await readState(loading, at, async ({ objects, remaining }) => {
      for (const object of objects) take(object);
      if (remaining > 0)
        onLoading?.({ records: loaded.length, share: loaded.length / Math.max(1, loaded.length + remaining) });
      await nextTurn();
    });
    const sorted = inKeyOrder(loaded);
    const apply = (): readonly StoredEntry[] => {
      replica.restoreAll(sorted);
      return readAttributes.isCurrent ? sorted : [];
    };
    return { revision, size: sizes.at(revision), hasChanged: sorted.length > 0, apply };
  } catch (error) {
    for (const entry of loaded) replica.slabs.release(entry);
    throw error;
  }
}

/** Reads the objects that differ from memory. Rejects like `readFirst`. */
export async function readChanged(loading: Loading, at: EtcdRevision | undefined): Promise<StateRead> {
  const { layout, replica, numbering, entries } = loading;
  const changed: { readonly key: Key; readonly object: KeyValue }[] = [];
  const present = new Set<Key>();
  const sizes = new LastSize();
  const take = (object: KeyValue): void => {
    const key = object.key && layout.keyOf(object.key);
    if (key === undefined) return;
    present.add(key);
    const known = replica.get(key);
    if (known && numbering.toEtcd(known.revision) === object.modRevision) return;
    changed.push({ key, object });
    if (object.value && object.locked === undefined) sizes.note(object.modRevision ?? 0, positionOf(object.value));
  };
  const revision = await readState(loading, at, ({ objects }) => {
    for (const object of objects) take(object);
  });
  const gone = replica.entries().filter(({ key }) => !present.has(key));
  const apply = (): readonly StoredEntry[] => {
    entries.noteOnly(present);
    for (const { key } of gone) remove(replica, key);
    for (const { key, object } of changed) restore(loading, key, object);
    return [];
  };
  return { revision, size: sizes.at(revision), hasChanged: changed.length + gone.length > 0, apply };
}

function remove(replica: Replica, key: Key): void {
  const previous = replica.get(key);
  if (!previous) return;
  const { revision, attributes } = previous;
  replica.restore({ type: 'DELETED', revision, entry: new StoredEntry(key, revision, attributes), previous });
}

function restore(loading: Loading, key: Key, { modRevision = 0, value = Buffer.alloc(0), locked }: KeyValue): void {
  const { replica, numbering, entries } = loading;
  const position = locked === undefined ? positionOf(value) : 0;
  const entry = entries.make(key, numbering.toStore(modRevision, position), value, locked);
  if (entry) replica.restore(toEvent(entry, false, replica.get(key)));
  else remove(replica, key);
}

/** Counts the positions of the newest revision among objects. */
class LastSize {
  #revision: EtcdRevision = 0;
  #size = 0;

  note(revision: EtcdRevision, position: number): void {
    if (revision < this.#revision) return;
    this.#size = revision > this.#revision ? position + 1 : Math.max(this.#size, position + 1);
    this.#revision = revision;
  }

  at(revision: EtcdRevision): number {
    return revision === this.#revision ? this.#size : 0;
  }
}

/** Bytes that a page should have, and the most objects in one. With each page etcd counts all that are behind it. */
const PAGE_BYTES = 8 * 1024 * 1024;
const PAGE_OBJECTS = 20_000;
/** Objects in the first page, before the size of objects is known. */
const FIRST_PAGE_OBJECTS = 50;

interface StatePage {
  readonly objects: readonly KeyValue[];
  /** The objects that there are behind it. */
  readonly remaining: number;
}

/**
 * Hands over every object as it was at a revision, or at the latest one, many at a time; resolves to the revision.
 * Fetches the next page while one is processed. Rejects with an `EtcdError`; its problem is `compacted` if the revision
 * is gone, or goes during the read.
 */
async function readState(
  { connection, layout: { objectsStart, objectsEnd }, decryption }: Loading,
  at: EtcdRevision | undefined,
  take: (page: StatePage) => Promise<void> | void,
): Promise<EtcdRevision> {
  const ask = (key: Buffer, limit: number, revision: EtcdRevision) =>
    connection.ask(range, { key, rangeEnd: objectsEnd, limit, revision }, READ);
  let revision = at ?? 0;
  let next = ask(objectsStart, FIRST_PAGE_OBJECTS, revision);
  for (;;) {
    const page = await next;
    revision ||= page.header?.revision ?? 0;
    const kvs = page.kvs ?? [];
    const last = kvs.at(-1)?.key;
    const isLast = !page.more || !last;
    if (!isLast) next = ask(Buffer.concat([last, Buffer.of(0)]), nextLimit(kvs), revision);
    // The `await` of this page reports a failure.
    next.catch(() => {});
    await take({ objects: await decryption.objects(kvs), remaining: Math.max(0, (page.count ?? 0) - kvs.length) });
    if (isLast) return revision;
  }
}

function nextLimit(page: readonly KeyValue[]): number {
  const bytes = page.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const fitting = Math.floor((PAGE_BYTES * page.length) / Math.max(1, bytes));
  return Math.min(PAGE_OBJECTS, Math.max(10, fitting));
}
