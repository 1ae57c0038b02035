/**
 * A plain interpreter of structural schemas: what the compiler's functions do, said once more in the most obvious way,
 * by walking schema and value together. Only single checks and the words of errors are shared with the compiler.
 */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isObject } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { objectMetaSchema } from '../../runtime/schema/object-meta.js';
import * as support from '../../runtime/schema/support.js';
import { readObject } from './typed-interpreter.js';

const head = new Set(['apiVersion', 'kind', 'metadata']);

/** Everything that decoding and validation of an object come to. */
export interface Outcome {
  readonly unreadable: string | undefined;
  readonly unknown: readonly string[];
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
}

/** Decodes and validates an object, which is changed in place. */
export function interpret(schema: Schema, object: JsonObject): Outcome {
  const unreadable = readEmbedded(schema, object, '');
  if (unreadable !== undefined) return { unreadable, unknown: [], object, errors: [] };
  const unknown: string[] = [];
  prune({ ...schema, 'x-kubernetes-embedded-resource': true }, object, '', unknown);
  const inMetadata: string[] = [];
  pruneMetadata(schema, object, '', inMetadata);
  applyDefaults(schema, object);
  return { unreadable, unknown: [...unknown.sort(), ...inMetadata.sort()], object, errors: validate(schema, object) };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The schema of a property: its own, or that of all further properties; `undefined` where nothing is known. */
function propertySchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function prune(schema: Schema | undefined, value: JsonValue | undefined, path: string, unknown: string[]): void {
  if (schema?.['x-kubernetes-preserve-unknown-fields']) {
    pruneKnown(schema, value, path, unknown);
    return;
  }
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) prune(schema?.items, item, `${path}[${i}]`, unknown);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (schema?.['x-kubernetes-embedded-resource'] && head.has(name)) continue;
    const known = Object.hasOwn(schema?.properties ?? {}, name) || Boolean(schema?.additionalProperties);
    if (known && schema !== undefined) prune(propertySchema(schema, name), value[name], below(path, name), unknown);
    else {
      delete value[name];
      unknown.push(below(path, name));
    }
  }
}

/** Below a part that keeps unknown fields, only what the schema describes is pruned. */
function pruneKnown(schema: Schema | undefined, value: JsonValue | undefined, path: string, unknown: string[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) pruneKnown(schema.items, item, `${path}[${i}]`, unknown);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (schema['x-kubernetes-embedded-resource'] && head.has(name)) continue;
    const described = Object.hasOwn(schema.properties ?? {}, name) || Boolean(schema.additionalProperties);
    if (described) prune(propertySchema(schema, name), value[name], below(path, name), unknown);
  }
}

/** Calls a function for each value below an object that a schema describes, with its path. */
function forEachChild(
  schema: Schema,
  value: JsonValue | undefined,
  path: string,
  keyPath: (path: string, key: string) => string,
  visit: (schema: Schema, value: JsonValue, path: string) => void,
): void {
  const { items } = schema;
  if (Array.isArray(value) && items) for (const [i, item] of value.entries()) visit(items, item, `${path}[${i}]`);
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found !== undefined) visit(child, found, below(path, name));
  }
  const rest = schema.additionalProperties;
  if (typeof rest !== 'object') return;
  for (const [key, found] of Object.entries(value)) {
    if (!Object.hasOwn(schema.properties ?? {}, key) && found !== undefined) visit(rest, found, keyPath(path, key));
  }
}

const inBrackets = (path: string, key: string): string => `${path}[${key}]`;

function readEmbedded(schema: Schema, value: JsonValue | undefined, path: string): string | undefined {
  if (schema['x-kubernetes-embedded-resource']) {
    const reader = (metadata: JsonObject): support.Mismatch | undefined =>
      readObject(objectMetaSchema, metadata, 'ObjectMeta');
    const wrong = support.readEmbedded(value, path, reader);
    if (wrong !== undefined) return wrong.message;
  }
  let found: string | undefined;
  forEachChild(schema, value, path, inBrackets, (child, item, at) => {
    found ??= readEmbedded(child, item, at);
  });
  return found;
}

