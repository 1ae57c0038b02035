/** Checks each default in a schema against the part of the schema that has it. */
import type { FieldError, JsonObject, Place, Schema } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { insidePart } from '../../schema/engine/keyword-errors.js';
import { type LaterFormats, schemaFunctions } from '../../schema/index.js';
import type { EnvironmentOptions } from '../environment.js';
import type { DataTypeOptions } from './from-schema.js';
import { compileRuleTree, type RulePlace } from './rule-tree.js';
import { hasOptionals } from './rules.js';
import { validateRules } from './validate-rules.js';

/** The errors of one default. Paths are relative to the default; the empty path is the default itself. */
export interface DefaultFindings {
  /** Places of fields that the schema does not know. */
  readonly unknown: readonly string[];
  /** The errors by its schema, without errors of other defaults within it. */
  readonly refused: readonly FieldError[];
  /** The rules that it breaks; empty if the schema refuses the value. */
  readonly broken: readonly FieldError[];
}

/** Keywords that can refuse a scalar of the right type. */
const narrowing = [
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'format',
  'x-kubernetes-validations',
] as const;

/** Returns whether a default is valid at first sight: a scalar that only its type restricts. Most are. */
export function isPlainlyRight(schema: Schema): boolean {
  const { default: value, type } = schema;
  if (typeof value !== type || typeof value === 'object') return false;
  return narrowing.every((key) => schema[key] === undefined);
}

/** How to check defaults. */
export interface DefaultOptions extends DataTypeOptions {
  /**
   * Whether a default for `x-kubernetes-int-or-string` must be an integer or a string. The reference does not check
   * this.
   */
  readonly eitherType?: boolean;
  /** The formats of later releases that defaults must match; by default all. */
  readonly formats?: LaterFormats;
  /** Whether errors of broken rules print values, as since release 1.35. Default: false. */
  readonly showsValues?: boolean;
}

/**
 * Returns the errors of each schema's default, in the same order. Puts all defaults into one object, and compiles one
 * schema for it. All `schemas` must have a default and be structural.
 */
export function checkDefaults(
  schemas: readonly Schema[],
  release: EnvironmentOptions,
  { eitherType = false, formats, showsValues, ...options }: DefaultOptions,
): readonly DefaultFindings[] {
  const findings = schemas.map(() => new Findings());
  const properties: Record<string, Schema> = {};
  const object: JsonObject = {};
  for (const [index, schema] of schemas.entries()) {
    if (isPlainlyRight(schema)) continue;
    const { default: value, ...rest } = schema;
    properties[holder(index)] = rest;
    object[holder(index)] = value === undefined ? undefined : clone(value);
  }
  const whole: Schema = { type: 'object', properties };
  if (Object.keys(properties).length > 0)
    findAll(eitherType ? whole : withoutEitherType(whole), object, findings, {
      rules: compileRuleTree(whole, release, { ...options, isResource: false }),
      // In release 1.27 a default is its own old value; in later releases it has no old value.
      old: hasOptionals(release) ? undefined : object,
      formats,
      showsValues,
    });
  return findings;
}

/** Returns a schema without the checks of `x-kubernetes-int-or-string`. */
function withoutEitherType(schema: Schema): Schema {
  const { properties, items, additionalProperties: values } = schema;
  const copy: Schema = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutEitherType(each)])),
    }),
    ...(items && { items: withoutEitherType(items) }),
    ...(typeof values === 'object' && { additionalProperties: withoutEitherType(values) }),
  };
  if (schema['x-kubernetes-int-or-string'] !== true) return copy;
  const { 'x-kubernetes-int-or-string': _either, anyOf, allOf, ...rest } = copy;
  // Definitions may repeat `x-kubernetes-int-or-string` as an `anyOf`, also in the first `allOf`.
  const [first, ...others] = allOf ?? [];
  const all = isEither(first?.anyOf) ? others : allOf;
  return { ...rest, ...(anyOf && !isEither(anyOf) && { anyOf }), ...(all && { allOf: all }) };
}

const isEither = (schemas: readonly Schema[] = []): boolean =>
  schemas.length === 2 && schemas[0]?.type === 'integer' && schemas[1]?.type === 'string';

/** The errors found so far in one default. */
class Findings implements DefaultFindings {
  readonly unknown: string[] = [];
  readonly refused: FieldError[] = [];
  readonly broken: FieldError[] = [];
}

interface Judges {
  readonly rules: RulePlace | undefined;
  readonly old: JsonObject | undefined;
  readonly formats: LaterFormats | undefined;
  readonly showsValues: boolean | undefined;
}

function findAll(
  schema: Schema,
  object: JsonObject,
  findings: readonly Findings[],
  { rules, old, formats, showsValues }: Judges,
): void {
  const functions = schemaFunctions(schema, { decoding: 'structural', ...(formats && { formats }) });
  for (const key of Object.keys(object)) {
    // Reads each default alone, because the first unreadable value ends the reading of an object.
    const mismatch = functions.normalize?.({ [key]: object[key] });
    if (mismatch === undefined) continue;
    const { field, message } = mismatch;
    const found: FieldError = { reason: 'FieldValueInvalid', field, message: message.slice(field.length + 2) };
    findings[indexIn(key)]?.refused.push(fromDefault(found));
    delete object[key];
  }
  functions.prune(object, (path) => {
    if (!isInMetadata(schema, path)) findings[indexIn(path)]?.unknown.push(within(path));
  });
  const refuse = (error: FieldError, [name]: Place): void => {
    findings[indexIn(String(name))]?.refused.push(fromDefault(error));
  };
  functions.validate(object, { push: (error) => refuse(error, [error.field]), pushAt: refuse });
  const broken: FieldError[] = [];
  if (rules !== undefined) validateRules(rules, object, old, broken, { showsValues });
  for (const error of broken) {
    const found = findings[indexIn(error.field)];
    if (found?.refused.length === 0) found.broken.push(fromDefault(error));
  }
}

/**
 * Returns whether a path leads into the metadata of an embedded object. Servers remove unknown fields there silently.
 */
function isInMetadata(schema: Schema, path: string): boolean {
  if (schema['x-kubernetes-embedded-resource'] === true && /^\.?metadata\./.test(path)) return true;
  const { properties = {}, additionalProperties: values, items } = schema;
  const name = path.replace(/^\./, '');
  for (const [key, property] of Object.entries(properties)) {
    const rest = name.slice(key.length);
    if (name.startsWith(key) && /^[.[]/.test(rest) && isInMetadata(property, rest)) return true;
  }
  const [step] = /^(?:\.?[^.[]+|\[[^\]]*\])/.exec(path) ?? [];
  const below = items ?? (typeof values === 'object' ? values : undefined);
  return step !== undefined && below !== undefined && isInMetadata(below, path.slice(step.length));
}

/** Returns the property of the common object that holds a default. */
function holder(index: number): string {
  return `default${index}`;
}

const prefix = /^default(\d+)\.?/;

/** Returns the index of the default that a path of the common object leads into. */
function indexIn(path: string): number {
  return Number(prefix.exec(path)?.[1]);
}

/** Returns a path without the property of the common object. */
function within(path: string): string {
  return path.replace(prefix, '');
}

/** Returns an error with its path relative to the default. Changes the path in messages too. */
function fromDefault(error: FieldError): FieldError {
  return { ...insidePart(error, 'default'), field: error.field === '<nil>' ? error.field : within(error.field) };
}
