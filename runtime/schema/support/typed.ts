/** The checks of typed kinds beyond those that all kinds share. */
import { stringList, type Verbatim } from '../../objects/field-error.js';
import { getOwn, isObject, isStringArray } from '../../objects/guards.js';
import type { NameCheck } from '../../objects/names/name-patterns.js';
import { nameFormat } from '../../objects/names/names.js';
import { isEmpty } from './readers.js';
import type { Value } from './value.js';

/** The check of names with an id (`dns-1123-label`); one that finds nothing wrong for an id that is not known. */
export function nameCheck(id: string): NameCheck {
  return nameFormat(id) ?? (() => []);
}

/** Whether a value is absent or the zero of its type. */
export function isZero(value: Value): boolean {
  return value === undefined || value === null || value === '' || value === 0 || value === false || isEmpty(value);
}

/** A field of a value that may be no object. */
export function field(value: Value, name: string): Value {
  return isObject(value) ? getOwn(value, name) : undefined;
}

/** The key by which an item differs from others; the empty text where it has none. */
export function keyOf(item: Value, name: string): Value {
  return field(item, name) ?? '';
}

/** A list of texts as errors print it, with the name of its type; anything else as it is. */
export function printedList(value: Value, type: string): Value | Verbatim {
  return isStringArray(value) ? stringList(value, type) : value;
}
