/** Conflicts of applies: which fields other managers own. */
import { ApiError, isOfClass } from './errors.js';
import type { Status } from './types.js';

/** A field that an apply would have changed, but another manager owns. */
export interface FieldConflict {
  /** As in `.spec.replicas` or `.spec.containers[name="web"].image`. */
  readonly field: string;
  readonly manager: string;
  /** The version in which the manager wrote the field; absent if it applied the field. */
  readonly apiVersion?: string;
  /** The subresource through which the manager wrote the field. */
  readonly subresource?: string;
}

const conflictMark = Symbol.for('kindforge.ApplyConflictError');

/** An apply that the server refused because other managers own some of its fields. `force` takes over these fields. */
export class ApplyConflictError extends ApiError {
  override readonly name = 'ApplyConflictError';
  readonly conflicts: readonly FieldConflict[];

  constructor(code: number, status: Status, conflicts: readonly FieldConflict[]) {
    super(code, status);
    this.conflicts = conflicts;
  }

  /** Returns whether a value is such an error, even from another copy of the SDK. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a derived class, this is that class.
    return isOfClass(value, this, ApplyConflictError, conflictMark);
  }

  /** @internal */
  get [conflictMark](): true {
    return true;
  }
}

/** Returns whether an apply was refused because other managers own its fields. `error.conflicts` lists them. */
export const isApplyConflict = (error: unknown): error is ApplyConflictError => error instanceof ApplyConflictError;

const causeReason = 'FieldManagerConflict';
const conflictText = /^conflict with "((?:[^"\\]|\\.)*)"(?: with subresource "([^"]*)")?(?: using (\S+))?/;

/** Converts the error of an apply into one with its conflicts, if it has any. */
export function toApplyError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const conflicts = (error.status.details?.causes ?? []).flatMap(
    ({ reason, message = '', field = '' }): FieldConflict[] => {
      const [, manager, subresource, apiVersion] = conflictText.exec(message) ?? [];
      if (reason !== causeReason || manager === undefined) return [];
      const optional = {
        ...(apiVersion === undefined ? {} : { apiVersion }),
        ...(subresource === undefined ? {} : { subresource }),
      };
      return [{ field, manager: manager.replace(/\\(.)/g, '$1'), ...optional }];
    },
  );
  return conflicts.length === 0 ? error : new ApplyConflictError(error.code, error.status, conflicts);
}
