/** Follows etcd by a watch, and delivers its events as groups of changes. */
import type { GroupNumber, SharedFollower, SharedGroup } from '../../contract/index.js';
import { mapSync, thenSync } from '../../objects/turns.js';
import { InOrder } from '../shared/decryption.js';
import { superseded, toDriverError } from '../shared/errors.js';
import { changesOf, groupOf, type RevisionChanges } from './changes.js';
import type { Stream } from './connection.js';
import { EtcdError, toEtcdError } from './errors.js';
import { type WatchRequest, type WatchResponse, watch } from './messages.js';
import type { EtcdRevision } from './numbering.js';
import type { EtcdData } from './records.js';

/** An answer of the watch, with its events grouped into changes. */
interface Answer extends Omit<WatchResponse, 'events'> {
  readonly changes: readonly (RevisionChanges & { readonly group: SharedGroup | undefined })[];
}

/** Delivers all groups after a number until the caller calls the returned function. */
export function follow(data: EtcdData, after: GroupNumber, follower: SharedFollower): () => void {
  const following = new Following(data, data.numbering.toEtcd(after), follower);
  void following.open();
  return () => following.end();
}

class Following {
  readonly #data: EtcdData;
  readonly #follower: SharedFollower;
  /** All changes up to this revision came before the watch, or have been delivered. */
  #delivered: EtcdRevision;
  readonly #answers: InOrder<Answer>;
  #stream: Stream<WatchRequest> | undefined;
  #isOver = false;

  constructor(data: EtcdData, delivered: EtcdRevision, follower: SharedFollower) {
    this.#data = data;
    this.#delivered = delivered;
    this.#follower = follower;
    this.#answers = new InOrder<Answer>(
      (answer) => this.#take(answer),
      (error) => this.#break(toDriverError(error)),
    );
  }

  /** Begins to follow. Never rejects: the follower gets the error. */
  async open(): Promise<void> {
    const { connection, layout } = this.#data;
    try {
      const handler = {
        answer: (response: WatchResponse) => this.#hear(response),
        broken: (error: EtcdError) => this.#break(error),
      };
      this.#stream = await connection.stream(watch, handler);
      if (this.#isOver) return this.#stream.close();
      const { start: key, end: rangeEnd } = layout;
      const startRevision = this.#delivered + 1;
      this.#stream.send({ createRequest: { key, rangeEnd, startRevision, progressNotify: true } });
    } catch (error) {
      this.#break(toDriverError(error));
    }
  }

  end(): void {
    this.#isOver = true;
    this.#stream?.close();
  }

  #break(error: Error): void {
    if (this.#isOver) return;
    this.end();
    this.#follower.broken(error);
  }

  #hear({ events = [], ...answer }: WatchResponse): void {
    const { layout } = this.#data;
    const changes = mapSync([...changesOf(events, layout)], (found) =>
      thenSync(groupOf(this.#data, found), (group) => ({ ...found, group })),
    );
    this.#answers.add(thenSync(changes, (changes) => ({ ...answer, changes })));
  }

  #take(answer: Answer): void {
    const { changes, canceled, compactRevision = 0, cancelReason = '', header, created } = answer;
    const { connection, numbering } = this.#data;
    if (this.#isOver) return;
    if (compactRevision > 0) {
      const oldest = numbering.toStore(compactRevision);
      this.#break(new EtcdError('compacted', `etcd has compacted up to revision ${compactRevision}`, { oldest }));
    } else if (canceled) {
      // The login may have expired. A stream gets no other notice of that.
      connection.forgetLogin();
      this.#break(toEtcdError({ details: cancelReason }, 'the watched member'));
    } else if (created) this.#follower.begun();
    else if (changes.length === 0) this.#reach(header?.revision ?? 0);
    for (const change of changes) this.#deliver(change);
  }

  #deliver({ revision, restored, objects, head, group }: Answer['changes'][number]): void {
    if (this.#isOver || revision <= this.#delivered) return;
    if (restored) this.#break(superseded());
    else if (!group) {
      const why = `revision ${revision} was written by another program`;
      this.#break(new EtcdError('compacted', why));
    } else if (objects.length > 0 || head) {
      this.#delivered = revision;
      this.#follower.group(group);
    } else this.#reach(revision);
  }

  #reach(revision: EtcdRevision): void {
    this.#delivered = Math.max(this.#delivered, revision);
    this.#follower.reached(this.#data.numbering.toStore(revision));
  }
}
