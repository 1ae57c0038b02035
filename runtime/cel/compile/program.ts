/** Turns program texts into functions. */

import { type CallCost, callCosts, resultCosts, textReaders } from '../check/call-cost.js';
import type { Meter } from '../check/range.js';
import type { Type } from '../check/types.js';
import type { Environment, Overload } from '../environment.js';
import { isNumeric } from '../values/equality.js';
import { fail } from '../values/error.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
} from '../values/value.js';
import * as support from './support.js';

/** Evaluates an expression; throws `EvaluationError` and `CostExceeded`. */
export type CompiledProgram = (variables: Readonly<Record<string, unknown>>, meter: Meter) => CelValue;

type Run = (...args: CelValue[]) => CelValue;

/** The functions that programs find by the ids of overloads. */
export interface OverloadTable {
  (id: string): Run;
  metered(id: string): Metered;
  anyOf(...ids: readonly string[]): Metered;
  construct(type: string, fields: readonly (readonly [string, CelValue | undefined])[]): CelValue;
}

/** Returns the functions of an environment as program texts call them. */
export function overloadTable(environment: Environment): OverloadTable {
  const find = (id: string): Overload =>
    environment.overloads.get(id) ?? { id, member: false, params: [], result: { kind: 'dyn' } };
  const run = (id: string): Run => {
    const overload = find(id);
    return (...args) => (overload.run === undefined ? fail('no such overload') : overload.run(...args));
  };
  return Object.assign(run, {
    metered: (id: string) => metered(find(id)),
    anyOf: (...ids: readonly string[]) => anyOf(...ids.map(find)),
    construct: (type: string, fields: readonly (readonly [string, CelValue | undefined])[]) => {
      const present = fields.flatMap(([name, value]): [string, CelValue][] =>
        value === undefined ? [] : [[name, value]],
      );
      return environment.options.construct?.(type, new Map(present)) ?? fail('no such overload');
    },
  });
}

type Factory = (helpers: typeof support, overloads: OverloadTable) => CompiledProgram;

/** Makes a program from its text. Evaluates its constants at once, and throws their errors. */
export function instantiateProgram(text: string, environment: Environment): CompiledProgram {
  return factory(text)(support, overloadTable(environment));
}

function factory(text: string): Factory {
  const make: unknown = new Function('support', 'overloads', text);
  if (!isFactory(make)) throw new Error('not a program');
  return make;
}

function isFactory(value: unknown): value is Factory {
  return typeof value === 'function';
}

// Calls of functions by their overloads. They are metered, and chosen at run time if the types are not known before.

/** Calls an overload after charging its cost. */
type Metered = (meter: Meter, ...args: CelValue[]) => CelValue;

const unavailable = (): never => fail('no such overload');

/**
 * Returns a function that calls an overload and charges a cost by the sizes of its arguments or its result. Nearly all
 * calls have one or two arguments, and need no array for them.
 */
function metered(overload: Overload): Metered {
  const run: (...args: CelValue[]) => CelValue = overload.run ?? unavailable;
  const resultCost = resultCosts.get(overload.id);
  if (resultCost !== undefined) return paidByResult(run, resultCost);
  if (textReaders.has(overload.id)) return readingText(run);
  const cost = callCosts.get(overload.id) ?? (() => 1);
  switch (overload.params.length) {
    case 1:
      return (meter, a = null) => {
        meter.charge(cost(a, null, null));
        return run(a);
      };
    case 2:
      return (meter, a = null, b = null) => {
        meter.charge(cost(a, b, null));
        return run(a, b);
      };
    default:
      return (meter, ...args) => {
        const [a = null, b = null, c = null] = args;
        meter.charge(cost(a, b, c));
        return run(...args);
      };
  }
}

function readingText(run: (...args: CelValue[]) => CelValue): Metered {
  return (meter, text = null) => {
    meter.charge(1);
    if (typeof text === 'string') meter.read(text.length);
    return run(text);
  };
}

function paidByResult(run: (...args: CelValue[]) => CelValue, cost: CallCost): Metered {
  return (meter, ...args) => {
    const result = run(...args);
    meter.charge(cost(result, null, null));
    return result;
  };
}

/** Returns a function that calls the first overload that accepts the arguments. */
function anyOf(...overloads: readonly Overload[]): Metered {
  const calls = overloads.map(metered);
  return (meter, ...args) => {
    for (const [i, overload] of overloads.entries()) {
      const call = calls[i];
      if (call !== undefined && overload.params.length === args.length && takes(overload, args))
        return call(meter, ...args);
    }
    return fail('no such overload');
  };
}

function takes({ params, loose, mixesNumbers }: Overload, args: readonly CelValue[]): boolean {
  if (mixesNumbers === true && args.every(isNumeric)) return true;
  return params.every((type, i) => (loose === true && i > 0) || accepts(type, args[i] ?? null));
}

/** Returns whether a value can be of a type. Does not look at its parts. */
function accepts(type: Type, value: CelValue): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return true;
    case 'null':
      return value === null;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return isInt(value);
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return value instanceof Double;
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'list':
      return isList(value) && acceptsItem(type.element, value);
    case 'map':
      return value instanceof CelMap;
    case 'type':
      return value instanceof TypeValue;
    case 'object':
      return value instanceof StructValue && value.typeName === type.name;
    case 'opaque':
      return type.name === 'optional_type'
        ? value instanceof Optional
        : value instanceof Opaque && value.typeName === type.name;
    case 'wrapper':
      return value === null || accepts(type.of, value);
    case 'error':
    case 'none':
      return false;
  }
}

/** Returns whether the first item of a list is of a type. This chooses between overloads for different lists. */
function acceptsItem(element: Type, list: CelValue): boolean {
  const first = Array.isArray(list) ? list[0] : undefined;
  return first === undefined || accepts(element, first);
}