function pruneMetadata(schema: Schema, value: JsonValue | undefined, path: string, unknown: string[]): void {
  if (schema['x-kubernetes-embedded-resource'] && isObject(value)) {
    prune(objectMetaSchema, value.metadata, below(path, 'metadata'), unknown);
  }
  forEachChild(schema, value, path, below, (child, item, at) => pruneMetadata(child, item, at, unknown));
}

/** Drops nulls that neither may be nor have a default; then fills in defaults. */
export function applyDefaults(schema: Schema, object: JsonObject): void {
  pruneNulls(schema, object);
  fill(schema, object);
}

function pruneNulls(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (Array.isArray(value)) for (const item of value) pruneNulls(schema?.items, item);
  if (!isObject(value) || schema === undefined) return;
  for (const name of Object.keys(value)) {
    const child = propertySchema(schema, name);
    const kept = child === undefined || child.nullable || child.default !== undefined;
    if (value[name] === null && !kept) delete value[name];
    else pruneNulls(child, value[name]);
  }
}

const isRefusedNull = (schema: Schema, value: JsonValue | undefined): boolean => value === null && !schema.nullable;

function fill(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (schema === undefined) return;
  const { items } = schema;
  if (Array.isArray(value) && items) {
    value.forEach((item, i) => {
      if (isRefusedNull(items, item)) value[i] = clone(items.default ?? null);
      fill(items, value[i]);
    });
  }
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (child.default === undefined) continue;
    if (found === undefined || isRefusedNull(child, found)) set(value, name, clone(child.default));
  }
  for (const name of Object.keys(value)) {
    const child = propertySchema(schema, name);
    if (child === undefined) continue;
    const isEntry = !Object.hasOwn(schema.properties ?? {}, name);
    if (isEntry && isRefusedNull(child, value[name])) set(value, name, clone(child.default ?? null));
    fill(child, value[name]);
  }
}

