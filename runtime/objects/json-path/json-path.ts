/** JSONPath as printer columns and scale paths use it: compiled once, then a function from an object to values. */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../guards.js';
import { byCodePoint } from '../printing.js';
import type { FilterOperand, FilterOperator, PathStep } from './json-path-parser.js';
import { parseJsonPath } from './json-path-parser.js';

/** Reads values; none where the path leads nowhere or does not fit what is there. At most 10,000 values. */
export type JsonPath = (object: JsonValue) => readonly JsonValue[];

type Values = readonly JsonValue[];

const maxValues = 10_000;
const none: Values = [];

/**
 * Compiles an expression: fields, `['key']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..`, `[0,2]` and filters such as
 * `[?(@.type=="Ready")]`; a backslash makes a dot in a key plain. A path of fields alone costs one read per field.
 */
export function compileJsonPath(text: string): Result<JsonPath> {
  const parsed = parseJsonPath(text);
  return parsed.ok ? { ok: true, value: compileSteps(parsed.value) } : parsed;
}

function compileSteps(steps: readonly PathStep[]): JsonPath {
  const names = steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []));
  if (names.length === steps.length) return (object) => readFields(object, names);
  const compiled = steps.map(compileStep);
  return (object) => {
    let values: Values = [object];
    for (const step of compiled) values = values.flatMap(step).slice(0, maxValues);
    return values;
  };
}

function readFields(object: JsonValue, names: readonly string[]): Values {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (!isObject(value)) return none;
    value = getOwn(value, name);
  }
  return value === undefined ? none : [value];
}

function compileStep(step: PathStep): JsonPath {
  switch (step.kind) {
    case 'field':
      return (value) => readFields(value, [step.name]);
    case 'index':
      return (value) => (isArray(value) ? itemAt(value, step.index) : none);
    case 'slice':
      return (value) => (isArray(value) ? sliced(value, step.start, step.end, step.step) : none);
    case 'wildcard':
      return children;
    case 'recursive':
      return descendants;
    case 'union': {
      const paths = step.paths.map(compileSteps);
      return (value) => paths.flatMap((path) => path(value));
    }
    case 'filter':
      return compileFilter(step.left, step.operator, step.right);
  }
}

function itemAt(list: Values, index: number): Values {
  const item = list.at(index);
  return item === undefined ? none : [item];
}

function sliced(list: Values, start: number | undefined, end: number | undefined, step: number): Values {
  return list.slice(start, end).filter((_, index) => index % step === 0);
}

function children(value: JsonValue): Values {
  if (isArray(value)) return value;
  return isObject(value) ? presentValues(value) : none;
}

function presentValues(object: JsonObject): Values {
  return Object.values(object).flatMap((value) => (value === undefined ? [] : [value]));
}

/** The value and all below it, breadth first. */
function descendants(value: JsonValue): Values {
  const found: JsonValue[] = [value];
  for (let i = 0; i < found.length && found.length < maxValues; i++) found.push(...children(found[i] ?? null));
  return found;
}

function compileFilter(left: FilterOperand, operator: FilterOperator, right: FilterOperand | undefined): JsonPath {
  const readLeft = compileOperand(left);
  const readRight = right === undefined ? () => none : compileOperand(right);
  const passes = (item: JsonValue): boolean => {
    const found = readLeft(item);
    if (operator === 'exists') return found.length > 0;
    const wanted = readRight(item);
    return found.length === 1 && wanted.length === 1 && compare(found[0], operator, wanted[0]);
  };
  return (value) => (isArray(value) ? value.filter(passes) : none);
}

function compileOperand(operand: FilterOperand): JsonPath {
  if ('path' in operand) return compileSteps(operand.path);
  const literal = [operand.literal];
  return () => literal;
}

function compare(a: JsonValue | undefined, operator: FilterOperator, b: JsonValue | undefined): boolean {
  const order = orderOf(a, b);
  if (order === undefined) return false;
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** Negative, zero or positive; `undefined` for values that do not compare. */
function orderOf(a: JsonValue | undefined, b: JsonValue | undefined): number | undefined {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
