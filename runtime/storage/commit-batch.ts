/** Changes that are not durable yet, and the batches in which they become durable. */
import type { Commit, Failure, Key, Revision, StoredRecord } from '../contract/index.js';
import type { StoredEntry, StoredEvent } from './memory/stored-entry.js';
import { updateDigest } from './stamp.js';

/** A batch is full with this many changes or bytes. Later changes go into the next batch. */
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
   * The answers of operations that lost against this change. They are called when it is durable, because until then it
   * may fail.
   */
  readonly losers: Answer[] = [];
  failure: Failure | undefined = undefined;
  /** True once it is committed or has failed. */
  settled = false;

  /**
   * @param ending whether it deletes an object, or marks it for deletion: this is possible even on a full disk.
   * @param base the change in flight of the same key on which this one was decided. It is dropped once this one is
   * committed; otherwise a key with constant writes would keep all its changes.
   * @param evicts the object that this deletion removes although it is not in memory, because it cannot be read.
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
  /**
   * The last change of each key. Each batch has its own map, because a long-lived map would need a deletion for each
   * change.
   */
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

/** Finds the last change of a key in consecutive batches. */
export function lastOf(batches: readonly Batch[], key: Key): Operation | undefined {
  for (let index = batches.length - 1; index >= 0; index--) {
    const last = batches[index]?.lastOf.get(key);
    if (last) return last;
  }
  return undefined;
}

/**
 * Returns the change itself. If it has failed, returns the change on which it was decided, if that is still in flight.
 */
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
 * Returns the record without the last state of a deleted object. Only history needs that state, and history begins
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
