/** Turns macros into loops of program text. */
import { dyn, int, string } from '../check/types.js';
import type { DataType } from '../schema/data-type.js';
import type { Comprehension, Expr } from '../syntax/ast.js';
import { bodyOf, type Code, lambda } from './code.js';
import type { EmitHost, NewLocal } from './host.js';
import { elementType } from './operands.js';

/** The range of a loop, the variables that it sets, and their text as parameters of its functions. */
interface LoopRange {
  readonly text: string;
  readonly cost: number;
  readonly variables: readonly NewLocal[];
  readonly parameters: (...names: readonly string[]) => string;
}

export class LoopEmitter {
  constructor(private readonly host: EmitHost) {}

  /** Emits the loop of a macro. */
  emit(expr: Comprehension): Code {
    const { macro } = expr;
    if (macro.name === 'bind') return this.bind(expr, macro.value, macro.body);
    const range = this.range(expr);
    const body = (part: Expr, truth: boolean): string =>
      this.host.within(range.variables, (names) =>
        lambda(names, range.parameters, bodyOf(truth ? this.host.truth(part) : this.host.value(part))),
      );
    const start = `(${range.text}, meter, `;
    const type = this.host.typeOf(expr);
    switch (macro.name) {
      case 'all':
      case 'exists':
      case 'existsOne': {
        const text = `${this.host.code.use(macro.name)}${start}${body(macro.predicate, true)})`;
        return { text, type, cost: range.cost + (macro.name === 'existsOne' ? 2 : 1), fails: true };
      }
      case 'list': {
        const filter = macro.filter === undefined ? '' : `, ${body(macro.filter, true)}`;
        return {
          text: `${this.host.code.use('collect')}${start}${body(macro.transform, false)}${filter})`,
          type,
          cost: range.cost + 1,
          fails: true,
        };
      }
      default: {
        const filter = macro.filter === undefined ? 'undefined' : body(macro.filter, true);
        const key =
          macro.name === 'mapEntry'
            ? 'undefined'
            : this.host.within(range.variables, (names) => lambda(names, range.parameters, names[0] ?? ''));
        const text = `${this.host.code.use('collectMap')}${start}${body(macro.transform, false)}, ${filter}, ${key})`;
        return { text, type, cost: range.cost + 1, fails: true };
      }
    }
  }

  private bind(expr: Comprehension, value: Expr, body: Expr): Code {
    const init = this.host.emit(value);
    const local = { type: init.type, ...(init.data === undefined ? {} : { data: init.data }) };
    const text = this.host.within(
      [[expr.accumulator, local]],
      (names) => `(${lambda(names, (name) => `(${name})`, bodyOf(this.host.value(body)))})(${init.text})`,
    );
    return { text, type: this.host.typeOf(expr), cost: init.cost, fails: true };
  }

  private range(expr: Comprehension): LoopRange {
    const operand = this.host.emit(expr.range);
    const { data, cost } = operand;
    const asData = (item: DataType | undefined) =>
      item === undefined ? { type: dyn } : { type: item.type, data: item };
    const single = (name = '') => `(${name})`;
    const pair = (...names: readonly string[]) => `([${names.join(', ')}])`;
    if (expr.second === undefined) {
      if (data?.shape === 'list') {
        const text = `${this.host.code.use('jsonItems')}(${operand.text})`;
        return { text, cost, variables: [[expr.variable, asData(data.items)] as const], parameters: single };
      }
      const keys = data?.shape === 'map';
      const type = keys ? string : elementType(operand.type);
      const text = keys
        ? `${this.host.code.use('jsonKeys')}(${operand.text})`
        : this.host.code.knownItems(`${this.host.code.use('rangeOf')}(${this.host.reading.value(operand).text})`, type);
      const variables = [[expr.variable, { type }] as const];
      return { text, cost, variables, parameters: single };
    }
    if (data?.shape === 'list') {
      const text = `${this.host.code.use('jsonItems')}(${operand.text})`;
      const variables = [[expr.variable, { type: int }] as const, [expr.second, asData(data.items)] as const];
      return { text, cost, variables, parameters: (index = '', item = '') => `(${item}, ${index})` };
    }
    const text = `${this.host.code.use('pairsOf')}(${this.host.reading.value(operand).text})`;
    const variables = [[expr.variable, { type: dyn }] as const, [expr.second, { type: dyn }] as const];
    return { text, cost, variables, parameters: pair };
  }
}
