/** Constructors of field errors, with the words and the way of printing values that clients know. */
import type { CauseReason, FieldError, JsonValue } from '../contract/index.js';
import { formatNumber, formatSource, quote } from './printing.js';

/** A value that is printed as it stands, for values whose printed form names a type (`[]string{"a"}`, `0x0`). */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** A value that a field error can print. `undefined` prints as null. */
export type BadValue = JsonValue | undefined | Verbatim;

/** A list of strings as messages print it; `type` is its printed type, such as `[]core.ServicePort`. */
export function stringList(values: readonly string[], type = '[]string'): Verbatim {
  return new Verbatim(`${type}{${values.map(quote).join(', ')}}`);
}

function error(reason: CauseReason, field: string, message: string, detail: string): FieldError {
  return { reason, field, message: detail === '' ? message : `${message}: ${detail}` };
}

function print(value: BadValue): string {
  if (value instanceof Verbatim) return value.text;
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? formatSource(value) : formatNumber(value);
}

/** A field that must be there. */
export function required(field: string, detail = ''): FieldError {
  return error('FieldValueRequired', field, 'Required value', detail);
}

/** A value that breaks a rule; `detail` says which. */
export function invalidValue(field: string, value: BadValue, detail: string): FieldError {
  return error('FieldValueInvalid', field, `Invalid value: ${print(value)}`, detail);
}

/** A value of the wrong type; reads like an invalid one but has a reason of its own. */
export function typeInvalid(field: string, value: BadValue, detail: string): FieldError {
  return error('FieldValueTypeInvalid', field, `Invalid value: ${print(value)}`, detail);
}

/** A value outside a closed list, whose members are named in the order given. */
export function notSupported(field: string, value: BadValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return error('FieldValueNotSupported', field, `Unsupported value: ${print(value)}`, detail);
}

/** A value that occurs again where all must differ. */
export function duplicate(field: string, value: BadValue): FieldError {
  return error('FieldValueDuplicate', field, `Duplicate value: ${print(value)}`, '');
}

/** A reference to something that is not there. */
export function notFoundValue(field: string, value: BadValue): FieldError {
  return error('FieldValueNotFound', field, `Not found: ${print(value)}`, '');
}

/** A field that may not be set, or not be changed. */
export function forbidden(field: string, detail: string): FieldError {
  return error('FieldValueForbidden', field, 'Forbidden', detail);
}

/** A text with more than `maxBytes` bytes of UTF-8. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return error('FieldValueTooLong', field, 'Too long', `must have at most ${maxBytes} bytes`);
}

/** A text or list over a limit, in the words used by schemas and by older rules. */
export function tooLongMaximum(field: string, maximum: number | bigint): FieldError {
  return error('FieldValueTooLong', field, 'Too long', `may not be longer than ${maximum}`);
}

/** A list or map with more members than it may have. */
export function tooMany(field: string, actual: number, maximum: number | bigint): FieldError {
  return error('FieldValueTooMany', field, `Too many: ${actual}`, `must have at most ${maximum} items`);
}

/** Something that went wrong while a field was checked, and is not the value's fault. */
export function internalError(field: string, detail: string): FieldError {
  return error('InternalError', field, 'Internal error', detail);
}

/** The error in one line, as the messages of whole requests list it. */
export function fieldErrorText(fieldError: FieldError): string {
  return `${fieldError.field}: ${fieldError.message}`;
}

/**
 * Several errors as one text: alone as it is, more in brackets, repeats said once.
 */
export function joinErrors(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
