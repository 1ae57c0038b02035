/** Checks of single fields, and the form in which checks report. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import type { NameCheck } from '../../runtime/objects/names/name-patterns.js';

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
