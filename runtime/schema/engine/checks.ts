/** The keywords of a schema's node that can refuse a value, prepared for the check. */
import type { JsonValue, Schema } from '../../contract/index.js';
import { getOwn } from '../../objects/guards.js';
import type { NameCheck } from '../../objects/names/name-checks.js';
import { nameFormat } from '../../objects/names/names.js';
import { allFormats, checkedFormat, type StringFormat, stringFormat } from '../formats.js';
import { type Pattern, pattern } from './pattern.js';
import { isInt64 } from './value.js';

/** How to report values that do not fit; see `ResourceModule.decoding`. */
export type Decoding = 'typed' | 'structural';

/** Values that an enumeration allows. */
interface Enumeration {
  readonly values: readonly JsonValue[];
  /** The values, if all are texts. They nearly always are. */
  readonly texts: readonly string[] | undefined;
}

/** The keywords of one node. Leaves out keywords that never refuse a value, such as `minLength: 0`. */
export class Checks {
  /** The names of the allowed types as errors write them; empty for any type. */
  readonly type: string;
  readonly nullable: boolean;
  /** Whether the schema is unknown, so a value may be wrong even if no keyword refuses it. */
  readonly isUnknown: boolean;
  /** The format, if values must match it. Errors about types contain its name. */
  readonly format: string | undefined;
  /** The format, if it is for texts. */
  readonly textFormat: StringFormat | undefined;
  /** The numbers that type and format can hold. */
  readonly range: NumberRange | undefined;
  readonly enumeration: Enumeration | undefined;
  readonly pattern: Pattern | undefined;
  readonly minLength: Bound;
  readonly maxLength: Bound;
  readonly minItems: Bound;
  readonly maxItems: Bound;
  readonly minProperties: Bound;
  readonly maxProperties: Bound;
  /** The names of the required fields to check, each once. */
  readonly required: readonly string[];
  readonly nameCheck: NameCheck | undefined;
  readonly hasNumbers: boolean;
  readonly hasTexts: boolean;
  readonly hasSizes: boolean;
  /** Whether these keywords can refuse a value. */
  readonly any: boolean;

  constructor(
    readonly schema: Schema,
    decoding: Decoding,
    formats = allFormats,
  ) {
    const { enum: values, minimum, maximum, multipleOf } = schema;
    const isTyped = decoding === 'typed';
    const nameFormat = isTyped ? schema['x-kindforge-name-format'] : undefined;
    this.type = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : (schema.type ?? '');
    this.nullable = schema.nullable === true;
    this.isUnknown = schema['x-kindforge-unknown'] === true;
    // Reading has already checked the numbers of typed kinds against their formats.
    this.format = checkedFormat(schema, isTyped ? { ...formats, numbers: false } : formats);
    this.textFormat = textFormat(schema, this.format, isTyped);
    this.range = isTyped || !formats.numbers ? undefined : numberRange(schema, this.format);
    this.enumeration = isTyped && schema['x-kindforge-unchecked'] === true ? undefined : enumeration(values);
    this.pattern = schema.pattern ? pattern(schema.pattern) : undefined;
    this.minLength = atLeast(schema.minLength);
    this.maxLength = schema.maxLength;
    this.minItems = atLeast(schema.minItems);
    this.maxItems = schema.maxItems;
    this.minProperties = atLeast(schema.minProperties);
    this.maxProperties = schema.maxProperties;
    this.required = requiredNames(schema, isTyped);
    this.nameCheck = nameFormat === undefined ? undefined : nameCheck(nameFormat);
    this.hasNumbers = isGiven(minimum) || isGiven(maximum) || isGiven(multipleOf);
    this.hasTexts =
      isGiven(this.pattern) ||
      isGiven(this.minLength) ||
      isGiven(this.maxLength) ||
      isGiven(this.textFormat) ||
      isGiven(this.nameCheck);
    this.hasSizes = isGiven(this.minProperties) || isGiven(this.maxProperties);
    const hasItems = isGiven(this.minItems) || isGiven(this.maxItems) || schema.uniqueItems === true;
    this.any =
      (!isTyped && (this.type !== '' || this.format !== undefined)) ||
      this.hasNumbers ||
      this.hasTexts ||
      this.hasSizes ||
      this.required.length > 0 ||
      this.enumeration !== undefined ||
      hasItems ||
      schema['x-kindforge-unique'] !== undefined;
  }
}

type Bound = number | bigint | undefined;

const noNames: readonly string[] = [];

const isGiven = (keyword: unknown): boolean => keyword !== undefined;

/** Returns a minimum, or `undefined` if it allows everything. */
const atLeast = (minimum: Bound): Bound => (minimum !== undefined && minimum > 0 ? minimum : undefined);

function requiredNames(schema: Schema, isTyped: boolean): readonly string[] {
  const { required, properties = {} } = schema;
  if (required === undefined || required.length === 0) return noNames;
  if (isTyped && schema['x-kindforge-unchecked'] === true) return noNames;
  const names = [...new Set(required)];
  // Reading stores fields that are always present. They can be empty, but never missing.
  return isTyped ? names.filter((name) => isMissable(getOwn(properties, name))) : names;
}

const isMissable = (schema: Schema | undefined): boolean =>
  schema !== undefined && (schema['x-kindforge-presence'] !== 'always' || schema['x-kindforge-non-empty'] === true);

function enumeration(values: readonly JsonValue[] | undefined): Enumeration | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const texts = values.filter((value) => typeof value === 'string');
  return { values, texts: texts.length === values.length ? texts : undefined };
}

/** Formats that the reading of typed kinds has already checked. */
const readFormats: ReadonlySet<string> = new Set(['byte', 'date-time', 'password']);

function textFormat({ type }: Schema, format: string | undefined, isTyped: boolean): StringFormat | undefined {
  if (format === undefined || !isText(type)) return undefined;
  if (isTyped && (type !== 'string' || readFormats.has(format))) return undefined;
  return stringFormat(format);
}

const isText = (type: string | undefined): boolean => type === undefined || type === 'string';

/** Returns the check of names with an id (`dns-1123-label`). The check for an unknown id accepts everything. */
function nameCheck(id: string): NameCheck {
  return nameFormat(id) ?? (() => []);
}

interface NumberRange {
  /** The type and the format, in the words of errors. */
  readonly name: string;
  readonly includes: (value: number | bigint) => boolean;
}

/** Returns whether a number is whole, at least `-limit` and less than `limit`. */
const isWithin = (value: number, limit: number): boolean => Number.isInteger(value) && value >= -limit && value < limit;

const int64 = (value: number | bigint): boolean =>
  isInt64(value) || (typeof value === 'number' && isWithin(value, 2 ** 63));

const ranges: Readonly<Record<string, NumberRange['includes']>> = {
  int32: (value) => isWithin(Number(value), 2 ** 31),
  int64,
  float: (value) => Number.isFinite(Math.fround(Number(value))),
};

/** Returns the range of a schema with a checked format or without format; `undefined` if it holds every number. */
function numberRange({ type }: Schema, format: string | undefined): NumberRange | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  if (format === undefined)
    return type === 'integer' ? { name: 'integer (default format)', includes: int64 } : undefined;
  const includes = Object.hasOwn(ranges, format) ? ranges[format] : undefined;
  return includes && { name: `${type} with format ${format}`, includes };
}
