/** A change by this server that the driver has not answered yet. */
import type { Change, EncodedObject, Guard, Key, Revision, SharedProposal } from '../../contract/index.js';
import type { StoredEntry } from '../memory/stored-entry.js';

export class PendingChange implements SharedProposal {
  /** The bytes that it adds to a group, about. */
  readonly size: number;
  /** The entries of the key that the driver has delivered since the change was made. */
  readonly arrived: StoredEntry[] = [];
  /** True while its base is not confirmed. The driver must then compare the head. */
  isUnconfirmed: boolean;
  #next: OwnBytes | undefined;
  #last: OwnBytes | undefined;

  constructor(readonly change: Change) {
    const { key, next, basis } = change;
    this.isUnconfirmed = basis !== undefined;
    this.size = key.length + Buffer.byteLength((next ?? this.last)?.text ?? '');
  }

  get key(): Key {
    return this.change.key;
  }

  get expected(): Revision {
    return this.change.expected;
  }

  get next(): EncodedObject | undefined {
    return this.change.next;
  }

  /** The last state of a deleted object. */
  get last(): EncodedObject | undefined {
    return this.change.next ? undefined : this.change.last;
  }

  get ending(): true | undefined {
    return this.change.ending;
  }

  get guards(): readonly Guard[] | undefined {
    return this.change.guards;
  }

  /** True if it writes anything; the deletion of an absent object does not. */
  get writes(): boolean {
    return this.change.next !== undefined || this.change.expected > 0;
  }

  /** True if it was decided on a state that turned out not to be the latest. */
  get isOutdated(): boolean {
    return this.isUnconfirmed && this.change.basis?.isOutdated === true;
  }

  arrivedAt(revision: Revision): StoredEntry | undefined {
    return this.arrived.find((entry) => entry.revision === revision);
  }

  /** Checks whether bytes are the new state of this change, at any revision. */
  made(bytes: Uint8Array): boolean {
    if (!this.next) return false;
    this.#next ??= new OwnBytes(this.next);
    return this.#next.equal(bytes);
  }

  /** Returns the object that has these bytes at any revision: the new state or the last one. */
  objectOf(bytes: Uint8Array): EncodedObject | undefined {
    if (this.made(bytes)) return this.next;
    if (!this.last) return undefined;
    this.#last ??= new OwnBytes(this.last);
    return this.#last.equal(bytes) ? this.last : undefined;
  }
}

const MOST_DIGITS = 16;

/** The bytes of an object before and after its revision. */
class OwnBytes {
  readonly #before: Buffer;
  readonly #behind: Buffer;

  constructor({ text, revisionAt }: EncodedObject) {
    this.#before = Buffer.from(text.slice(0, revisionAt));
    this.#behind = Buffer.from(text.slice(revisionAt));
  }

  equal(bytes: Uint8Array): boolean {
    const start = this.#before.length;
    const end = bytes.length - this.#behind.length;
    if (end < start || end - start > MOST_DIGITS) return false;
    if (this.#before.compare(bytes, 0, start) !== 0 || this.#behind.compare(bytes, end) !== 0) return false;
    return bytes.subarray(start, end).every((byte) => byte >= 0x30 && byte <= 0x39);
  }
}
