/**
 * The JSONPath of printer columns and scale paths: compiles an expression once to a function from an object to values.
 */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { getOwn, isArray, isObject } from '../guards.js';
import { byCodePoint } from '../printing.js';
import type { FilterOperand, FilterOperator, PathStep } from './json-path-parser.js';
import { parseJsonPath } from './json-path-parser.js';

/** Reads values; none if the object has nothing at the path. */
export type JsonPath = (object: JsonValue) => readonly JsonValue[];

/** Reads only the first value, and no more of the object than this takes. */
export type FirstValue = (object: JsonValue, reads?: Reads) => JsonValue | undefined;

/** How many values a path may still visit; then it finds no more. Paths that are read together share the number. */
export interface Reads {
  left: number;
}

type Values = readonly JsonValue[];

const maxValues = 10_000;
const mostReads = 200_000;
const none: Values = [];

/**
 * Compiles an expression: fields, `['key']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..`, `[0,2]` and filters such as
 * `[?(@.type=="Ready")]`; a backslash escapes a dot in a key. A path of fields alone costs one read per field.
 *
 * @param most the most values to read
 */
export function compileJsonPath(text: string, most = maxValues): Result<JsonPath> {
  const parsed = parseJsonPath(text);
  if (!parsed.ok) return parsed;
  const names = fieldsAlone(parsed.value);
  if (names) return { ok: true, value: (object) => readFields(object, names) };
  const walk = compileWalk(parsed.value);
  const left = Math.max(most, mostReads);
  const value: JsonPath = (object) => [...take(walk([object], { left }), most)];
  return { ok: true, value };
}

/** Compiles an expression to find only its first value. */
export function compileFirstValue(text: string): Result<FirstValue> {
  const parsed = parseJsonPath(text);
  if (!parsed.ok) return parsed;
  const names = fieldsAlone(parsed.value);
  if (names) return { ok: true, value: (object) => readFields(object, names)[0] };
  const walk = compileWalk(parsed.value);
  return { ok: true, value: (object, reads = { left: mostReads }) => firstOf(walk([object], reads)) };
}

/** Returns the names of a path that only has names. */
function fieldsAlone(steps: readonly PathStep[]): readonly string[] | undefined {
  const names = steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []));
  return names.length === steps.length ? names : undefined;
}

/** Walks one step from values, lazily. */
type Walk = (values: Iterable<JsonValue>, reads: Reads) => Iterable<JsonValue>;

/** Walks one step from one value. */
type Step = (value: JsonValue, reads: Reads) => Iterable<JsonValue>;

function compileWalk(steps: readonly PathStep[]): Walk {
  const walks = steps.map((step) => (step.kind === 'union' ? compileUnion(step.paths) : fromEach(compileStep(step))));
  return (start, reads) => walks.reduce((values, walk) => walk(values, reads), start);
}

const fromEach = (step: Step): Walk =>
  function* (values, reads) {
    for (const value of values) yield* step(value, reads);
  };

/** Joins paths. All values of one path come before values of the next. */
function compileUnion(paths: readonly (readonly PathStep[])[]): Walk {
  const walks = paths.map(compileWalk);
  return function* (values, reads) {
    const start = [...values];
    for (const walk of walks) yield* walk(start, reads);
  };
}

function* take(values: Iterable<JsonValue>, most: number): Iterable<JsonValue> {
  let taken = 0;
  for (const value of values) {
    if (taken++ >= most) return;
    yield value;
  }
}

function firstOf(values: Iterable<JsonValue>): JsonValue | undefined {
  for (const value of values) return value;
  return undefined;
}

function readFields(object: JsonValue, names: readonly string[]): Values {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (!isObject(value)) return none;
    value = getOwn(value, name);
  }
  return value === undefined ? none : [value];
}

function compileStep(step: Exclude<PathStep, { readonly kind: 'union' }>): Step {
  switch (step.kind) {
    case 'field':
      return (value) => readFields(value, [step.name]);
    case 'index':
      return (value) => (isArray(value) ? itemAt(value, step.index) : none);
    case 'slice':
      return (value, reads) => (isArray(value) ? sliced(value, step, reads) : none);
    case 'wildcard':
      return children;
    case 'recursive':
      return descendants;
    case 'filter':
      return compileFilter(step);
  }
}

function itemAt(list: Values, index: number): Values {
  const item = list.at(index);
  return item === undefined ? none : [item];
}

function* sliced(list: Values, { start = 0, end = list.length, step }: Slice, reads: Reads): Iterable<JsonValue> {
  const from = start < 0 ? Math.max(list.length + start, 0) : start;
  const to = Math.min(end < 0 ? list.length + end : end, list.length);
  for (let i = from; i < to && reads.left-- > 0; i += step) yield list[i] ?? null;
}

type Slice = PathStep & { readonly kind: 'slice' };

function* children(value: JsonValue, reads: Reads): Iterable<JsonValue> {
  if (isArray(value)) {
    for (const item of value)
      if (reads.left-- > 0) yield item;
      else return;
  }
  if (!isObject(value)) return;
  const present = presentValues(value);
  reads.left -= present.length;
  if (reads.left >= 0) yield* present;
}

function presentValues(object: JsonObject): Values {
  return Object.values(object).flatMap((value) => (value === undefined ? [] : [value]));
}

/** Yields the value and everything below it, breadth first. */
function* descendants(value: JsonValue, reads: Reads): Iterable<JsonValue> {
  const found: JsonValue[] = [value];
  for (let i = 0; i < found.length; i++) {
    yield found[i] ?? null;
    for (const child of children(found[i] ?? null, reads)) found.push(child);
  }
}

function compileFilter({ left, operator, right }: PathStep & { readonly kind: 'filter' }): Step {
  const readLeft = compileOperand(left);
  const readRight: Step = right === undefined ? () => none : compileOperand(right);
  const passes = (item: JsonValue, reads: Reads): boolean => {
    const found = [...take(readLeft(item, reads), 2)];
    if (operator === 'exists') return found.length > 0;
    const wanted = [...take(readRight(item, reads), 2)];
    return found.length === 1 && wanted.length === 1 && compare(found[0], operator, wanted[0]);
  };
  return function* (value, reads) {
    if (!isArray(value)) return;
    for (const item of value) {
      if (reads.left-- <= 0) return;
      if (passes(item, reads)) yield item;
    }
  };
}

function compileOperand(operand: FilterOperand): Step {
  if ('path' in operand) {
    const walk = compileWalk(operand.path);
    return (item, reads) => walk([item], reads);
  }
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

/** Compares two values: negative, zero or positive, or `undefined` if they cannot be compared. */
function orderOf(a: JsonValue | undefined, b: JsonValue | undefined): number | undefined {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