function set(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** All errors of an object, in the order of the reference. */
export function validate(schema: Schema, object: JsonObject): FieldError[] {
  const errors = check(schema, object, '').errors;
  const distinct = new Map(errors.map((error) => [`${error.field}\n${error.message}`, error]));
  const all = [...distinct.values()];
  const findings = new support.Findings();
  checkEmbedded(schema, object, '', findings);
  findings.reportTo(all);
  checkLists(schema, object, '', all);
  const blocked = all.some(({ reason }) => blocking.has(reason));
  if (blocked && JSON.stringify(schema).includes('"x-kubernetes-validations":[{')) all.push(rulesSkipped);
  return all;
}

const blocking = new Set([
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** Errors of a value, and how many checks applied to it. */
interface Result {
  readonly errors: FieldError[];
  matches: number;
}

function check(schema: Schema, value: JsonValue, path: string): Result {
  const result: Result = { errors: [], matches: 0 };
  const { errors } = result;
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = checkedFormat(schema);
  const inEnum = (): void => {
    if (schema.enum?.length && !support.isOneOf(schema.enum, value))
      errors.push(support.notInEnum(path, value, schema.enum));
  };
  if (value === null) {
    const refused = types.length > 0 && !schema.nullable;
    if (refused) errors.push(support.wrongType(path, types.join(','), value));
    else result.matches++;
    inEnum();
    return result;
  }
  if (types.length > 0 || format !== undefined) {
    const passes =
      types.length === 0 ||
      hasType(types, value) ||
      (Array.isArray(value) && types[0] === 'string' && format !== undefined);
    const wanted = types.join(',');
    if (!passes && format === undefined) errors.push(support.wrongType(path, wanted, value));
    else if (!passes) errors.push(support.wrongFormattedType(path, wanted, schema.format ?? '', value));
    result.matches += passes ? 2 : 1;
  }
  checkCombinations(schema, value, path, result);
  result.matches += 2;
  if (typeof value === 'string') checkText(schema, value, path, format, result);
  if (typeof value === 'number' || typeof value === 'bigint') checkNumber(schema, value, path, result);
  if (Array.isArray(value)) checkList(schema, value, path, result);
  inEnum();
  result.matches++;
  if (isObject(value)) checkObject(schema, value, path, result);
  result.matches++;
  return result;
}

function checkedFormat({ type, format }: Schema): string | undefined {
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined;
  if (type === 'number') return format === 'float' || format === 'double' ? format : undefined;
  const known = type === undefined || type === 'string' ? knownFormats.has((format ?? '').replaceAll('-', '')) : false;
  return known ? format : undefined;
}

const knownFormats = new Set(
  'bsonobjectid byte cidr creditcard date datetime duration email hexcolor hostname ipv4 ipv6 isbn isbn10 isbn13 mac password rgbcolor ssn uri uuid uuid3 uuid4 uuid5'.split(
    ' ',
  ),
);

function hasType(types: readonly string[], value: JsonValue): boolean {
  const name = support.typeName(value);
  return types.includes(name) || (name === 'integer' && types.includes('number'));
}

function merge(into: Result, from: Result): void {
  into.errors.push(...from.errors);
  into.matches += from.matches;
}

/** The failed result to which most checks applied; the first of equals. */
function closest(results: readonly Result[]): Result {
  return results.reduce((best, next) => (next.matches > best.matches ? next : best));
}

const combined = (path: string, rule: string): FieldError => invalidValue('<nil>', '', `${quote(path)} must ${rule}`);

function checkCombinations(schema: Schema, value: JsonValue, path: string, result: Result): void {
  const run = (branches: readonly Schema[]): Result[] => branches.map((branch) => check(branch, value, path));
  if (schema.anyOf?.length) {
    const results = run(schema.anyOf);
    const valid = results.find(({ errors }) => errors.length === 0);
    if (!valid) result.errors.push(combined(path, 'validate at least one schema (anyOf)'));
    merge(result, valid ?? closest(results));
  }
  if (schema.oneOf?.length) {
    const results = run(schema.oneOf);
    const valid = results.filter(({ errors }) => errors.length === 0);
    const words = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    if (valid.length !== 1) result.errors.push(combined(path, `validate one and only one schema (oneOf). ${words}`));
    if (valid.length < 2) merge(result, valid[0] ?? closest(results));
  }
  if (schema.allOf?.length) {
    const results = run(schema.allOf);
    for (const each of results) merge(result, each);
    const valid = results.filter(({ errors }) => errors.length === 0).length;
    const none = valid === 0 ? '. None validated' : '';
    if (valid < results.length) result.errors.push(combined(path, `validate all the schemas (allOf)${none}`));
  }
  if (schema.not && check(schema.not, value, path).errors.length === 0) {
    result.errors.push(combined(path, 'not validate the schema (not)'));
  }
}

function checkText(schema: Schema, value: string, path: string, format: string | undefined, result: Result): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = [...value].length;
  if (length > maxLength) result.errors.push(support.tooLong(path, maxLength));
  else if (length < minLength) result.errors.push(support.tooShort(path, value, minLength));
  else if (pattern && !support.pattern(pattern).matches(value))
    result.errors.push(support.notMatching(path, value, pattern));
  result.matches++;
  if (format === undefined || schema.type === 'integer' || schema.type === 'number') return;
  if (!support.stringFormat(format).matches(value)) result.errors.push(support.wrongFormat(path, format, value));
  result.matches++;
}

function checkNumber(schema: Schema, value: number | bigint, path: string, result: Result): void {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const { errors } = result;
  const whole = (bound: number | bigint): number | bigint =>
    typeof bound === 'number' && support.isInt64(value) ? Math.trunc(bound) : bound;
  if (multipleOf !== undefined && !support.isMultiple(value, multipleOf))
    errors.push(support.notMultiple(path, value, multipleOf));
  if (minimum !== undefined) {
    const bound = whole(minimum);
    if (exclusiveMinimum && value <= bound) errors.push(support.notAbove(path, value, bound));
    if (!exclusiveMinimum && value < bound) errors.push(support.tooSmall(path, value, bound));
  }
  if (maximum !== undefined) {
    const bound = whole(maximum);
    if (exclusiveMaximum && value >= bound) errors.push(support.notBelow(path, value, bound));
    if (!exclusiveMaximum && value > bound) errors.push(support.tooLarge(path, value, bound));
  }
  result.matches += 2;
}

function checkList(schema: Schema, value: readonly JsonValue[], path: string, result: Result): void {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
  if (items) for (const [i, item] of value.entries()) merge(result, check(items, item, `${path}[${i}]`));
  if (value.length < minItems) result.errors.push(support.tooFewItems(path, value.length, minItems));
  if (value.length > maxItems) result.errors.push(support.tooManyItems(path, value.length, maxItems));
  if (uniqueItems && !support.allDiffer(value)) result.errors.push(support.repeatedItems(path));
  result.matches += 2;
}

function checkObject(schema: Schema, value: JsonObject, path: string, result: Result): void {
  const { properties = {}, additionalProperties, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = Object.values(value).filter((item) => item !== undefined).length;
  if (count < minProperties) result.errors.push(support.tooFewProperties(path, count, minProperties));
  if (count > maxProperties) result.errors.push(support.tooManyItems(path, count, maxProperties));
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, key) || typeof additionalProperties !== 'object' || item === undefined) continue;
    merge(result, check(additionalProperties, item, below(path, key)));
  }
  for (const [name, child] of Object.entries(properties)) {
    const item = Object.hasOwn(value, name) ? value[name] : undefined;
    if (item !== undefined) merge(result, check(child, item, below(path, name)));
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) result.errors.push(required(below(path, name)));
  }
  result.matches++;
}

