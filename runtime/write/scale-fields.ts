/** Reads and writes the fields that a scale subresource names, and says what is wrong with them. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Result, ScalePaths } from '../contract/index.js';
import { invalidValue } from '../objects/field-error.js';
import { getOwn, isArray, isInteger, isObject, setOwn } from '../objects/guards.js';
import { formatNumber } from '../objects/printing.js';
import { unprocessable } from '../objects/status.js';

/** A count is an `int32` of the Scale. */
const maxCount = 2 ** 31 - 1;

/** The value at a path, or the reason why it cannot be read. Has neither if it is absent. */
interface Found<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** The count at a path. */
export function countAt(object: JsonObject, path: string): Found<number | bigint> {
  return typedAt(object, path, isInt64, 'int64');
}

/** The text at a path. */
export function textAt(object: JsonObject, path: string): Found<string> {
  return typedAt(object, path, (value) => typeof value === 'string', 'string');
}

/** Returns the errors at the paths of a scale, except those of the wanted count. */
export function scaleStatusErrors(paths: ScalePaths, object: ApiObject): readonly FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = paths;
  const selector = labelSelectorPath === undefined ? {} : textAt(object, labelSelectorPath);
  const ofSelector =
    selector.problem === undefined ? [] : [invalidValue(labelSelectorPath ?? '', '', selector.problem)];
  return [...countErrors(statusReplicasPath, object), ...ofSelector];
}

/** Errors of the count that is wanted. */
export const scaleSpecErrors = ({ specReplicasPath }: ScalePaths, object: ApiObject): readonly FieldError[] =>
  countErrors(specReplicasPath, object);

function countErrors(path: string, object: ApiObject): readonly FieldError[] {
  const { value = 0, problem } = countAt(object, path);
  if (problem !== undefined) return [invalidValue(path, 0, problem)];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > maxCount ? [invalidValue(path, value, `should be less than or equal to ${maxCount}`)] : [];
}

/** Sets the count at a path, and adds missing objects on the way. Fails if another value is in the way. */
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

/** Whether a value is a whole number that is no float to servers in Go. */
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

/** Values are cut to this many characters in messages. */
const maxPrinted = 200;

/** A value as the reference's messages have it. */
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
