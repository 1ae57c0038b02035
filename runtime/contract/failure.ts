/**
 * Errors as values: a closed set of reasons, turned into a `Status` body in one place (`runtime/objects/status.ts`).
 */

import type { JsonObject } from './json.js';

/** Why a request failed. Each reason has one HTTP code, see `codeOf` in `runtime/objects/status.ts`. */
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
  /** None: the Status is sent without a reason. */
  | 'Unknown';

/** Why one field was refused (`details.causes[].reason`). */
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
  | 'NamespaceTerminating'
  | 'DisruptionBudget'
  | 'UnexpectedServerResponse';

/** One refused field: `message` as it stands in the Status, `field` as a path like `spec.ports[0].name`. */
export interface FieldError {
  readonly reason: CauseReason;
  readonly field: string;
  /** With the offending value where there is one: `Invalid value: 3: must be …`. */
  readonly message: string;
}

/** Part of a Status that machines read. */
export interface FailureDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind, or the resource where the reference puts that here. */
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
  /** Only where the code is not the reason's usual one (a `Forbidden` of 403, a webhook's own code). */
  readonly code?: number;
  /** A reason and details that somebody else gave, such as a webhook; they are sent as they are, in place of those above. */
  readonly given?: { readonly reason: string; readonly details: JsonObject | undefined };
  /** For an expired list: `metadata.continue` of the Status, with which the list goes on inconsistently. */
  readonly continueToken?: string;
}

/** A value, or why there is none. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };
