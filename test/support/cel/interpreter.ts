/** Evaluates a checked expression by walking its tree. Tests compare compiled programs with it. */
import type { Checked } from '../../../runtime/cel/check/references.js';
import type { Overload } from '../../../runtime/cel/environment.js';
import type { DataType } from '../../../runtime/cel/schema/data-type.js';
import type { Call, Comprehension, Expr } from '../../../runtime/cel/syntax/ast.js';
import { equal } from '../../../runtime/cel/values/equality.js';
import { EvaluationError, fail } from '../../../runtime/cel/values/error.js';
import { toInt } from '../../../runtime/cel/values/int.js';
import { EntryMap, entryOf } from '../../../runtime/cel/values/maps.js';
import { parseTimestamp } from '../../../runtime/cel/values/time.js';
import {
  CelMap,
  type CelValue,
  Double,
  isInt,
  isList,
  itemsOf,
  KeyedList,
  Optional,
  StructValue,
  TypeValue,
  Uint,
} from '../../../runtime/cel/values/value.js';
import { isObject } from '../../../runtime/objects/guards.js';

export type Interpreted =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string };

/** Evaluates with values for the variables. */
export function interpret(expr: Expr, checked: Checked, variables: Readonly<Record<string, CelValue>>): Interpreted {
  try {
    return { ok: true, value: new Interpreter(checked, variables).evaluate(expr, new Map()) };
  } catch (error) {
    if (error instanceof EvaluationError) return { ok: false, message: error.message };
    throw error;
  }
}

/** An object that was read from JSON as a whole. */
class ReadObject extends StructValue {
  readonly size: number;

  constructor(
    readonly typeName: string,
    private readonly fields: ReadonlyMap<string, CelValue>,
  ) {
    super();
    this.size = fields.size;
  }

  get(field: string): CelValue | undefined {
    return this.fields.get(field);
  }

  has(field: string): boolean {
    return this.fields.has(field);
  }

  members(): Iterable<readonly [string, CelValue]> {
    return this.fields;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof ReadObject) || other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => equal(value, other.get(name) ?? new Optional(undefined)));
  }
}

/** Reads JSON by its type, all at once. */
export function readWhole(json: unknown, data: DataType): CelValue {
  if (json === null) return null;
  switch (data.shape) {
    case 'int':
      return toInt(BigInt(Number(json)));
    case 'double':
      return new Double(Number(json));
    case 'text':
      return String(json);
    case 'bool':
      return json === true;
    case 'timestamp':
      return parseTimestamp(String(json)) ?? null;
    case 'list': {
      const items = Array.isArray(json)
        ? json.map((item) => (data.items === undefined ? null : readWhole(item, data.items)))
        : [];
      if (data.listType === undefined) return items;
      return new KeyedList(items, data.listType === 'map' ? (data.keys ?? []) : undefined);
    }
    case 'map': {
      const map = new EntryMap();
      for (const [key, value] of Object.entries(isObject(json) ? json : {})) {
        if (data.values !== undefined) map.insert(key, readWhole(value, data.values));
      }
      return map;
    }
    case 'object': {
      const fields = new Map<string, CelValue>();
      for (const [name, field] of data.fields ?? []) {
        const value = isObject(json) ? json[field.property] : undefined;
        if (value !== undefined && value !== null) fields.set(name, readWhole(value, field.data));
      }
      return new ReadObject('object', fields);
    }
    default:
      throw new Error(`the interpreter does not read ${data.shape}`);
  }
}

type Scope = ReadonlyMap<string, CelValue | EvaluationError>;

class Interpreter {
  constructor(
    private readonly checked: Checked,
    private readonly variables: Readonly<Record<string, CelValue>>,
  ) {}

  evaluate(expr: Expr, scope: Scope): CelValue {
    switch (expr.kind) {
      case 'constant':
        return constant(expr.literal);
      case 'ident':
        return this.name(expr, scope);
      case 'select': {
        if (this.checked.references.has(expr)) return this.name(expr, scope);
        const operand = this.evaluate(expr.operand, scope);
        const found =
          operand instanceof StructValue || operand instanceof CelMap
            ? operand.get(expr.field)
            : fail('no such overload');
        if (expr.test) return found !== undefined;
        return found ?? (found === null ? null : fail(`no such key: ${expr.field}`));
      }
      case 'list':
        return expr.items.map((item) => this.evaluate(item, scope));
      case 'map': {
        return EntryMap.literal(
          expr.entries.map(({ key, value }) => [this.evaluate(key, scope), this.evaluate(value, scope)]),
        );
      }
      case 'call':
        return this.call(expr, scope);
      case 'comprehension':
        return this.loop(expr, scope);
      default:
        throw new Error(`the interpreter does not make ${expr.kind}`);
    }
  }

