/** Checks of single fields, and how checks report errors. */
import type { FieldError, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { getOwn, isArray, isObject } from '../../runtime/objects/guards.js';
import type { NameCheck } from '../../runtime/objects/names/name-checks.js';
import { formatSource } from '../../runtime/objects/printing.js';

/** Errors that are produced on demand: no input can build an endless list of them. */
export type FieldErrors = Iterable<FieldError>;

/** The most errors in one answer. */
const maxErrors = 1000;

/** Returns errors as a list, up to a limit. */
export function firstErrors(errors: FieldErrors): readonly FieldError[] {
  const found: FieldError[] = [];
  for (const error of errors) {
    found.push(error);
    if (found.length === maxErrors) break;
  }
  return found;
}

/** Errors, and pauses at which other work gets its turn. */
export type PacedErrors = Iterable<FieldError | undefined>;

/** Like `firstErrors`, with pauses. */
export function* firstErrorsPaced(errors: PacedErrors): Generator<undefined, readonly FieldError[], undefined> {
  const found: FieldError[] = [];
  for (const error of errors) {
    if (error === undefined) yield;
    else if (found.push(error) === maxErrors) break;
  }
  return found;
}

/** Checks a text by a naming rule. */
export function* checkText(path: string, text: string, check: NameCheck): FieldErrors {
  for (const problem of check(text)) yield invalidValue(path, text, problem);
}

/** Checks a required text by a naming rule. */
export function* checkName(path: string, text: string, check: NameCheck): FieldErrors {
  if (text === '') yield required(path);
  else yield* checkText(path, text, check);
}

/** Checks that a text is not missing. */
export function* checkRequired(text: string | undefined, path: string): FieldErrors {
  if (!text) yield required(path);
}

/** Checks that an optional text is one of some choices, which errors list in this order. */
export function* checkOneOf(text: string | undefined, path: string, choices: readonly string[]): FieldErrors {
  if (text !== undefined && !choices.includes(text)) yield notSupported(path, text, choices);
}

/** Checks that a required text is one of some choices. */
export function* checkRequiredOneOf(text: string | undefined, path: string, choices: readonly string[]): FieldErrors {
  if (text) yield* checkOneOf(text, path, choices);
  else yield required(path);
}

/** Checks that an optional whole number is between two bounds. */
export function* checkBetween(
  value: number | bigint | undefined,
  path: string,
  [minimum, maximum]: readonly [number, number],
): FieldErrors {
  if (value === undefined || (value >= minimum && value <= maximum)) return;
  yield invalidValue(path, value, `must be between ${minimum} and ${maximum}, inclusive`);
}

/** The largest signed 32-bit number. */
export const maxInt32 = 2147483647;

/** The range of user and group IDs. */
export const userIds: readonly [number, number] = [0, maxInt32];

/** A check for each field. If several fields are set, the first in this order counts. */
export type FieldChecks<T, Context extends readonly unknown[] = []> = {
  readonly [Field in keyof T]-?: (value: NonNullable<T[Field]>, path: string, ...context: Context) => FieldErrors;
};

/** A field that is set, and the errors of its value. */
interface SetField<T> {
  readonly field: keyof T & string;
  readonly errors: FieldErrors;
}

/** Returns the fields that are set, in the order of their checks. */
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

/** Returns the fields that have a check. */
export function fieldsOf<Checks extends object>(checks: Checks): readonly (keyof Checks & string)[] {
  const fields: (keyof Checks & string)[] = [];
  for (const field in checks) fields.push(field);
  return fields;
}

const everything = '*';

/** Returns whether a list has a wildcard and something else. */
export const saysMoreThanEverything = (list: readonly string[]): boolean =>
  list.length > 1 && list.includes(everything);

/** Returns whether a list has a wildcard. */
export const saysEverything = (list: readonly string[]): boolean => list.includes(everything);

/** Parses JSON; `undefined` if it is malformed. */
export function parsedAnnotation(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The most differences, and the most characters of a value, that a message shows. */
const maxLines = 40;
const maxValue = 400;

/** Returns each difference with its path: the old value after a minus, the new one after a plus. */
export function changedPaths(value: JsonValue | undefined, old: JsonValue | undefined, path: string): string {
  const lines: string[] = [];
  collect(value, old, path, lines);
  return lines.map((line) => `${line}\n`).join('');
}

function collect(value: JsonValue | undefined, old: JsonValue | undefined, path: string, lines: string[]): void {
  if (lines.length >= maxLines || equal(value, old)) return;
  if (isObject(value) && isObject(old)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(value)])) {
      collect(getOwn(value, key), getOwn(old, key), `${path}.${key}`, lines);
    }
  } else if (isArray(value) && isArray(old)) {
    for (let i = 0; i < Math.max(value.length, old.length); i++) collect(value[i], old[i], `${path}[${i}]`, lines);
  } else {
    if (old !== undefined) lines.push(`- ${path}: ${shown(old)}`);
    if (value !== undefined) lines.push(`+ ${path}: ${shown(value)}`);
  }
}

function shown(value: JsonValue): string {
  const text = formatSource(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
}
