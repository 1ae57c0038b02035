/** Holds the defaults of a schema against the parts of the schema that they stand in. */
import type { FieldError, JsonObject, Schema } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { compileSchema, instantiate } from '../../schema/index.js';
import type { EnvironmentOptions } from '../environment.js';
import type { DataTypeOptions } from './from-schema.js';
import { compileRuleTree } from './rule-tree.js';
import { validateRules } from './validate-rules.js';

/** What is wrong with one default. Paths begin at the default and are empty for itself. */
export interface DefaultFindings {
  /** Places of fields that the schema does not know. */
  readonly unknown: readonly string[];
  /** What its schema refuses, without the defaults within it. */
  readonly refused: readonly FieldError[];
  /** Rules that it breaks; they are not asked about what the schema refuses. */
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

/** Whether a default can be told to be right at sight, as most can: scalars that only their type restricts. */
export function isPlainlyRight(schema: Schema): boolean {
  const { default: value, type } = schema;
  if (typeof value !== type || typeof value === 'object') return false;
  return narrowing.every((key) => schema[key] === undefined);
}

const none: DefaultFindings = { unknown: [], refused: [], broken: [] };

/**
 * What is wrong with the default of each schema, in the same order. All are put into one object, whose schema is
 * compiled once. `schemas` have defaults and are structural.
 */
export function checkDefaults(
  schemas: readonly Schema[],
  release: EnvironmentOptions,
  options: DataTypeOptions,
): readonly DefaultFindings[] {
  const found = schemas.map(() => none);
  const properties: Record<string, Schema> = {};
  const object: JsonObject = {};
  for (const [index, schema] of schemas.entries()) {
    if (isPlainlyRight(schema)) continue;
    const { default: value, ...rest } = schema;
    properties[holder(index)] = rest;
    object[holder(index)] = value === undefined ? undefined : clone(value);
  }
  if (Object.keys(properties).length === 0) return found;
  const whole: Schema = { type: 'object', properties };
  const add = (path: string, change: (found: DefaultFindings) => Partial<DefaultFindings>): void => {
    const index = indexIn(path);
    const before = found[index] ?? none;
    found[index] = { ...before, ...change(before) };
  };
  const functions = instantiate(compileSchema(whole, { decoding: 'structural' }).text);
  const mismatch = functions.normalize?.(object);
  functions.prune(object, (path) => add(path, ({ unknown }) => ({ unknown: [...unknown, within(path)] })));
  const errors: FieldError[] = [];
  functions.validate(object, errors);
  for (const error of errors) add(error.field, ({ refused }) => ({ refused: [...refused, fromDefault(error)] }));
  if (mismatch !== undefined) {
    const { field, message } = mismatch;
    const wrong: FieldError = { reason: 'FieldValueInvalid', field, message: message.slice(field.length + 2) };
    add(field, () => ({ refused: [fromDefault(wrong)] }));
  }
  const rules = compileRuleTree(whole, release, { ...options, isResource: false });
  if (rules === undefined) return found;
  const broken: FieldError[] = [];
  validateRules(rules, object, object, broken);
  for (const error of broken) {
    add(error.field, ({ refused, broken }) => (refused.length > 0 ? {} : { broken: [...broken, fromDefault(error)] }));
  }
  return found;
}

/** Property of the common object that a default is put in. */
function holder(index: number): string {
  return `default${index}`;
}

const prefix = /^default(\d+)\.?/;

/** Which default a path of the common object leads into. */
function indexIn(path: string): number {
  return Number(prefix.exec(path)?.[1]);
}

/** A path without the property of the common object. */
function within(path: string): string {
  return path.replace(prefix, '');
}

/** An error with its path, which some messages repeat, from the default on. */
function fromDefault({ reason, field, message }: FieldError): FieldError {
  const path = within(field);
  return { reason, field: path, message: message.replace(`${field} in body`, () => `${path} in body`) };
}
