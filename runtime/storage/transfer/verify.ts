/** Checks all objects of a store or a snapshot. */
import type { Damage, Revision, Snapshot, Store } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import { objectProblem } from './object-problem.js';
import { openSnapshot } from './read-snapshot.js';
import { noProgress, type TransferProgress } from './snapshot-format.js';

/** The result of a verification. */
export interface Verified {
  /** The number of whole objects. */
  readonly objects: number;
  /** The bytes of their JSON. */
  readonly bytes: number;
  /** The oldest and the newest revision of an object; 0 without objects. */
  readonly oldest: Revision;
  readonly newest: Revision;
  /** The last revision of the store or the snapshot. */
  readonly revision: Revision;
  readonly damage: readonly Damage[];
  /**
   * Whole objects of a snapshot that were not checked further because they are encrypted; absent without such objects.
   */
  readonly encrypted?: number;
}

/** The state of a store, as `Store.list` returns it. */
export type State = Pick<Snapshot, 'revision' | 'entries'>;

/** Returns the present state of a store. All of it is from one revision, even while the store changes. */
export function stateOf(store: Store): State {
  const snapshot = store.list('');
  if (typeof snapshot === 'string') throw new Error(`the store cannot be listed: ${snapshot}`);
  return snapshot;
}

/** Checks each object. Objects that cannot be loaded at all are found when the store opens. */
export function verifyState({ entries, revision }: State, progress: TransferProgress = noProgress): Verified {
  const summary = new Summary();
  const damage: Damage[] = [];
  for (const [index, entry] of entries.entries()) {
    const { key, bytes } = entry;
    const problem = objectProblem(key, entry.revision, bytes);
    if (problem === undefined) summary.add(entry.revision, bytes.length);
    else damage.push({ key, revision: entry.revision, problem, cure: 'write the object again or restore a snapshot' });
    progress('checking', index + 1, entries.length, key);
  }
  return { ...summary.figures, revision, damage };
}

/**
 * Checks a snapshot file. Rejects if it cannot be read at all. Without an encryption, checks encrypted objects only by
 * their checksums.
 */
export async function verifySnapshot(
  path: string,
  progress: TransferProgress = noProgress,
  encryption?: Encryption,
): Promise<Verified> {
  const source = await openSnapshot(path, { encryption, passEncrypted: true });
  try {
    const { header, objects, damage, position, size } = source;
    const summary = new Summary();
    let sealed = 0;
    for await (const { key, revision, bytes, encrypted } of objects) {
      summary.add(revision, bytes.length);
      if (encrypted) sealed++;
      progress('checking bytes', position(), size, key);
    }
    const encrypted = sealed > 0 ? { encrypted: sealed } : {};
    return { ...summary.figures, revision: header.revision, damage, ...encrypted };
  } finally {
    await source.close();
  }
}

class Summary {
  #objects = 0;
  #bytes = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = 0;

  add(revision: Revision, bytes: number): void {
    this.#objects++;
    this.#bytes += bytes;
    this.#oldest = Math.min(this.#oldest, revision);
    this.#newest = Math.max(this.#newest, revision);
  }

  get figures() {
    const oldest = this.#objects === 0 ? 0 : this.#oldest;
    return { objects: this.#objects, bytes: this.#bytes, oldest, newest: this.#newest };
  }
}
