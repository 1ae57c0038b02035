/** Makes the expressions of a conversion ready to be called by the functions of its steps. */
import type {
  ConversionExpressions,
  ConversionReport,
  EvaluateExpression,
  JsonObject,
  JsonValue,
} from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { Later, recursionLevels } from '../objects/from-below.js';
import { isObject, setOwn } from '../objects/guards.js';
import { callCostLimit, Meter, objectCostLimit } from './check/range.js';
import type { CompiledProgram } from './compile/program.js';
import { CostExceeded, EvaluationError } from './values/error.js';
import { formatDuration, formatTimestamp } from './values/time.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isList,
  itemsOf,
  Optional,
  StructValue,
  Timestamp,
  typeNameOf,
  Uint,
} from './values/value.js';

/** An expression as generated files say it. */
export interface DefinedExpression {
  readonly text: string;
  /** The place that its result is put at. */
  readonly place: string;
  /** The required JSON type of the result; by default any. */
  readonly result?: string;
  /** Makes the program, at the first evaluation. */
  readonly program: () => CompiledProgram;
}

/** The expressions in both directions, by their numbers. */
export interface DefinedExpressions {
  readonly toStored: readonly DefinedExpression[];
  readonly fromStored: readonly DefinedExpression[];
}

/** Prepares expressions; one conversion of an object may cost as much as all rules for an object. */
export function defineConversionExpressions(defined: DefinedExpressions): ConversionExpressions {
  const [toStored, fromStored] = [defined.toStored, defined.fromStored].map((each) => each.map(prepared));
  const evaluating =
    (expressions: readonly Prepared[] = []): ConversionExpressions['toStored'] =>
    (object, report) =>
      evaluator(expressions, object, report);
  return { toStored: evaluating(toStored), fromStored: evaluating(fromStored) };
}

/** Returns the value, and charges its cost. */
type Prepared = (
  variables: { readonly self: JsonValue; readonly object: JsonValue },
  spending: Spending,
) => ExpressionResult;

interface Spending {
  left: number;
}

type ExpressionResult =
  | { readonly value: JsonValue | undefined }
  | { readonly problem: string; readonly place: string };

function prepared({ text, place, result, program }: DefinedExpression): Prepared {
  let run: CompiledProgram | undefined;
  return (variables, spending) => {
    const meter = new Meter(Math.min(callCostLimit, spending.left));
    try {
      run ??= program();
      const value = toJson(run(variables, meter));
      if (value === undefined || result === undefined || isOfType(value, result)) return { value };
      return { place, problem: `\`${text}\` yields ${typeName(value)}, not ${result}` };
    } catch (error) {
      if (error instanceof EvaluationError) return { place, problem: `\`${text}\` fails: ${error.message}` };
      if (error instanceof CostExceeded) return { place, problem: `\`${text}\` costs too much` };
      throw error;
    } finally {
      spending.left -= meter.spent;
    }
  };
}

function evaluator(
  expressions: readonly Prepared[],
  object: JsonValue,
  report: ConversionReport | undefined,
): EvaluateExpression {
  const spending: Spending = { left: objectCostLimit };
  return (index, self) => {
    if (self === undefined || self === null) return self;
    const outcome = expressions[index]?.({ self, object }, spending);
    if (outcome === undefined || 'value' in outcome) return outcome?.value;
    report?.(outcome.place, outcome.problem);
    return undefined;
  };
}

function isOfType(value: JsonValue, type: string): boolean {
  const found = typeName(value);
  return found === type || (type === 'number' && found === 'integer');
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
}

/**
 * Returns the JSON of a value; `undefined` for null and absent optionals. Bytes are in base64, times and durations are
 * texts. Throws an `EvaluationError` for values without JSON.
 */
const toJson = (value: CelValue): JsonValue | undefined => jsonAt(value, 0);

const later = new Later();

function jsonAt(value: CelValue, level: number): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (value instanceof Optional) return value.value === undefined ? undefined : jsonAt(value.value, level);
  if (isList(value)) return listOf(itemsOf(value), level + 1);
  if (value instanceof Double) return Number.isFinite(value.value) ? value.value : unsayable(String(value.value));
  if (value instanceof Uint) return integerOf(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof CelMap) return objectOf(value, level + 1);
  if (value instanceof StructValue && isObject(value.record)) return clone(value.record);
  return unsayable(typeNameOf(value));
}

function listOf(items: readonly CelValue[], level: number): JsonValue[] {
  const list: JsonValue[] = [];
  const fill = (from: number): void => {
    for (const item of items) list.push(jsonAt(item, from) ?? null);
  };
  if (level > recursionLevels) later.run(() => fill(0));
  else fill(level);
  return list;
}

function objectOf(map: CelMap, level: number): JsonObject {
  const object: JsonObject = {};
  const fill = (from: number): void => {
    for (const key of map.keys()) {
      const name = typeof key === 'string' ? key : unsayable(`a map with keys of type ${typeNameOf(key)}`);
      const value = map.get(name);
      if (value !== undefined) setOwn(object, name, jsonAt(value, from) ?? null);
    }
  };
  if (level > recursionLevels) later.run(() => fill(0));
  else fill(level);
  return object;
}

const integerOf = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

const unsayable = (what: string): never => {
  throw new EvaluationError(`${what} is not a JSON value`);
};
