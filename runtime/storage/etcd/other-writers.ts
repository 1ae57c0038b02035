/** Knows whether somebody else has written to the store, so that changes may be decided on memory as it is. */
import { randomBytes } from 'node:crypto';
import type { EtcdRevision } from './numbering.js';

/**
 * Milliseconds after which others count as silent. While they write, most changes decided on memory would be outdated.
 */
const SILENT_MS = 250;

/**
 * Each transaction names its writer in the head. So the heads that the watch delivers say who has changed something,
 * and a transaction that compares the head learns whether there are some that have not been delivered yet.
 */
export class OtherWriters {
  /** Stands for this server, as long as it has the store open. */
  readonly self = randomBytes(6).toString('base64url');
  /** The last revision that somebody else has made, or may have. */
  #last: EtcdRevision = 0;
  #lastAt = performance.now();
  /** A head before which every undelivered change is this server's own. */
  #head: EtcdRevision = 0;

  /** A revision of the head. While the head has it, every change by others has been delivered. */
  get head(): EtcdRevision {
    return this.#head;
  }

  /** True if other writers have been silent for so long that they usually stay so for the next moment. */
  get areSilent(): boolean {
    return performance.now() - this.#lastAt >= SILENT_MS;
  }

  /** Checks whether a change by others after a revision has been delivered. */
  haveWrittenSince(revision: EtcdRevision): boolean {
    return this.#last > revision;
  }

  /** Notes each delivered head and its writer, before memory shows the changes that came with it. */
  noteDelivered(head: EtcdRevision, writer: string | undefined): void {
    this.#head = Math.max(this.#head, head);
    if (writer === this.self) return;
    this.#last = Math.max(this.#last, head);
    this.#lastAt = performance.now();
  }

  /** Notes the head of this server's own transaction, which required the head that `head` returned. */
  noteMade(head: EtcdRevision): void {
    this.#head = Math.max(this.#head, head);
  }
}
