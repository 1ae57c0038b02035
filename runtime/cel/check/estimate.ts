/** Estimates the cost of evaluating an expression before any value is known. */

import type { Environment } from '../environment.js';
import type { DataType } from '../schema/data-type.js';
import type { Call, Comprehension, Expr, Select } from '../syntax/ast.js';
import { listCost, mapCost, messageCost } from './call-cost.js';
import { type CallEstimate, estimateCall, type Operand } from './call-estimate.js';
import { add, anySize, exactly, multiply, one, type Range, union, zero } from './range.js';
import type { Checked } from './references.js';
import { dyn, type Type } from './types.js';

/**
 * Estimates the minimum and maximum cost of an evaluation from the bounds in the schemas of the variables. The maximum
 * is infinite without bounds.
 */
export function estimateCost(expr: Expr, checked: Checked, environment: Environment): Range {
  return new Estimator(checked, environment).cost(expr);
}

/** Scalars have a size of one. */
const scalars = new Set(['bool', 'int', 'uint', 'double', 'timestamp', 'duration', 'null', 'type']);

/** The data that a variable of a macro stands for. */
interface Local {
  readonly data?: DataType | undefined;
  readonly size?: Range | undefined;
}

class Estimator {
  private readonly data = new Map<Expr, DataType>();
  private readonly sizes = new Map<Expr, Range>();
  private readonly costs = new Map<Expr, Range>();
  private locals: ReadonlyMap<string, Local> = new Map();

  constructor(
    private readonly checked: Checked,
    private readonly environment: Environment,
  ) {}

  private get isEarly(): boolean {
    return this.environment.options.earlyEstimates === true;
  }

  /**
   * Estimates a part, and remembers the result. A macro may name a part twice, and without this each nested macro would
   * double the work.
   */
  cost(expr: Expr): Range {
    const known = this.costs.get(expr);
    if (known !== undefined) return known;
    const cost = this.costOf(expr);
    this.costs.set(expr, cost);
    return cost;
  }

