/** Knows whether the driver refuses writes although it answers reads: its space is used up, or a right is missing. */
import type { SharedDriver } from '../../contract/index.js';
import { DriverError } from './errors.js';

/** The time for which a refused write is reported if no other write follows, in milliseconds. */
const REFUSED_MS = 30_000;

export class Refusals {
  /** The driver's own reason why it refuses all writes; empty without one. */
  #alarm = '';
  #refused: { readonly message: string; readonly at: number } | undefined;

  /** The reason why a write would probably be refused now; empty if it would be accepted. */
  get problem(): string {
    if (this.#alarm !== '') return this.#alarm;
    return this.#refused && performance.now() - this.#refused.at < REFUSED_MS ? this.#refused.message : '';
  }

  noteMade(): void {
    this.#refused = undefined;
  }

  /** Notes the reason of a failed write, if the driver will refuse other writes for it too. */
  noteFailed(error: unknown): void {
    if (!(error instanceof DriverError) || error.problem !== 'refused') return;
    const { message, failure, full } = error;
    // A smaller object may still be accepted.
    if (failure.reason === 'RequestEntityTooLarge') return;
    // The next check resets the alarm once the space is free again.
    if (full) this.#alarm = message;
    else this.#refused = { message, at: performance.now() };
  }

  /** Asks the driver. Never rejects. */
  async check(driver: Pick<SharedDriver, 'writeProblem'>): Promise<void> {
    this.#alarm = (await driver.writeProblem?.()) ?? this.#alarm;
  }
}
