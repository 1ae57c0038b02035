/** Reads, writes and checks the fields that a scale subresource names. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Result, ScalePaths } from '../contract/index.js';
import { invalidValue } from '../objects/field-error.js';
import { getOwn, isArray, isInteger, isObject, setOwn } from '../objects/guards.js';
import { formatNumber } from '../objects/printing.js';
import { unprocessable } from '../objects/status.js';

/** The largest count: the Scale has it as `int32`. */
const maxCount = 2 ** 31 - 1;

/** The value at a path, or why it cannot be read. Has neither if the value is absent. */
interface Found<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Returns the number of replicas at a path. */
export function countAt(object: JsonObject, path: string): Found<number | bigint> {
  return typedAt(object, path, isInt64, 'int64');
}

/** Returns the string at a path, such as a selector. */
export function textAt(object: JsonObject, path: string): Found<string> {
  return typedAt(object, path, (value) => typeof value === 'string', 'string');
}

/** Returns the errors of the status count and the selector. */
export function scaleStatusErrors(paths: ScalePaths, object: ApiObject): readonly FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = paths;
  const selector = labelSelectorPath === undefined ? {} : textAt(object, labelSelectorPath);
  const ofSelector =
    selector.problem === undefined ? [] : [invalidValue(labelSelectorPath ?? '', '', selector.problem)];
  return [...countErrors(statusReplicasPath, object), ...ofSelector];
}

/** Returns the errors of the wanted count. */
export const scaleSpecErrors = ({ specReplicasPath }: ScalePaths, object: ApiObject): readonly FieldError[] =>
  countErrors(specReplicasPath, object);

function countErrors(path: string, object: ApiObject): readonly FieldError[] {
  const { value = 0, problem } = countAt(object, path);
  if (problem !== undefined) return [invalidValue(path, 0, problem)];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > maxCount ? [invalidValue(path, value, `should be less than or equal to ${maxCount}`)] : [];
}

/** Sets the count at a path, and adds missing objects above it. Fails if one of these is not an object. */
export function setCount(object: JsonObject, path: string, count: number | bigint): Result<void> {
  const steps = stepsOf(path);
  let place = object;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next = getOwn(place, step);
    if (next !== undefined && !isObject(next)) {
      const parent = printPath(steps.slice(0, index + 1));
      const message = `value cannot be set because ${parent} is not a map[string]interface{}`;
      return { ok: false, failure: { ...unprocessable(), message } };
    }
    const inner: JsonObject = next ?? {};
    if (next === undefined) setOwn(place, step, inner);
    place = inner;
  }
  setOwn(place, steps.at(-1) ?? '', count);
  return { ok: true, value: undefined };
}

/** Returns whether Go reads a value as an int64 and not as a float. */
const isInt64 = (value: JsonValue): value is number | bigint =>
  isInteger(value) && value >= -(2n ** 63n) && value < 2n ** 63n;

function typedAt<T extends JsonValue>(
  object: JsonObject,
  path: string,
  isTyped: (value: JsonValue) => value is T,
  type: string,
): Found<T> {
  const steps = stepsOf(path);
  let value: JsonValue = object;
  for (const [index, step] of steps.entries()) {
    if (!isObject(value)) return { problem: wrongType(steps.slice(0, index), value, 'map[string]interface{}') };
    const next: JsonValue | undefined = getOwn(value, step);
    if (next === undefined) return {};
    value = next;
  }
  return isTyped(value) ? { value } : { problem: wrongType(steps, value, type) };
}

const stepsOf = (path: string): readonly string[] => path.split('.').filter((step) => step !== '');

const printPath = (steps: readonly string[]): string => `.${steps.join('.')}`;

const wrongType = (steps: readonly string[], value: JsonValue, type: string): string =>
  `${printPath(steps)} accessor error: ${print(value)} is of the type ${typeOf(value)}, expected ${type}`;

/** The most characters of a value in a message. */
const maxPrinted = 200;

/** Returns a value as the reference's messages print it. */
function print(value: JsonValue): string {
  const text = printWhole(value);
  return text.length > maxPrinted ? `${text.slice(0, maxPrinted)}…` : text;
}

function printWhole(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number' || typeof value === 'bigint')
    return formatNumber(isInt64(value) ? value : Number(value));
  if (isArray(value)) return `[${value.map(printWhole).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${printWhole(getOwn(value, key))}`).join(' ')}]`;
}

function typeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isInt64(value)) return 'int64';
  if (typeof value === 'number' || typeof value === 'bigint') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
