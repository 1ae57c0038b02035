/** Changes on their way to the backend, and the batches that they become durable in. */
import type { Commit, Failure, Key, Revision, StoredRecord } from '../contract/index.js';
import type { StoredEntry, StoredEvent } from './memory/stored-entry.js';
import { updateDigest } from './stamp.js';

/** A batch is full at this many changes or bytes; what comes after goes into the next. */
const BATCH_CHANGES = 1024;
const BATCH_BYTES = 4 * 1024 * 1024;

/** An object that is stored and not in memory. */
export interface Evicted {
  readonly revision: Revision;
  /** Whether the digest of the store counts it. */
  readonly isCounted: boolean;
}

/** Called once a change is committed or has failed. */
export type Answer = (commit: Commit) => void;

/** A decided change on its way to the backend. */
export class Operation {
  /**
   * Operations that lost against this change. They get their answer when it is durable: until then it may still fail.
   */
  readonly losers: Answer[] = [];
  failure: Failure | undefined = undefined;
  /** True once it is committed or has failed. */
  settled = false;

  /**
   * @param ending whether it deletes, or marks an object for deletion: this is possible even on a full disk.
   * @param base the change in flight of the same key that this one was decided on. It is dropped once this one is
   * committed; otherwise a key that is written all the time would keep all its changes.
   * @param evicts the object that is not in memory, as nobody can read it, and that this deletion removes.
   */
  constructor(
    readonly event: StoredEvent,
    readonly answer: Answer,
    readonly ending: boolean,
    public base: Operation | undefined,
    readonly evicts?: Evicted,
  ) {}
}

/** Changes that become durable together. */
export class Batch {
  readonly operations: Operation[] = [];
  /** The last change of each key. It goes with the batch: a map that lives on costs a deletion for each change. */
  readonly lastOf = new Map<Key, Operation>();
  bytes = 0;

  add(operation: Operation): void {
    const { key, size } = operation.event.entry;
    this.operations.push(operation);
    this.lastOf.set(key, operation);
    this.bytes += size;
  }

  hasRoomFor(size: number): boolean {
    return this.operations.length < BATCH_CHANGES && this.bytes + size <= BATCH_BYTES;
  }
}

/** Finds the last change of a key in batches that follow each other. */
export function lastOf(batches: readonly Batch[], key: Key): Operation | undefined {
  for (let index = batches.length - 1; index >= 0; index--) {
    const last = batches[index]?.lastOf.get(key);
    if (last) return last;
  }
  return undefined;
}

/** Returns the change itself or, if it has failed, the change that it was decided on, if that is still in flight. */
export function unsettled(last: Operation): Operation | undefined {
  let operation: Operation | undefined = last;
  while (operation?.settled) operation = operation.base;
  return operation;
}

/** Returns the entry of the key once an operation is committed. */
export function resultOf({ event }: Operation): StoredEntry | undefined {
  return event.type === 'DELETED' ? undefined : event.entry;
}

export function recordOf({ event, evicts }: Operation): StoredRecord {
  const { key, revision, bytes } = event.entry;
  return {
    key,
    revision,
    replaces: event.previous?.revision ?? evicts?.revision ?? 0,
    deleted: event.type === 'DELETED',
    bytes,
  };
}

/**
 * Returns the record without the last state of a deleted object. Only the history would need that, and it then begins
 * later.
 */
export function bareRecordOf(operation: Operation): StoredRecord {
  const record = recordOf(operation);
  return record.deleted ? { ...record, bytes: NOTHING } : record;
}

const NOTHING = new Uint8Array(0);

export function digestWith(digest: number, { event, evicts }: Operation): number {
  const added = event.type === 'DELETED' ? 0 : event.revision;
  const removed = evicts?.isCounted ? evicts.revision : 0;
  return updateDigest(digest, added, event.previous?.revision ?? removed);
}
