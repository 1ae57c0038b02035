/** Errors about values of the wrong JSON type, as structural kinds report them. */
import type { FieldError } from '../../contract/index.js';
import { typeInvalid } from '../../objects/field-error.js';
import { quote } from '../../objects/printing.js';
import type { Value } from './value.js';
import { isInt64, isNumber, typeName } from './value.js';

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
