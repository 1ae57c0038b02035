/** JSONPath as printer columns and scale paths use it: compiled once, then a function from an object to values. */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../guards.js';
import { byCodePoint } from '../printing.js';
import type { FilterOperand, FilterOperator, PathStep } from './json-path-parser.js';
import { parseJsonPath } from './json-path-parser.js';

/** Reads values; none where the path leads nowhere or does not fit what is there. */
export type JsonPath = (object: JsonValue) => readonly JsonValue[];

type Values = readonly JsonValue[];

const maxValues = 10_000;
const none: Values = [];

/**
 * Compiles an expression: fields, `['key']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..`, `[0,2]` and filters such as
 * `[?(@.type=="Ready")]`; a backslash makes a dot in a key plain. A path of fields alone costs one read per field.
 *
 * @param most values that are read at most, also between steps
 */
export function compileJsonPath(text: string, most = maxValues): Result<JsonPath> {
  const parsed = parseJsonPath(text);
  return parsed.ok ? { ok: true, value: compileSteps(parsed.value, most) } : parsed;
}

function compileSteps(steps: readonly PathStep[], most: number): JsonPath {
  const names = steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []));
  if (names.length === steps.length) return (object) => readFields(object, names);
  const walk = compileWalk(steps, most);
  return (object) => walk([object]);
}

/** Takes values one step further. */
type Walk = (values: Values) => Values;

function compileWalk(steps: readonly PathStep[], most: number): Walk {
  const walks = steps.map((step): Walk => {
    if (step.kind === 'union') return compileUnion(step.paths, most);
    const read = compileStep(step, most);
    return (values) => values.flatMap(read);
  });
  return (start) => {
    let values = start;
    for (const walk of walks) values = walk(values).slice(0, most);
    return values;
  };
}

/** All that the first path reads comes before all that the next one does. */
function compileUnion(paths: readonly (readonly PathStep[])[], most: number): Walk {
  const walks = paths.map((path) => compileWalk(path, most));
  return (values) => walks.flatMap((walk) => walk(values));
}

function readFields(object: JsonValue, names: readonly string[]): Values {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (!isObject(value)) return none;
    value = getOwn(value, name);
  }
  return value === undefined ? none : [value];
}

function compileStep(step: Exclude<PathStep, { readonly kind: 'union' }>, most: number): JsonPath {
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
      return (value) => descendants(value, most);
    case 'filter':
      return compileFilter(step, most);
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
function descendants(value: JsonValue, most: number): Values {
  const found: JsonValue[] = [value];
  for (let i = 0; i < found.length && found.length < most; i++)
    for (const child of children(found[i] ?? null)) found.push(child);
  return found;
}

function compileFilter({ left, operator, right }: PathStep & { readonly kind: 'filter' }, most: number): JsonPath {
  const readLeft = compileOperand(left, most);
  const readRight = right === undefined ? () => none : compileOperand(right, most);
  const passes = (item: JsonValue): boolean => {
    const found = readLeft(item);
    if (operator === 'exists') return found.length > 0;
    const wanted = readRight(item);
    return found.length === 1 && wanted.length === 1 && compare(found[0], operator, wanted[0]);
  };
  return (value) => (isArray(value) ? value.filter(passes) : none);
}

function compileOperand(operand: FilterOperand, most: number): JsonPath {
  if ('path' in operand) return compileSteps(operand.path, most);
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
