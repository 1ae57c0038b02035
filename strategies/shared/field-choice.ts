/** Checks of objects in which one of several fields is to be set, such as the source of a volume. */
import type { FieldErrors } from './field-checks.js';

/** A check for each field, in the order in which the first of several set fields counts. */
export type FieldChecks<T, Context extends readonly unknown[] = []> = {
  readonly [Field in keyof T]-?: (value: NonNullable<T[Field]>, path: string, ...context: Context) => FieldErrors;
};

/** A field that is set, with the errors of its value. */
export interface SetField<T> {
  readonly field: keyof T & string;
  readonly errors: FieldErrors;
}

/** The fields of the object at a path that are set, in the order of their checks. */
export function setFields<T extends object, Context extends readonly unknown[]>(
  object: T,
  path: string,
  checks: FieldChecks<T, Context>,
  ...context: Context
): readonly SetField<T>[] {
  return fieldsOf(checks).flatMap((field) => {
    const value = object[field];
    if (value === undefined || value === null) return [];
    return [{ field, errors: checks[field](value, `${path}.${field}`, ...context) }];
  });
}

/** The names of the fields that have a check. */
export function fieldsOf<Checks extends object>(checks: Checks): readonly (keyof Checks & string)[] {
  const fields: (keyof Checks & string)[] = [];
  for (const field in checks) fields.push(field);
  return fields;
}
