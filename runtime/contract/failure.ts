/**
 * Errors as values: a closed set of reasons, turned into a `Status` body in one place (`runtime/objects/status.ts`).
 */

import type { JsonObject } from './object.js';

/** The reason why a request failed. Each reason has one HTTP code, see `runtime/objects/status.ts`. */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'ServerTimeout'
  | 'Timeout'
  | 'StorageReadError'
  /** Not sent: the Status has no reason. */
  | 'Unknown';

/** The reason why one field was refused (`details.causes[].reason`). */
export type CauseReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'FieldManagerConflict'
  | 'NamespaceTerminating'
  | 'ResourceVersionTooLarge'
  | 'DisruptionBudget'
  /** Another object refers to the one that should be deleted. */
  | 'StillReferenced'
  | 'UnexpectedServerResponse';

/** One refused field: `message` as in the Status, `field` as a path like `spec.ports[0].name`. */
export interface FieldError {
  readonly reason: CauseReason;
  readonly field: string;
  /** Includes the offending value, if any: `Invalid value: 3: must be …`. */
  readonly message: string;
  /** The message in the words of later releases, if they have others. */
  readonly later?: string;
}

/** The machine-readable part of a Status. */
export interface FailureDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind; or the resource, for failures in which the reference has it here. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: CauseReason; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** A failed request, before it becomes a Status. */
export interface Failure {
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: FailureDetails;
  /** Set only if it differs from the reason's usual code (a `Forbidden` of 403, a webhook's own code). */
  readonly code?: number;
  /** A reason and details from outside, such as from a webhook. The server sends them unchanged, instead of its own. */
  readonly given?: { readonly reason: string; readonly details: JsonObject | undefined };
  /**
   * `metadata.continue` of the Status for an expired list. With it the client continues the list at a newer revision.
   */
  readonly continueToken?: string;
  /** The same failure in the words of later releases, if they have others. */
  readonly later?: Failure;
}

/** A value, or the reason why it is missing. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };
