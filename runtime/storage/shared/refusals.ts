/** Knows whether the driver refuses writes although it answers reads: its space is used up, or a right is missing. */
import type { SharedDriver } from '../../contract/index.js';
import { DriverError } from './errors.js';

/** The time for which a refused write is reported if nobody writes any more, in milliseconds. */
const REFUSED_MS = 30_000;

export class Refusals {
  /** The reason why the driver refuses all writes, by its own word; empty without one. */
  #alarm = '';
  #refused: { readonly message: string; readonly at: number } | undefined;

  /** The reason why a write would probably be refused at present; empty if there is none. */
  get problem(): string {
    if (this.#alarm !== '') return this.#alarm;
    return this.#refused && performance.now() - this.#refused.at < REFUSED_MS ? this.#refused.message : '';
  }

  noteMade(): void {
    this.#refused = undefined;
  }

  /** Notes why a write has failed, if the driver will refuse others for the same reason. */
  noteFailed(error: unknown): void {
    if (!(error instanceof DriverError) || error.problem !== 'refused') return;
    const { message, failure, full } = error;
    // Another object may be smaller.
    if (failure.reason === 'RequestEntityTooLarge') return;
    // The next check takes it back when that is over.
    if (full) this.#alarm = message;
    else this.#refused = { message, at: performance.now() };
  }

  /** Asks the driver. Never rejects. */
  async check(driver: Pick<SharedDriver, 'writeProblem'>): Promise<void> {
    this.#alarm = (await driver.writeProblem?.()) ?? this.#alarm;
  }
}
