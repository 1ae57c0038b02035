/** The checks of typed kinds. */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { type BadValue, duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { isObject } from '../../../runtime/objects/guards.js';
import * as support from '../../../runtime/schema/support.js';

export function checkFields(
  schema: Schema,
  object: JsonObject,
  path: string,
  errors: FieldError[],
  skipped: readonly string[],
): void {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (skipped.includes(name)) continue;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    const at = reported(path, name, child);
    const isAlways = child['x-kindforge-presence'] === 'always';
    const missing = child['x-kindforge-non-empty'] ? support.isZero(value) : value === undefined && !isAlways;
    const detail = child['x-kindforge-messages']?.required;
    if (missing && schema.required?.includes(name)) errors.push(required(at, detail));
    else if (value !== undefined) checkTyped(child, value, at, errors);
  }
}

export function reported(path: string, name: string, schema: Schema): string {
  const shown = schema['x-kindforge-report-as'] ?? name;
  return shown === '' ? path : path === '' ? shown : `${path}.${shown}`;
}

function words(schema: Schema, keyword: string, usual: string): string {
  return schema['x-kindforge-messages']?.[keyword] ?? usual;
}

/** A message, or the detail of an invalid value; which of the two its beginning says. */
export function worded(path: string, value: BadValue, text: string): FieldError {
  const reasons = {
    'Required value': 'FieldValueRequired',
    Forbidden: 'FieldValueForbidden',
    'Too long': 'FieldValueTooLong',
    'Too many': 'FieldValueTooMany',
  } as const;
  for (const [start, reason] of Object.entries(reasons)) {
    if (text === start || text.startsWith(`${start}: `)) return { reason, field: path, message: text };
  }
  return invalidValue(path, value, text);
}

function checkTyped(schema: Schema, value: JsonValue, path: string, errors: FieldError[]): void {
  const fail = (keyword: string, usual: string): unknown =>
    errors.push(worded(path, value, words(schema, keyword, usual)));
  if (typeof value === 'string') checkTypedText(schema, value, path, errors, fail);
  if (typeof value === 'number' || typeof value === 'bigint') checkTypedNumber(schema, value, fail);
  const closed = schema['x-kindforge-unchecked'] !== true;
  if (closed && schema.enum?.length && value !== null && !support.isOneOf(schema.enum, value)) {
    const own = schema['x-kindforge-messages']?.enum;
    errors.push(own === undefined ? support.notInEnum(path, value, schema.enum) : worded(path, value, own));
  }
  if (Array.isArray(value)) checkTypedList(schema, value, path, errors);
  if (isObject(value)) checkTypedObject(schema, value, path, errors);
}

type Fail = (keyword: string, usual: string) => unknown;

function checkTypedText(schema: Schema, value: string, path: string, errors: FieldError[], fail: Fail): void {
  const { minLength = 0, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength) fail('maxLength', `Too long: may not be longer than ${maxLength}`);
  if (length < minLength)
    fail('minLength', minLength === 1 ? 'Required value' : `must be at least ${minLength} characters long`);
  if (pattern && !support.pattern(pattern).matches(value)) fail('pattern', `must match '${pattern}'`);
  if (format && !['byte', 'date-time', 'quantity'].includes(format) && !support.stringFormat(format).matches(value)) {
    fail('format', `must be a valid ${format}`);
  }
  const id = schema['x-kindforge-name-format'];
  if (id) for (const problem of support.nameCheck(id)(value)) errors.push(invalidValue(path, value, problem));
}

function checkTypedNumber(schema: Schema, value: number | bigint, fail: Fail): void {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (multipleOf && !support.isMultiple(value, multipleOf)) fail('multipleOf', `must be a multiple of ${multipleOf}`);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    fail('minimum', `must be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    fail('maximum', `must be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
}

function checkTypedList(schema: Schema, value: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const { items, minItems = 0, maxItems } = schema;
  const unique = schema['x-kindforge-unique'];
  const seen: JsonValue[] = [];
  value.forEach((item, i) => {
    const at = items?.['x-kindforge-report-as'] === '' ? path : `${path}[${i}]`;
    if (unique !== undefined) {
      const key = unique === '.' ? item : ((isObject(item) ? item[unique] : undefined) ?? '');
      if (seen.some((other) => equal(other, key))) {
        const child = items?.properties?.[unique] ?? {};
        errors.push(duplicate(unique === '.' ? at : reported(at, unique, child), key));
        return;
      }
      seen.push(key);
    }
    if (items) checkTyped(items, item, at, errors);
  });
  const count = value.length;
  if (count < minItems) {
    const usual = minItems === 1 ? 'Required value' : `must have at least ${minItems} items`;
    errors.push(worded(path, [...value], words(schema, 'minItems', usual)));
  }
  if (maxItems !== undefined && count > maxItems) errors.push(tooMany(schema, 'maxItems', path, count, maxItems));
}

function tooMany(schema: Schema, keyword: string, path: string, count: number, maximum: number | bigint): FieldError {
  const own = schema['x-kindforge-messages']?.[keyword];
  return own === undefined ? support.tooManyItems(path, count, maximum) : worded(path, count, own);
}

function checkTypedObject(schema: Schema, value: JsonObject, path: string, errors: FieldError[]): void {
  checkFields(schema, value, path, errors, []);
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined && !Object.hasOwn(schema.properties ?? {}, key))
        checkTyped(rest, item, `${path}[${key}]`, errors);
    }
  }
  const count = Object.values(value).filter((item) => item !== undefined).length;
  const { minProperties = 0, maxProperties } = schema;
  if (count < minProperties) {
    errors.push(worded(path, value, words(schema, 'minProperties', `must have at least ${minProperties} items`)));
  }
  if (maxProperties !== undefined && count > maxProperties) {
    errors.push(tooMany(schema, 'maxProperties', path, count, maxProperties));
  }
}