function checkEmbedded(schema: Schema, value: JsonValue | undefined, path: string, errors: support.Findings): void {
  if (schema['x-kubernetes-embedded-resource']) support.checkEmbedded(value, path, errors);
  forEachChild(schema, value, path, inBrackets, (child, item, at) => checkEmbedded(child, item, at, errors));
}

function checkLists(schema: Schema, value: JsonValue | undefined, path: string, errors: FieldError[]): void {
  const type = schema['x-kubernetes-list-type'];
  if (Array.isArray(value) && type === 'set') checkRepeats(value, path, errors);
  if (Array.isArray(value) && type === 'map') checkKeys(schema, value, path, errors);
  forEachChild(schema, value, path, inBrackets, (child, item, at) => checkLists(child, item, at, errors));
}

function checkKeys(schema: Schema, value: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const stray = value.findIndex((item) => item !== null && !isObject(item));
  if (stray !== -1) {
    errors.push(invalidValue(`${path}[${stray}]`, value[stray], 'must be an object for an array of list-type map'));
    return;
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysOf = (item: JsonValue): JsonValue =>
    Object.fromEntries(Object.entries(isObject(item) ? item : {}).filter(([name]) => keys.includes(name)));
  checkRepeats(value.map(keysOf), path, errors);
}

/** Of values that occur more than once, the second occurrence is reported. */
function checkRepeats(keys: readonly JsonValue[], path: string, errors: FieldError[]): void {
  const texts = keys.map((key) => JSON.stringify(key, sortedKeys));
  texts.forEach((text, i) => {
    const isSecond = texts.slice(0, i).filter((other) => other === text).length === 1;
    if (isSecond) errors.push(duplicate(`${path}[${i}]`, keys[i]));
  });
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `int ${value}`;
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
