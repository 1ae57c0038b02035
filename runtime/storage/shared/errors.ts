/** The errors of drivers, and what they mean for the caller. */
import type { Failure, GroupNumber } from '../../contract/index.js';

/**
 * The problem of a failed call. `unsent`: nothing was done; a later try may do better. `uncertain`: it may have been
 * carried out. `compacted`: the history that was asked for is no longer kept. `refused`: it will not be carried out, now
 * or later. `superseded`: somebody has replaced the data since the driver was opened.
 */
export type DriverProblem = 'unsent' | 'uncertain' | 'compacted' | 'refused' | 'superseded';

export interface DriverErrorDetails {
  /** The client's failure, if it is not a 503 with the message. */
  readonly failure?: Failure | undefined;
  /** The oldest group from which history is kept, if the problem is `compacted` and the driver knows it. */
  readonly oldest?: GroupNumber | undefined;
  /** Set if the driver has no more space, so that it refuses every change. */
  readonly full?: boolean | undefined;
}

/** A call of a driver that failed. */
export class DriverError extends Error {
  readonly failure: Failure;
  readonly oldest: GroupNumber | undefined;
  readonly full: boolean;

  constructor(
    readonly problem: DriverProblem,
    message: string,
    { failure = unavailable(message), oldest, full = false }: DriverErrorDetails = {},
  ) {
    super(message);
    this.name = 'DriverError';
    this.failure = failure;
    this.oldest = oldest;
    this.full = full;
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
