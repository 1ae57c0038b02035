/** A plain interpreter of the schemas of typed kinds, for comparison with what the compiler makes of them. */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isObject } from '../../runtime/objects/guards.js';
import { wantedType } from '../../runtime/schema/emit/type-names.js';
import { NodeTable } from '../../runtime/schema/node.js';
import * as support from '../../runtime/schema/support.js';

type Wrong = support.Mismatch | undefined;

/** Whether unknown fields stay. */
const isOpen = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Reads the fields of an object in place; answers the first value of a wrong type. */
export function readObject(schema: Schema, object: JsonObject, struct: string, skipped: readonly string[] = []): Wrong {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (skipped.includes(name)) continue;
    const wrong = readField(child, object, name, struct);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function readField(schema: Schema, object: JsonObject, name: string, struct: string): Wrong {
  const presence = schema['x-kindforge-presence'] ?? 'explicit';
  const zero = zeroOf(schema);
  let value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (presence === 'always' && (value === undefined || value === null)) {
    object[name] = zero;
    if (zero === null) return undefined;
    value = object[name];
  }
  const isZero = presence === 'implicit' && (value === '' || value === 0 || value === false) && value === zero0(schema);
  if (value === null || isZero) delete object[name];
  if (value === undefined || value === null || isZero) return undefined;
  const read = readValue(schema, value, struct, name);
  if (read.wrong !== undefined) return read.wrong;
  object[name] = read.value;
  const isStruct = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
  if (presence === 'implicit' && !isStruct && (schema.type === 'array' || schema.type === 'object')) {
    if (support.isEmpty(object[name])) delete object[name];
  }
  return undefined;
}

interface Read {
  readonly wrong?: support.Mismatch;
  readonly value: JsonValue;
}

function readValue(schema: Schema, value: JsonValue, struct: string, field: string): Read {
  const wanted = wantedOf(schema, struct, field);
  const wrong = (): Read => ({ wrong: support.mismatch(struct, field, wanted, value), value });
  if (schema['x-kubernetes-int-or-string']) {
    const passes = typeof value === 'string' || support.isInt32(value);
    return passes ? { value } : { wrong: support.notInteger(struct, field, wanted, value), value };
  }
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : wrong();
    case 'number':
      return support.isNumber(value) ? { value } : wrong();
    case 'integer': {
      const passes = schema.format === 'int32' ? support.isInt32(value) : support.isInt64(value);
      return passes ? { value } : { wrong: support.notInteger(struct, field, wanted, value), value };
    }
    case 'string':
      return readText(schema, value, struct, field, wanted);
    case 'array':
      return Array.isArray(value) ? readList(schema, value, struct, field) : wrong();
    case 'object':
      if (isOpen(schema)) return { value };
      return isObject(value) ? readNested(schema, value, struct, field) : wrong();
    default:
      return { value };
  }
}

function readText(schema: Schema, value: JsonValue, struct: string, field: string, wanted: string): Read {
  const reader =
    schema['x-kindforge-time'] === 'micros'
      ? support.readMicroTime
      : schema.format === 'date-time'
        ? support.readTime
        : schema.format === 'byte'
          ? support.readBytes
          : undefined;
  if (reader === undefined) {
    return typeof value === 'string' ? { value } : { wrong: support.mismatch(struct, field, wanted, value), value };
  }
  const read = reader(value, struct, field, wanted);
  return typeof read === 'string' ? { value: read } : { wrong: read, value };
}

function readList(schema: Schema, value: JsonValue[], struct: string, field: string): Read {
  const { items } = schema;
  if (items === undefined) return { value };
  for (let i = 0; i < value.length; i++) {
    const read = readElement(items, value[i] ?? null, struct, field);
    if (read.wrong !== undefined) return read;
    value[i] = read.value;
  }
  return { value };
}

/** An item of a list or a value of a map: null stands for the zero. */
function readElement(schema: Schema, value: JsonValue, struct: string, field: string): Read {
  const filled = value === null ? (schema.type === 'array' ? [] : zeroOf(schema)) : value;
  if (filled === null) {
    const reads = schema.type !== undefined || schema['x-kubernetes-int-or-string'];
    return reads ? readValue(schema, filled, struct, field) : { value: filled };
  }
  return readValue(schema, filled, struct, field);
}

function readNested(schema: Schema, value: JsonObject, struct: string, field: string): Read {
  if (typeof schema.additionalProperties === 'object') {
    for (const key of Object.keys(value)) {
      const read = readElement(schema.additionalProperties, value[key] ?? null, struct, field);
      if (read.wrong !== undefined) return read;
      value[key] = read.value;
    }
    return { value };
  }
  const wrong = readObject(schema, value, structName(schema, struct, field));
  return wrong === undefined ? { value } : { wrong: support.under(field, wrong), value };
}

/** Names of types are no rule that could be told in two ways, so they come from the compiler. */
function wantedOf(schema: Schema, struct: string, field: string): string {
  return wantedType(new NodeTable().node(schema), structName(schema, struct, field), 'v1');
}

function structName(schema: Schema, struct: string, field: string): string {
  const shared = schema['x-kindforge-type'];
  return (
    shared?.split(shared.includes('#/') ? '#/' : '/').at(-1) ??
    `${struct}${field.charAt(0).toUpperCase()}${field.slice(1)}`
  );
}

/** What stands for the absence of a value that is always there. */
function zeroOf(schema: Schema): JsonValue {
  if (schema.type === 'object') return {};
  if (schema.type === 'string' && (schema.format === 'date-time' || schema.format === 'byte')) return null;
  return zero0(schema) ?? null;
}

function zero0({ type }: Schema): JsonValue | undefined {
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : undefined;
}

/** Fills in defaults; nulls were seen to by reading. */
export function fillDefaults(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) for (const item of value) fillDefaults(schema.items, item);
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (child.default !== undefined && value[name] === undefined) value[name] = clone(child.default);
    fillDefaults(child, value[name]);
  }
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') for (const item of Object.values(value)) fillDefaults(rest, item);
}

/** Errors of an object whose fields have been read. */
export function validateTyped(schema: Schema, object: JsonObject, skipped: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  checkFields(schema, object, '', errors, skipped);
  return errors;
}

function reported(path: string, name: string, schema: Schema): string {
  const shown = schema['x-kindforge-report-as'] ?? name;
  return shown === '' ? path : path === '' ? shown : `${path}.${shown}`;
}

function words(schema: Schema, keyword: string, usual: string): string {
  return schema['x-kindforge-messages']?.[keyword] ?? usual;
}

/** A message, or the detail of an invalid value; which of the two its beginning says. */
function worded(path: string, value: JsonValue | undefined, text: string): FieldError {
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

function checkFields(
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

function checkTyped(schema: Schema, value: JsonValue, path: string, errors: FieldError[]): void {
  const fail = (keyword: string, usual: string): unknown =>
    errors.push(worded(path, value, words(schema, keyword, usual)));
  if (typeof value === 'string') checkTypedText(schema, value, path, errors, fail);
  if (typeof value === 'number' || typeof value === 'bigint') checkTypedNumber(schema, value, fail);
  if (schema.enum?.length && value !== null && !support.isOneOf(schema.enum, value)) {
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
  if (format && !['byte', 'date-time'].includes(format) && !support.stringFormat(format).matches(value)) {
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

function tooMany(schema: Schema, keyword: string, path: string, count: number, maximum: number): FieldError {
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
