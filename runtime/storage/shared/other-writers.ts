/** Knows whether somebody else has written to the store, so that changes may be decided on memory as it is. */
import type { GroupNumber } from '../../contract/index.js';

/**
 * Milliseconds after which others count as silent. While they write, most changes decided on memory would be outdated.
 */
const SILENT_MS = 250;

/**
 * Each group names its writer. So the groups that the driver delivers say who has changed something, and a group that
 * compares the head learns whether there are some that have not been delivered yet.
 */
export class OtherWriters {
  /** The last group that somebody else has made, or may have. */
  #last: GroupNumber = 0;
  #lastAt = performance.now();
  /** A head before which every undelivered change is this server's own. */
  #head: GroupNumber = 0;

  /** `self` is this server as the groups name it. */
  constructor(readonly self: string) {}

  /** The number of a head. While the head has it, every change by others has been delivered. */
  get head(): GroupNumber {
    return this.#head;
  }

  /** True if other writers have been silent for so long that they usually stay so for the next moment. */
  get areSilent(): boolean {
    return performance.now() - this.#lastAt >= SILENT_MS;
  }

  /** Checks whether a change by others after a number has been delivered. */
  haveWrittenSince(number: GroupNumber): boolean {
    return this.#last > number;
  }

  /** Notes each delivered head and its writer, before memory shows the changes that came with it. */
  noteDelivered(head: GroupNumber, writer: string | undefined): void {
    this.#head = Math.max(this.#head, head);
    if (writer === this.self) return;
    this.#last = Math.max(this.#last, head);
    this.#lastAt = performance.now();
  }

  /** Notes the head of this server's own group, which required the head that `head` returned. */
  noteMade(head: GroupNumber): void {
    this.#head = Math.max(this.#head, head);
  }
}
