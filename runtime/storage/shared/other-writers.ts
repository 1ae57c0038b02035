/**
 * Knows whether other servers have written to the store, so that changes may be decided on the present state of memory.
 */
import type { GroupNumber } from '../../contract/index.js';

/**
 * The time after which other servers count as silent, in milliseconds. While they write, most changes decided on memory
 * would be outdated.
 */
const SILENT_MS = 250;

/**
 * Each group names its writer, so the delivered groups show which server has changed something. A group that requires
 * the head finds out whether there are groups that the driver has not delivered yet.
 */
export class OtherWriters {
  /** The last group that another server has made, or may have made. */
  #last: GroupNumber = 0;
  #lastAt = performance.now();
  /** A head. Every change before it that the driver has not delivered yet is this server's own. */
  #head: GroupNumber = 0;

  /** `self` is the name of this server as a writer. */
  constructor(readonly self: string) {}

  /** The number of a head. If this is still the head, every change by other servers has been delivered. */
  get head(): GroupNumber {
    return this.#head;
  }

  /** True if other servers have been silent for long. They usually stay silent for the next moment then. */
  get areSilent(): boolean {
    return performance.now() - this.#lastAt >= SILENT_MS;
  }

  /** Checks whether a change by another server after a number has been delivered. */
  haveWrittenSince(number: GroupNumber): boolean {
    return this.#last > number;
  }

  /** Notes each delivered head and its writer, before memory shows the changes of that group. */
  noteDelivered(head: GroupNumber, writer: string | undefined): void {
    this.#head = Math.max(this.#head, head);
    if (writer === this.self) return;
    this.#last = Math.max(this.#last, head);
    this.#lastAt = performance.now();
  }

  /** Notes the head of this server's own group. The group required the head that `head` returned. */
  noteMade(head: GroupNumber): void {
    this.#head = Math.max(this.#head, head);
  }
}
