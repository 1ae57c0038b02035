/** Turns selections of fields and indexes into program text. */

import { selectCost } from '../check/call-cost.js';
import { bool } from '../check/types.js';
import type { Call, Select } from '../syntax/ast.js';
import type { Code } from './code.js';
import type { EmitHost } from './host.js';
import { broken, free, relativeCost } from './operands.js';
import { quoted } from './program-text.js';

export class SelectionEmitter {
  constructor(private readonly host: EmitHost) {}

  /** Emits `a.b`, or the test whether it is present. */
  select(expr: Select): Code {
    const operand = this.host.emit(expr.operand);
    const lookup = operand.cost + relativeCost(expr.operand);
    const cost = lookup + (expr.test ? 0 : selectCost);
    if (expr.test) {
      const test = this.host.reading.has(operand, expr.field);
      if (test !== undefined)
        return {
          text: test,
          type: bool,
          cost,
          fails: operand.fails || operand.data?.shape === 'dyn' || operand.data?.nullable === true,
        };
      const value = this.host.reading.value(operand);
      return {
        text: `${this.host.code.use('hasField')}(${value.text}, ${quoted(expr.field)})`,
        type: bool,
        cost,
        fails: true,
      };
    }
    const selected = this.host.reading.select(operand, expr.field);
    if (selected !== undefined) return { ...selected, cost };
    const value = this.host.reading.value(operand);
    const type = this.host.typeOf(expr);
    return {
      text: this.host.code.known(`${this.host.code.use('selectField')}(${value.text}, ${quoted(expr.field)})`, type),
      type,
      cost,
      fails: true,
    };
  }

  /** Emits `a.?b`. */
  optionalSelect(expr: Call): Code {
    const [operand, name] = expr.args;
    if (operand === undefined || name?.kind !== 'constant' || name.literal.type !== 'string')
      return broken(this.host.code);
    const value = this.host.value(operand);
    const text = `${this.host.code.use('selectPaid')}(meter, ${value.text}, ${quoted(name.literal.value)})`;
    return { text, type: this.host.typeOf(expr), cost: value.cost + relativeCost(operand), fails: true };
  }

  /** Emits `a[b]`; an item of decoded JSON stays decoded JSON. */
  index(expr: Call): Code {
    const [container, position] = expr.args;
    if (container === undefined || position === undefined) return broken(this.host.code);
    const operand = this.host.emit(container);
    const index = free(this.host.value(position), position);
    const cost = operand.cost + index.cost + selectCost + relativeCost(container);
    const { data } = operand;
    if (data?.shape === 'list' && index.type.kind === 'int' && data.items !== undefined) {
      return {
        text: `${this.host.code.use('jsonIndex')}(${operand.text}, ${index.text})`,
        type: data.items.type,
        cost,
        fails: true,
        data: data.items,
      };
    }
    if (data?.shape === 'map' && index.type.kind === 'string' && data.values !== undefined) {
      return {
        text: `${this.host.code.use('jsonEntry')}(${operand.text}, ${index.text})`,
        type: data.values.type,
        cost,
        fails: true,
        data: data.values,
      };
    }
    return { ...this.host.invoke(expr, [this.host.reading.value(operand), index]), cost };
  }
}
