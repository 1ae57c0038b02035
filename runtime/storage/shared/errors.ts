/** The errors of drivers, and their meaning for the caller. */
import type { Failure, GroupNumber } from '../../contract/index.js';

/**
 * The problem of a failed call.
 * - `unsent`: nothing was done; a later try may succeed.
 * - `uncertain`: the call may have been carried out.
 * - `compacted`: the driver no longer keeps the requested history.
 * - `refused`: the call will not be carried out, now or later.
 * - `superseded`: the data was replaced after the driver was opened.
 */
export type DriverProblem = 'unsent' | 'uncertain' | 'compacted' | 'refused' | 'superseded';

export interface DriverErrorDetails {
  /** The failure for the client. Default: a 503 with the message. */
  readonly failure?: Failure | undefined;
  /** The oldest group with history, if the problem is `compacted` and the driver knows it. */
  readonly oldest?: GroupNumber | undefined;
  /** Set if the driver has no space left, so it refuses every change. */
  readonly full?: boolean | undefined;
}

/** Thrown if a call of a driver fails. */
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

/** The reason why a server stops after a restore, or a change of format, by another server. */
export const SUPERSEDED =
  'the store was or is being restored, or a newer version upgraded it; restart this server when that is done';

export const superseded = (): DriverError => new DriverError('superseded', SUPERSEDED);

/** Returns a 503: the driver could not be asked, or refused. */
export function unavailable(message: string): Failure {
  return { reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 1 } };
}

/** Returns a 503: the driver has other data than before, with lower revisions. */
export function replaced(name: string, number: GroupNumber, known: GroupNumber): Failure {
  return unavailable(
    `${name} is at revision ${number}, but was at ${known} before: its data was replaced; restart this server`,
  );
}

/** Returns the failure for any error within the store. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DriverError) return error.failure;
  return unavailable(error instanceof Error ? error.message : String(error));
}

/** Returns the error itself if it is a `DriverError`; else a `DriverError` with an unknown outcome. */
export function toDriverError(error: unknown): DriverError {
  return error instanceof DriverError ? error : new DriverError('uncertain', failureOf(error).message);
}
