/** Errors about values of the wrong JSON type, as structural kinds report them. */
import type { FieldError } from '../../contract/index.js';
import { typeInvalid } from '../../objects/field-error.js';
import { isObject } from '../../objects/guards.js';
import { quote } from '../../objects/printing.js';
import type { Findings } from './findings.js';
import type { StringFormat } from './formats/index.js';
import { notInEnum } from './keyword-errors.js';
import type { Place, Value } from './value.js';
import { isInt64, isNumber, locate, typeName } from './value.js';

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

/** Refuses what is no string. */
export function expectString(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && typeof value !== 'string') errors.push(wrongType(locate(path, place), 'string', value));
}

/** Refuses what is no integer of 64 bits. */
export function expectInteger(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && !isInt64(value)) errors.push(wrongType(locate(path, place), 'integer', value));
}

/** Refuses what is no number. */
export function expectNumber(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && !isNumber(value)) errors.push(wrongType(locate(path, place), 'number', value));
}

/** Refuses what is neither true nor false. */
export function expectBoolean(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && typeof value !== 'boolean') errors.push(wrongType(locate(path, place), 'boolean', value));
}

/** Refuses what is neither an integer nor a string. */
export function expectIntOrString(value: Value, path: string, place: Place, errors: Findings): void {
  if (value === undefined || typeof value === 'string' || isInt64(value)) return;
  errors.push(wrongType(locate(path, place), 'integer,string', value));
}

/** Refuses what is no object. */
export function expectObject(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && !isObject(value)) errors.push(wrongType(locate(path, place), 'object', value));
}

/** Refuses what is no list. */
export function expectArray(value: Value, path: string, place: Place, errors: Findings): void {
  if (value !== undefined && !Array.isArray(value)) errors.push(wrongType(locate(path, place), 'array', value));
}

/** Refuses what is no integer, where the schema names a format; the reference does not check its range. */
export function expectFormattedInteger(
  value: Value,
  path: string,
  place: Place,
  errors: Findings,
  format: 'int32' | 'int64',
): void {
  if (value === undefined || isInt64(value)) return;
  errors.push(wrongFormattedType(locate(path, place), 'integer', format, value));
}

/** Refuses what is no text of a format. A list passes: of values with a format, the reference only looks at texts. */
export function expectFormat(value: Value, path: string, place: Place, errors: Findings, format: StringFormat): void {
  if (value === undefined || Array.isArray(value)) return;
  if (typeof value !== 'string') errors.push(wrongFormattedType(locate(path, place), 'string', format.name, value));
  else if (!format.matches(value)) errors.push(wrongFormat(locate(path, place), format.name, value));
}

/** Refuses what is no text of an enumeration. */
export function expectEnum(
  value: Value,
  path: string,
  place: Place,
  errors: Findings,
  values: readonly string[],
): void {
  if (value === undefined) return;
  if (typeof value !== 'string') errors.push(wrongType(locate(path, place), 'string', value));
  else if (values.includes(value)) return;
  errors.push(notInEnum(locate(path, place), value, values));
}
