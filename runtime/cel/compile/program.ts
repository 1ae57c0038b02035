/** Makes functions of program texts. */
import type { Meter } from '../cost/meter.js';
import type { Environment, Overload } from '../environment.js';
import { fail } from '../values/error.js';
import type { CelValue } from '../values/value.js';
import { anyOf, type Metered, metered } from './dispatch.js';
import * as support from './support.js';

/** Evaluates an expression; throws `EvaluationError` and `CostExceeded`. */
export type CompiledProgram = (variables: Readonly<Record<string, unknown>>, meter: Meter) => CelValue;

type Run = (...args: CelValue[]) => CelValue;

/** The functions that program texts find by the names of their overloads. */
export interface OverloadTable {
  (id: string): Run;
  metered(id: string): Metered;
  anyOf(...ids: readonly string[]): Metered;
  construct(type: string, fields: readonly (readonly [string, CelValue | undefined])[]): CelValue;
}

/** The functions of an environment as program texts call them. */
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

/** Evaluates a program text; constants in it are evaluated at once, and what is wrong with them is thrown. */
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
