/**
 * Makes field errors. Clients know the words and the format of printed values. Both differ between releases, so an
 * error has its text in the words of 1.27 and, if they differ, in later words. The server sends one of them.
 */
import type { CauseReason, FieldError, JsonValue } from '../contract/index.js';
import { writeJson } from './from-below.js';
import { laterDetail } from './later-words.js';
import { htmlSafe, sourceAsJson } from './printed-source.js';
import { byCodePoint, formatNumber, formatSource, quote } from './printing.js';

/**
 * A text to print unchanged, for values with a type in their printed form (`[]string{"a"}`, `0x0`). `json` is what
 * later releases print; by default it follows from the text.
 */
export class Verbatim {
  constructor(
    readonly text: string,
    readonly json?: string,
  ) {}
}

/** A value that a field error can print. `undefined` prints as null. */
export type BadValue = JsonValue | undefined | Verbatim;

/** Returns a list of strings as messages print it. `type` is the printed type, such as `[]core.ServicePort`. */
export function stringList(values: readonly string[], type = '[]string'): Verbatim {
  return new Verbatim(`${type}{${values.map(quote).join(', ')}}`);
}

function error(
  reason: CauseReason,
  field: string,
  problem: string,
  detail: string,
  later: { readonly problem?: string; readonly detail?: string } = {},
): FieldError {
  const message = joined(problem, detail);
  const laterMessage = joined(later.problem ?? problem, later.detail ?? laterDetail(field, detail));
  return laterMessage === message ? { reason, field, message } : { reason, field, message, later: laterMessage };
}

const joined = (problem: string, detail: string): string => (detail === '' ? problem : `${problem}: ${detail}`);

/** Returns the error of a value. Earlier and later words print the value differently. */
function valued(
  reason: CauseReason,
  field: string,
  problem: string,
  value: BadValue,
  detail: string,
  laterRule?: string,
): FieldError {
  const later = { problem: `${problem}: ${printJson(value)}`, ...inLater(laterRule) };
  return error(reason, field, `${problem}: ${print(value)}`, detail, later);
}

function printJson(value: BadValue): string {
  if (value instanceof Verbatim) return value.json ?? sourceAsJson(value.text);
  if (value === undefined || value === null) return 'null';
  return typeof value === 'object' ? htmlSafe(writeJson(value, { order: byCodePoint })) : print(value);
}

function print(value: BadValue): string {
  if (value instanceof Verbatim) return value.text;
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? formatSource(value) : formatNumber(value);
}

/** Returns the error of a field that is missing. `later` is the detail in later releases, if they have another. */
export function required(field: string, detail = '', later?: string): FieldError {
  return error('FieldValueRequired', field, 'Required value', detail, inLater(later));
}

const inLater = (detail: string | undefined): { readonly detail?: string } => (detail === undefined ? {} : { detail });

/**
 * Returns the error of a value that breaks a rule; `detail` is the rule, and `later` its words in later releases, if
 * they have others.
 */
export function invalidValue(field: string, value: BadValue, detail: string, later?: string): FieldError {
  return valued('FieldValueInvalid', field, 'Invalid value', value, detail, later);
}

/** Returns the error of a value that breaks a rule, without the value, because it is secret or too long. */
export function invalidUnshown(field: string, detail: string): FieldError {
  return error('FieldValueInvalid', field, 'Invalid value', detail);
}

/** Returns the error of a value with the wrong type. It reads like `invalidValue` but has its own reason. */
export function typeInvalid(field: string, value: BadValue, detail: string): FieldError {
  return valued('FieldValueTypeInvalid', field, 'Invalid value', value, detail);
}

/** Returns the error of a value outside a closed list. Lists the members in the given order. */
export function notSupported(field: string, value: BadValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return valued('FieldValueNotSupported', field, 'Unsupported value', value, detail);
}

/** Returns the error of a repeated value in a list of unique ones. */
export function duplicate(field: string, value: BadValue): FieldError {
  return valued('FieldValueDuplicate', field, 'Duplicate value', value, '');
}

/** Returns the error of a reference to something that does not exist. */
export function notFoundValue(field: string, value: BadValue): FieldError {
  return valued('FieldValueNotFound', field, 'Not found', value, '');
}

/** Returns the error of a field that must not be set, or not be changed. */
export function forbidden(field: string, detail: string): FieldError {
  return error('FieldValueForbidden', field, 'Forbidden', detail);
}

/** Returns the error of a text with more than `maxBytes` bytes of UTF-8. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return error('FieldValueTooLong', field, 'Too long', `must have at most ${maxBytes} bytes`, mostBytes(maxBytes));
}

/** Returns the error of a text or list over a limit, in the words of schemas and of older rules. */
export function tooLongMaximum(field: string, maximum: number | bigint): FieldError {
  return error('FieldValueTooLong', field, 'Too long', `may not be longer than ${maximum}`, mostBytes(maximum));
}

const mostBytes = (bytes: number | bigint) => ({ detail: `may not be more than ${bytes} bytes` });

/** Returns the error of a list or map with too many members. */
export function tooMany(field: string, actual: number, maximum: number | bigint): FieldError {
  const later = { detail: `must have at most ${maximum} ${Number(maximum) === 1 ? 'item' : 'items'}` };
  return error('FieldValueTooMany', field, `Too many: ${actual}`, `must have at most ${maximum} items`, later);
}

/** Returns the error of a check that failed for a reason other than the value. */
export function internalError(field: string, detail: string): FieldError {
  return error('InternalError', field, 'Internal error', detail);
}

/** Returns the error in one line, as messages about whole requests list it. */
export function fieldErrorText(fieldError: FieldError): string {
  return `${fieldError.field}: ${fieldError.message}`;
}

/**
 * Joins errors into one text. A single error stays as it is, several are in brackets; a repeated error appears once.
 */
export function joinErrors(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
