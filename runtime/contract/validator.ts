/** The typed validators of a kind, as generated code offers them. */
import type { FieldError } from './failure.js';
import type { JsonObject } from './object.js';

/** A place at which a value is not a valid object of a kind. */
export interface Violation {
  /** As in `spec.ports[0].name`; empty for the value as a whole. */
  readonly path: string;
  /** `unknown`: the schema does not have the field. `value`: a keyword or a rule refuses the value. */
  readonly reason: 'unknown' | 'missing' | 'type' | 'value';
  /** The server's own message. */
  readonly message: string;
}

/**
 * Returns all violations of a value; none if it is an object of the kind. It never throws, and does not change the
 * value. It is also a [Standard Schema](https://standardschema.dev) of version 1. As such it returns a valid object
 * with its defaults and without unknown fields.
 */
export interface Validate<T> {
  (value: unknown): readonly Violation[];
  readonly '~standard': StandardProperties<T>;
}

export interface StandardProperties<T> {
  readonly version: 1;
  readonly vendor: 'kindforge';
  readonly validate: (value: unknown) => StandardResult<T>;
  readonly types?: { readonly input: T; readonly output: T };
}

/** The value, or its issues; each issue has a path of keys and indexes. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A violation in the form of Standard Schema. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export interface Validator<T> {
  /** Reports whether a value is a valid object of the kind. Unknown fields are allowed. */
  readonly is: (value: unknown) => value is T;
  readonly validate: Validate<T>;
  /** Returns a copy of an object with its defaults filled in. */
  readonly fillIn: (object: T) => T;
}

/** Returns the broken CEL rules of a schema. */
export type RuleCheck = (object: JsonObject) => readonly FieldError[];
