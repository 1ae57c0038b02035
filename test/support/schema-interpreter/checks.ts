/** All keywords of a value, and how many checks applied to it. */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import * as support from '../../../runtime/schema/support.js';
import { below } from './walk.js';

/** Errors of a value, and how many checks applied to it. */
interface Result {
  readonly errors: FieldError[];
  matches: number;
}

export function check(schema: Schema, value: JsonValue, path: string): Result {
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
    // Lists pass where a format of texts is asked for, which then only looks at texts.
    const isTextual = format !== undefined && schema.type !== 'integer' && schema.type !== 'number';
    const named = types.length === 0 ? typeof value === 'string' : hasType(types, value);
    const passes = named || (isTextual && Array.isArray(value));
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
