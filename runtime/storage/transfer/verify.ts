/** Checks all that a store or a snapshot holds. */
import type { Damage, Revision, Snapshot, Store } from '../../contract/index.js';
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
}

/** The state of a store, as `Store.list` gives it. */
export type State = Pick<Snapshot, 'revision' | 'entries'>;

/** Returns the state of a store at present: all of it at one revision, even while it changes. */
export function stateOf(store: Store): State {
  const snapshot = store.list('');
  if (typeof snapshot === 'string') throw new Error(`the store cannot be listed: ${snapshot}`);
  return snapshot;
}

/** Checks each object. What cannot be loaded at all is found when a store is opened. */
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

/** Checks a snapshot file. Rejects if that cannot be read at all. */
export async function verifySnapshot(path: string, progress: TransferProgress = noProgress): Promise<Verified> {
  const source = await openSnapshot(path);
  try {
    const { header, objects, damage, position, size } = source;
    const summary = new Summary();
    for await (const { key, revision, bytes } of objects) {
      summary.add(revision, bytes.length);
      progress('checking bytes', position(), size, key);
    }
    return { ...summary.figures, revision: header.revision, damage };
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
