/** The errors of drivers, and what they mean for the caller. */
import type { Failure, GroupNumber } from '../../contract/index.js';

/**
 * The problem of a failed call. `unsent`: nothing was done; a later try may do better. `uncertain`: it may have been
 * carried out. `compacted`: the history that was asked for is no longer kept. `refused`: it will not be carried out, now
 * or later. `superseded`: somebody has replaced the data since the driver was opened.
 */
export type DriverProblem = 'unsent' | 'uncertain' | 'compacted' | 'refused' | 'superseded';

/** A call of a driver that failed. */
export class DriverError extends Error {
  /** The oldest group from which history is kept, if the problem is `compacted` and the driver knows it. */
  readonly oldest?: GroupNumber;

  constructor(
    readonly problem: DriverProblem,
    message: string,
    readonly failure: Failure = unavailable(message),
    oldest?: GroupNumber,
  ) {
    super(message);
    this.name = 'DriverError';
    if (oldest !== undefined) this.oldest = oldest;
  }
}

/** The reason for which a server stops after a restore, or a change of format, that it did not make itself. */
export const SUPERSEDED =
  'the store is being restored, has been, or was taken over by a newer version; restart this server when that is done';

export const superseded = (): DriverError => new DriverError('superseded', SUPERSEDED);

/** Returns a 503: the data could not be asked, or refused. */
export function unavailable(message: string): Failure {
  return { reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 1 } };
}

/** Returns a 503: the driver holds other data than before, in which revisions would go back. */
export function replaced(name: string, number: GroupNumber, known: GroupNumber): Failure {
  return unavailable(
    `${name} is at revision ${number}, but was at ${known} before: its data was replaced; restart this server`,
  );
}

/** Returns the failure for anything thrown within the store. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DriverError) return error.failure;
  return unavailable(error instanceof Error ? error.message : String(error));
}

/** Returns the error itself if a driver made it, else one that says that nothing is known. */
export function toDriverError(error: unknown): DriverError {
  return error instanceof DriverError ? error : new DriverError('uncertain', failureOf(error).message);
}
