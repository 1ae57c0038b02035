/** Checks of single fields, and the form in which checks report. */
import type { FieldError, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { getOwn, isArray, isObject } from '../../runtime/objects/guards.js';
import type { NameCheck } from '../../runtime/objects/names/name-patterns.js';
import { formatSource } from '../../runtime/objects/printing.js';

/** Errors one after the other, found only as they are asked for: no input makes a list of them without end. */
export type FieldErrors = Iterable<FieldError>;

/** The most errors that the answer about one object has. */
const maxErrors = 1000;

/** Errors as a list, up to a bound. */
export function firstErrors(errors: FieldErrors): readonly FieldError[] {
  const found: FieldError[] = [];
  for (const error of errors) {
    found.push(error);
    if (found.length === maxErrors) break;
  }
  return found;
}

/** Errors as `FieldErrors`, and pauses, at which others may have their turn. */
export type PacedErrors = Iterable<FieldError | undefined>;

/** The same as `firstErrors`, with the pauses. */
export function* firstErrorsPaced(errors: PacedErrors): Generator<undefined, readonly FieldError[], undefined> {
  const found: FieldError[] = [];
  for (const error of errors) {
    if (error === undefined) yield;
    else if (found.push(error) === maxErrors) break;
  }
  return found;
}

/** A text that a named rule has to accept. */
export function* checkText(path: string, text: string, check: NameCheck): FieldErrors {
  for (const problem of check(text)) yield invalidValue(path, text, problem);
}

/** A text that has to be there and that a named rule has to accept. */
export function* checkName(path: string, text: string, check: NameCheck): FieldErrors {
  if (text === '') yield required(path);
  else yield* checkText(path, text, check);
}

/** A text that has to be there. */
export function* checkRequired(text: string | undefined, path: string): FieldErrors {
  if (!text) yield required(path);
}

/** A text, where it is there, that has to be one of a few; they are named in the order given. */
export function* checkOneOf(text: string | undefined, path: string, choices: readonly string[]): FieldErrors {
  if (text !== undefined && !choices.includes(text)) yield notSupported(path, text, choices);
}

/** A text that has to be there and has to be one of a few. */
export function* checkRequiredOneOf(text: string | undefined, path: string, choices: readonly string[]): FieldErrors {
  if (text) yield* checkOneOf(text, path, choices);
  else yield required(path);
}

/** A whole number, where it is there, that has to lie between two bounds. */
export function* checkBetween(
  value: number | bigint | undefined,
  path: string,
  [minimum, maximum]: readonly [number, number],
): FieldErrors {
  if (value === undefined || (value >= minimum && value <= maximum)) return;
  yield invalidValue(path, value, `must be between ${minimum} and ${maximum}, inclusive`);
}

/** The largest number that 32 bits with a sign hold. */
export const maxInt32 = 2147483647;

/** The range of the numbers of a process's users and groups. */
export const userIds: readonly [number, number] = [0, maxInt32];

/** A check for each field, in the order in which the first of several set fields counts. */
export type FieldChecks<T, Context extends readonly unknown[] = []> = {
  readonly [Field in keyof T]-?: (value: NonNullable<T[Field]>, path: string, ...context: Context) => FieldErrors;
};

/** A field that is set, with the errors of its value. */
interface SetField<T> {
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

const everything = '*';

/** Whether a list says everything, and still something else. */
export const saysMoreThanEverything = (list: readonly string[]): boolean =>
  list.length > 1 && list.includes(everything);

/** Whether a list says everything. */
export const saysEverything = (list: readonly string[]): boolean => list.includes(everything);

/** Returns the value of a JSON text; `undefined` where it is not JSON. */
export function parsedAnnotation(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Differences, and characters of a value, that are shown; the message is for people. */
const maxLines = 40;
const maxValue = 400;

/** Each difference as the old value after a minus and the new one after a plus, with its path. */
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
