/** Records what clients do and see. */
import type { Revision } from '../../../runtime/contract/index.js';
import type { GetRecord, History, ListRecord, Moment, WatchedChange, WriteRecord } from './records.js';

/** One connection of a watcher, while it lasts. */
interface RecordedWatch {
  readonly from: Revision;
  readonly changes: WatchedChange[];
}

/** Revisions that clients may go back to. In a long recording, the store may have forgotten older ones. */
const recent = 1000;

export class Recorder implements History {
  readonly writes: WriteRecord[] = [];
  readonly gets: GetRecord[] = [];
  readonly lists: ListRecord[] = [];
  readonly watches: RecordedWatch[] = [];
  /** Descriptions of answers that nothing explains. */
  readonly surprises: string[] = [];
  /** The highest revision that any client knows. */
  newest: Revision = 0;
  readonly #known: Revision[] = [];
  #moment = 0;

  moment(): Moment {
    return ++this.#moment;
  }

  write(record: WriteRecord): void {
    this.writes.push(record);
    if (typeof record.outcome === 'number') this.learn(record.outcome);
  }

  get(record: GetRecord): void {
    this.gets.push(record);
  }

  list(record: ListRecord): void {
    this.lists.push(record);
    for (const revision of record.revisions) this.learn(revision);
  }

  /** Begins the record of a connection. Callers add changes when they arrive. */
  watch(from: Revision): RecordedWatch {
    const watch = { from, changes: [] };
    this.watches.push(watch);
    return watch;
  }

  learn(revision: Revision): void {
    this.newest = Math.max(this.newest, revision);
    this.#known.push(revision);
    if (this.#known.length > recent) this.#known.shift();
  }

  /** Returns a revision that a client has seen, or a slightly older one. */
  someRevision(): Revision {
    return this.#known[Math.floor(Math.random() * this.#known.length)] ?? this.newest;
  }
}
