/** Errors of single keywords (bounds, patterns, enumerations), as structural kinds report them. */
import type { FieldError, JsonValue } from '../../contract/index.js';
import { invalidValue, notSupported, tooLongMaximum, tooMany, typeInvalid } from '../../objects/field-error.js';
import { formatNumber, quote } from '../../objects/printing.js';
import { isInt64, isNumber, typeName, type Value } from './value.js';

const inBody = (path: string, value: Value, rule: string): FieldError =>
  invalidValue(path, value, `${path} in body ${rule}`);

/** A text shorter than `minLength` characters. */
export const tooShort = (path: string, value: string, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be at least ${minimum} chars long`);

/** A text longer than `maxLength` characters. */
export const tooLong = (path: string, maximum: number | bigint): FieldError => tooLongMaximum(path, maximum);

/** A text that a pattern does not match. */
export const notMatching = (path: string, value: string, source: string): FieldError =>
  inBody(path, value, `should match '${source}'`);

/** A number below `minimum`. */
export const tooSmall = (path: string, value: Value, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be greater than or equal to ${formatNumber(minimum)}`);

/** A number at or below an exclusive `minimum`. */
export const notAbove = (path: string, value: Value, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be greater than ${formatNumber(minimum)}`);

/** A number above `maximum`. */
export const tooLarge = (path: string, value: Value, maximum: number | bigint): FieldError =>
  inBody(path, value, `should be less than or equal to ${formatNumber(maximum)}`);

/** A number at or above an exclusive `maximum`. */
export const notBelow = (path: string, value: Value, maximum: number | bigint): FieldError =>
  inBody(path, value, `should be less than ${formatNumber(maximum)}`);

/** A number that is not a whole multiple of `multipleOf`. */
export const notMultiple = (path: string, value: Value, factor: number): FieldError =>
  inBody(path, value, `should be a multiple of ${formatNumber(factor)}`);

/** A list with fewer than `minItems`. */
export const tooFewItems = (path: string, count: number, minimum: number | bigint): FieldError =>
  inBody(path, count, `should have at least ${minimum} items`);

/** A list with more than `maxItems`, or an object with more than `maxProperties`. */
export const tooManyItems = (path: string, count: number, maximum: number | bigint): FieldError =>
  tooMany(path, count, maximum);

/** An object with fewer than `minProperties`. */
export const tooFewProperties = (path: string, count: number, minimum: number | bigint): FieldError =>
  inBody(path, count, `should have at least ${minimum} properties`);

/** A list with `uniqueItems` in which something occurs twice. */
export const repeatedItems = (path: string): FieldError => inBody(path, '', `shouldn't contain duplicates`);

/** A value that is not in its `enum`. */
export function notInEnum(path: string, value: Value, values: readonly JsonValue[]): FieldError {
  const names = values.map((allowed) => (typeof allowed === 'string' ? allowed : jsonText(allowed)));
  return notSupported(path, value, names);
}

function jsonText(value: JsonValue): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function refuse(path: string, wanted: string, found: string): FieldError {
  return typeInvalid(path, found, `${path} in body must be of type ${wanted}: ${quote(found)}`);
}

/** A value that is not of the type its schema asks for. */
export function wrongType(path: string, wanted: string, value: Value): FieldError {
  return refuse(path, wanted, typeName(value));
}

/**
 * A value of the wrong type where the schema has a format. The format is then named as the type, and the value by its
 * number format or, if it is no number, by nothing; only strings and lists are named as usual.
 */
export function wrongFormattedType(path: string, wanted: string, format: string, value: Value): FieldError {
  if (value === null || typeof value === 'string' || Array.isArray(value)) return wrongType(path, wanted, value);
  const found = isInt64(value) ? 'int64' : isNumber(value) ? 'float64' : '';
  return refuse(path, format, found);
}

/** A string that its format does not allow. */
export function wrongFormat(path: string, format: string, value: string): FieldError {
  return refuse(path, format, value);
}