  private name(expr: Expr, scope: Scope): CelValue {
    const reference = this.checked.references.get(expr);
    if (reference?.kind === 'type') return new TypeValue(reference.name);
    const name = reference?.kind === 'variable' || reference?.kind === 'local' ? reference.name : '';
    const value = reference?.kind === 'local' ? scope.get(name) : this.variables[name];
    if (value instanceof EvaluationError) throw value;
    return value ?? null;
  }

  private call(expr: Call, scope: Scope): CelValue {
    const [first, second, third] = expr.args;
    if (expr.name === '_?_:_' && first && second && third) {
      return this.evaluate(this.evaluate(first, scope) === true ? second : third, scope);
    }
    if ((expr.name === '_&&_' || expr.name === '_||_') && first && second)
      return this.logical(expr, [first, second], scope);
    if (expr.name === '@not_strictly_false' && first) return this.tolerant(first, scope);
    const reference = this.checked.references.get(expr);
    const parts =
      expr.target === undefined || (reference?.kind === 'function' && reference.namespaced)
        ? expr.args
        : [expr.target, ...expr.args];
    const args = parts.map((part) => this.evaluate(part, scope));
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    return run(overloads, args);
  }

  private logical(expr: Call, parts: readonly Expr[], scope: Scope): CelValue {
    const decisive = expr.name === '_||_';
    let first: EvaluationError | undefined;
    for (const part of parts) {
      const value = this.attempt(part, scope);
      if (value === decisive) return decisive;
      if (value instanceof EvaluationError) first ??= value;
    }
    if (first !== undefined) throw first;
    return !decisive;
  }

  private tolerant(part: Expr, scope: Scope): boolean {
    return this.attempt(part, scope) !== false;
  }

  private attempt(expr: Expr, scope: Scope): CelValue | EvaluationError {
    try {
      return this.evaluate(expr, scope);
    } catch (error) {
      if (error instanceof EvaluationError) return error;
      throw error;
    }
  }

  /** Runs an expanded loop. The accumulated value may be an error until the end. */
  private loop(expr: Comprehension, scope: Scope): CelValue {
    const range = this.evaluate(expr.range, scope);
    let accumulated: CelValue | EvaluationError = this.evaluate(expr.init, scope);
    for (const item of entries(range, expr.second !== undefined)) {
      const inner = new Map(scope).set(expr.accumulator, accumulated).set(expr.variable, item[0]);
      if (expr.second !== undefined) inner.set(expr.second, item[1]);
      if (this.attempt(expr.condition, inner) !== true) break;
      accumulated = this.attempt(expr.step, inner);
      if (accumulated instanceof EvaluationError && expr.macro.name !== 'all' && expr.macro.name !== 'exists')
        throw accumulated;
    }
    return this.evaluate(expr.result, new Map(scope).set(expr.accumulator, accumulated));
  }
}

function entries(range: CelValue, pairs: boolean): (readonly [CelValue, CelValue])[] {
  if (isList(range)) return itemsOf(range).map((item, i) => (pairs ? [i, item] : [item, null]));
  if (!(range instanceof CelMap)) return fail('no such overload');
  return range.keys().map((key) => [key, entryOf(range, key) ?? null]);
}

function run(overloads: readonly Overload[], args: CelValue[]): CelValue {
  const overload = overloads.length === 1 ? overloads[0] : overloads.find((one) => fits(one, args));
  return overload?.run?.(...args) ?? fail('no such overload');
}

function fits({ params }: Overload, args: readonly CelValue[]): boolean {
  return params.every(({ kind }, i) => {
    const value = args[i];
    if (kind === 'list') return value !== undefined && isList(value);
    if (kind === 'map') return value instanceof CelMap;
    if (kind === 'int') return value !== undefined && isInt(value);
    if (kind === 'double') return value instanceof Double;
    if (kind === 'uint') return value instanceof Uint;
    return kind !== 'string' || typeof value === 'string';
  });
}

function constant(literal: (Expr & { kind: 'constant' })['literal']): CelValue {
  switch (literal.type) {
    case 'null':
      return null;
    case 'int':
      return toInt(literal.value);
    case 'uint':
      return new Uint(literal.value);
    case 'double':
      return new Double(literal.value);
    default:
      return literal.value;
  }
}
