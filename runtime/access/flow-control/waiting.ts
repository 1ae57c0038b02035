/** A request that waits for its turn. */
import type { AccessAttributes } from '../../contract/index.js';
import type { RefusalReason } from './refusal-reason.js';

/** Keeps the time that requests have cost. */
export interface Account {
  /** In milliseconds, by the seats of the requests. */
  spent: number;
}

export interface Waiting {
  readonly attributes: AccessAttributes;
  /** The name of its flow schema. */
  readonly schema: string;
  /** The text that distinguishes its flow from others of the schema. */
  readonly flow: string;
  readonly seats: number;
  /** When it came, in milliseconds of `performance.now`. */
  readonly since: number;
  /** Whether its client has gone. */
  readonly isGone: () => boolean;
  /**
   * Executes it. Returns how long it is going to take besides, in milliseconds: to send its answer, and what is done in later
   * turns. The time in which it holds seats may be put down to an account.
   */
  readonly execute: (account: Account) => number;
  readonly refuse: (reason: RefusalReason) => void;
}