  private costOf(expr: Expr): Range {
    switch (expr.kind) {
      case 'constant':
        return zero;
      case 'ident':
        this.name(expr, expr.name);
        return this.checked.references.get(expr)?.kind === 'type' ? zero : one;
      case 'select':
        return this.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        this.sizes.set(expr, exactly(expr.items.length));
        return add(exactly(listCost), ...expr.items.map((item) => this.cost(item)));
      case 'map':
        this.sizes.set(expr, exactly(expr.entries.length));
        return add(exactly(mapCost), ...expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]));
      case 'message':
        return add(exactly(messageCost), ...expr.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return this.comprehension(expr);
    }
  }

  private typeOf(expr: Expr): Type {
    return this.checked.types.get(expr) ?? dyn;
  }

  /** Keeps the data that a name stands for. */
  private name(expr: Expr, name: string): void {
    const reference = this.checked.references.get(expr);
    if (reference?.kind === 'variable') this.keep(expr, this.dataOf(reference.name), undefined);
    else {
      const local = this.locals.get(name);
      if (local !== undefined) this.keep(expr, local.data, local.size);
    }
  }

  /** Returns the data of a variable, or of its value if the variable is an optional. */
  private dataOf(variable: string): DataType | undefined {
    const data = this.environment.variable(variable)?.data;
    return data?.shape === 'optional' ? data.values : data;
  }

  private keep(expr: Expr, data: DataType | undefined, size: Range | undefined): void {
    if (data !== undefined) this.data.set(expr, data);
    if (size !== undefined) this.sizes.set(expr, size);
  }

  private select(expr: Select): Range {
    if (this.checked.references.has(expr)) {
      this.name(expr, expr.field);
      return this.checked.references.get(expr)?.kind === 'type' ? zero : one;
    }
    const operand = this.cost(expr.operand);
    if (expr.test) return this.isEarly ? zero : operand;
    const data = this.data.get(expr.operand);
    const field = data?.fields?.get(expr.field)?.data ?? data?.values;
    if (field !== undefined) this.data.set(expr, field);
    const { kind } = this.typeOf(expr.operand);
    return kind === 'map' || kind === 'object' || kind === 'param' ? add(one, operand) : operand;
  }

  private call(expr: Call): Range {
    const reference = this.checked.references.get(expr);
    const args = expr.args.map((argument) => this.cost(argument));
    if (reference?.kind !== 'function') return add(...args);
    const member = expr.target !== undefined && !reference.namespaced ? expr.target : undefined;
    const targetCost = member === undefined ? zero : this.cost(member);
    if (expr.name === '_?._' && expr.args[0] !== undefined) this.follow(expr, expr.args[0]);
    const operands = [...(member === undefined ? [] : [member]), ...expr.args].map((part) => this.operand(part));
    const costs = member === undefined ? args : [targetCost, ...args];
    const estimates = reference.overloads.map((overload) => {
      this.index(expr, overload.id);
      this.unwrap(expr, overload.id);
      return estimateCall(overload, operands, costs);
    });
    return this.joined(expr, estimates);
  }

  /** Returns a range that includes all overloads. */
  private joined(expr: Call, estimates: readonly CallEstimate[]): Range {
    const [first, ...rest] = estimates;
    if (first === undefined) return zero;
    const sizes = estimates.flatMap(({ size, laterSize }) => (this.isEarly ? size : (size ?? laterSize)) ?? []);
    if (sizes[0] !== undefined) this.sizes.set(expr, sizes.reduce(union));
    return rest.reduce((range, { cost }) => union(range, cost), first.cost);
  }

  private follow(expr: Call, operand: Expr): void {
    const [, name] = expr.args;
    const field = name?.kind === 'constant' && name.literal.type === 'string' ? name.literal.value : '';
    const data = this.data.get(operand);
    const inner = data?.fields?.get(field)?.data ?? data?.values;
    if (inner !== undefined) this.data.set(expr, inner);
  }

  private index(expr: Call, id: string): void {
    const [container] = expr.args;
    if (container === undefined || (id !== 'index_list' && id !== 'index_map')) return;
    const inner = this.partOf(container);
    if (inner !== undefined) this.data.set(expr, inner);
  }

  /** Sets the data of an unwrapped optional, also if the alternative value is a constant. */
  private unwrap(expr: Call, id: string): void {
    const data = expr.target === undefined ? undefined : this.data.get(expr.target);
    if (data === undefined) return;
    const [other] = expr.args;
    if (id === 'optional_value') this.data.set(expr, data);
    else if (id === 'optional_orValue_value' && other !== undefined && isPlain(other)) {
      this.keep(expr, data, union({ min: 0, max: data.maxSize ?? 0 }, this.sizeOf(other)));
    }
  }

  private operand(expr: Expr): Operand {
    return { expr, type: this.typeOf(expr), size: this.sizeOf(expr), itemSize: this.itemSize(expr) };
  }

  private sizeOf(expr: Expr): Range {
    if (expr.kind === 'constant') return literalSize(expr);
    const known = this.sizes.get(expr);
    if (known !== undefined) return known;
    const data = this.data.get(expr);
    if (data !== undefined) return { min: 0, max: data.maxSize ?? 0 };
    const type = this.typeOf(expr);
    const isScalar = scalars.has(type.kind) || (type.kind === 'opaque' && type.name !== 'optional_type');
    return isScalar ? one : anySize;
  }

  /** Returns the size of the items of a list of texts or bytes. */
  private itemSize(expr: Expr): Range | undefined {
    const type = this.typeOf(expr);
    if (type.kind !== 'list') return undefined;
    const items = this.data.get(expr)?.items;
    return items === undefined ? anySize : { min: 0, max: items.maxSize ?? 0 };
  }

  private comprehension(expr: Comprehension): Range {
    const range = this.cost(expr.range);
    const init = this.cost(expr.init);
    const outer = this.locals;
    if (expr.macro.name === 'bind') {
      this.locals = new Map([
        ...outer,
        [expr.accumulator, { data: this.data.get(expr.init), size: this.sizes.get(expr.init) }],
      ]);
      const body = this.cost(expr.result);
      this.locals = outer;
      this.keep(expr, this.data.get(expr.result), this.sizes.get(expr.result));
      return add(range, init, body);
    }
    this.locals = new Map([...outer, ...this.variables(expr)]);
    const each = add(this.cost(expr.condition), this.cost(expr.step));
    this.locals = new Map([...outer, [expr.accumulator, {}]]);
    const result = this.cost(expr.result);
    this.locals = outer;
    const count = this.sizeOf(expr.range);
    if (!this.isEarly) this.sizes.set(expr, count);
    return add(range, init, result, multiply(count, each));
  }

  /**
   * Returns the data of the items or values of a list or map. If it has no schema, such as the parts of a text, returns
   * the data of `self`, as the reference does. This decides which definitions are refused.
   */
  private partOf(container: Expr): DataType | undefined {
    const data = this.data.get(container);
    return data === undefined ? this.dataOf('self') : (data.items ?? data.values);
  }

  /** Returns the data of a loop's variables. */
  private variables(expr: Comprehension): [string, Local][] {
    const data = this.data.get(expr.range);
    const { kind } = this.typeOf(expr.range);
    const known = data !== undefined || (kind !== 'list' && kind !== 'map');
    const keys: Local = { size: data?.shape === 'map' ? zero : undefined };
    const values: Local = { data: known && data === undefined ? undefined : this.partOf(expr.range) };
    const first = expr.second === undefined && kind !== 'map' ? values : known ? keys : values;
    const second: [string, Local][] = expr.second === undefined ? [] : [[expr.second, values]];
    return [[expr.accumulator, {}], [expr.variable, first], ...second];
  }
}

/** Returns whether a value has no parts with a relevant size. */
function isPlain(expr: Expr): boolean {
  if (expr.kind === 'list') return expr.items.length === 0;
  return expr.kind === 'constant' || (expr.kind === 'map' && expr.entries.length === 0);
}

function literalSize(expr: Expr & { kind: 'constant' }): Range {
  const { literal } = expr;
  if (literal.type === 'string') return exactly(new TextEncoder().encode(literal.value).length);
  return exactly(literal.type === 'bytes' ? literal.value.length : 1);
}
