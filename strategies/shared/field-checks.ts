/** Checks of single fields, and the form in which checks report. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import type { NameCheck } from '../../runtime/objects/name-patterns.js';
import { hasAt, integerAt } from './reading.js';

/** Errors one after the other, found only as they are asked for: no input makes a list of them without end. */
export type FieldErrors = Iterable<FieldError>;

/** The most errors that one object is answered with. */
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

/** The same for a text at a key. */
export function* checkPresent(object: JsonObject, key: string, path: string): FieldErrors {
  if (stringAt(object, key) === '') yield required(`${path}.${key}`);
}

/** A text, where it is there, that has to be one of a few; they are named in the order given. */
export function* checkChoice(object: JsonObject, key: string, path: string, choices: readonly string[]): FieldErrors {
  const value = hasAt(object, key) ? stringAt(object, key) : undefined;
  if (value !== undefined && !choices.includes(value)) yield notSupported(`${path}.${key}`, value, choices);
}

/** A text that has to be there and has to be one of a few. */
export function* checkRequiredChoice(
  object: JsonObject,
  key: string,
  path: string,
  choices: readonly string[],
): FieldErrors {
  const value = stringAt(object, key);
  if (value === '') yield required(`${path}.${key}`);
  else if (!choices.includes(value)) yield notSupported(`${path}.${key}`, value, choices);
}

/** A whole number, where it is there, that has to lie between two bounds. */
export function* checkRange(
  object: JsonObject,
  key: string,
  path: string,
  [minimum, maximum]: readonly [number, number],
): FieldErrors {
  const value = integerAt(object, key);
  if (value === undefined || (value >= minimum && value <= maximum)) return;
  yield invalidValue(`${path}.${key}`, value, `must be between ${minimum} and ${maximum}, inclusive`);
}

/** A whole number, where it is there, that may not be negative. */
export function* checkNotNegative(object: JsonObject, key: string, path: string): FieldErrors {
  const value = integerAt(object, key);
  if (value !== undefined && value < 0) {
    yield invalidValue(`${path}.${key}`, value, 'must be greater than or equal to 0');
  }
}

/** The largest number that 32 bits with a sign hold. */
export const maxInt32 = 2147483647;

/** Numbers that users and groups of a process may have. */
export const userIds: readonly [number, number] = [0, maxInt32];
