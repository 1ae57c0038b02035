/** Errors of single keywords (bounds, patterns, enumerations), as structural kinds report them. */
import type { FieldError, JsonValue } from '../../contract/index.js';
import { invalidValue, notSupported, tooLongMaximum, tooMany, typeInvalid } from '../../objects/field-error.js';
import { formatNumber, quote } from '../../objects/printing.js';
import { isInt64, isNumber, typeName, type Value } from './value.js';

/** Returns the error of a text shorter than `minLength` characters. */
export const tooShort = (path: string, value: string, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be at least ${minimum} chars long`);

const inBody = (path: string, value: Value, rule: string): FieldError =>
  invalidValue(path, value, `${path} in body ${rule}`);

/** Returns the error of a text longer than `maxLength` characters. */
export const tooLong = (path: string, maximum: number | bigint): FieldError => tooLongMaximum(path, maximum);

/** Returns the error of a text that does not match a pattern. */
export const notMatching = (path: string, value: string, source: string): FieldError =>
  inBody(path, value, `should match '${source}'`);

/** Returns the error of a number below `minimum`. */
export const tooSmall = (path: string, value: Value, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be greater than or equal to ${formatNumber(minimum)}`);

/** Returns the error of a number at or below an exclusive `minimum`. */
export const notAbove = (path: string, value: Value, minimum: number | bigint): FieldError =>
  inBody(path, value, `should be greater than ${formatNumber(minimum)}`);

/** Returns the error of a number above `maximum`. */
export const tooLarge = (path: string, value: Value, maximum: number | bigint): FieldError =>
  inBody(path, value, `should be less than or equal to ${formatNumber(maximum)}`);

/** Returns the error of a number at or above an exclusive `maximum`. */
export const notBelow = (path: string, value: Value, maximum: number | bigint): FieldError =>
  inBody(path, value, `should be less than ${formatNumber(maximum)}`);

/** Returns the error of a number that is not a multiple of `multipleOf`. */
export const notMultiple = (path: string, value: Value, factor: number): FieldError =>
  inBody(path, value, `should be a multiple of ${formatNumber(factor)}`);

/** Returns the error of a list with fewer than `minItems`. */
export const tooFewItems = (path: string, count: number, minimum: number | bigint): FieldError =>
  inBody(path, count, `should have at least ${minimum} items`);

/** Returns the error of a list with more than `maxItems`, or an object with more than `maxProperties`. */
export const tooManyItems = (path: string, count: number, maximum: number | bigint): FieldError =>
  tooMany(path, count, maximum);

/** Returns the error of an object with fewer than `minProperties`. */
export const tooFewProperties = (path: string, count: number, minimum: number | bigint): FieldError =>
  inBody(path, count, `should have at least ${minimum} properties`);

/** Returns the error of a list with `uniqueItems` and a repeated item. */
export const repeatedItems = (path: string): FieldError => inBody(path, '', `shouldn't contain duplicates`);

/** Returns the error of a value that is not in its `enum`. */
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

/** Returns the error of a value of the wrong type. */
export function wrongType(path: string, wanted: string, value: Value): FieldError {
  return refuse(path, wanted, typeName(value));
}

/**
 * Returns the error of a value of the wrong type if the schema has a format. The message then names the format as the
 * type. It names the type of numbers, strings, lists and null, and no type for other values.
 */
export function wrongFormattedType(path: string, wanted: string, format: string, value: Value): FieldError {
  if (value === null || typeof value === 'string' || Array.isArray(value)) return wrongType(path, wanted, value);
  const found = isInt64(value) ? 'int64' : isNumber(value) ? 'float64' : '';
  return refuse(path, format, found);
}

/**
 * Returns the error of a number that its type and format cannot hold. The error has no field; its message contains the
 * path.
 */
export const outOfRange = (path: string, range: string): FieldError =>
  invalidValue('<nil>', '', `Checked value must be of type ${range} in ${path}`);

/** The beginnings of paths in parts that are checked alone, and of messages about the whole part. */
const parts = {
  default: {
    path: /^default\d+\.?/,
    message: /^(Invalid value: "": (?:"|Checked value must be of type .* in ))default\d+\.?/,
  },
  status: {
    path: /^status\.?/,
    message: /^(Invalid value: "": (?:"|Checked value must be of type .* in ))status\.?/,
  },
};

/**
 * Returns an error as the check of a part alone words it: the path in the message begins in the part. The path of the
 * error itself remains.
 */
export function insidePart(error: FieldError, part: keyof typeof parts): FieldError {
  const { field, message, later } = error;
  const path = field.replace(parts[part].path, '');
  const shortened = (text: string): string =>
    field === '<nil>'
      ? text.replace(parts[part].message, '$1')
      : text.replace(`${field} in body`, () => `${path} in body`);
  const found = { ...error, message: shortened(message) };
  return later === undefined ? found : { ...found, later: shortened(later) };
}

/** Returns the error of a string that its format does not allow. */
export function wrongFormat(path: string, format: string, value: string): FieldError {
  return refuse(path, format, value);
}
