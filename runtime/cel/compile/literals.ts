/** Turns literals, and parts that only consist of them, into program text. */

import type { Expr, Literal } from '../syntax/ast.js';
import { entriesText } from './aggregates.js';
import { direct, overloadsOf } from './callees.js';
import type { Code } from './code.js';
import type { EmitHost } from './host.js';
import { intText } from './operands.js';
import { quoted } from './program-text.js';
import { scalarTypes } from './typescript.js';

export class LiteralEmitter {
  constructor(private readonly host: EmitHost) {}

  /** A part that only consists of constants is evaluated once, when the program is made. */
  folded(expr: Expr): Code {
    const type = this.host.typeOf(expr);
    const { code } = this.host;
    const text = code.asserted(this.constantText(expr), scalarTypes[type.kind] ?? 'CelValue');
    return { text: code.constant('constant', text), type, cost: 0, fails: false };
  }

  /** A constant as it is written. */
  literal(literal: Literal): string {
    switch (literal.type) {
      case 'null':
        return 'null';
      case 'bool':
        return String(literal.value);
      case 'int':
        return intText(literal.value);
      case 'uint':
        return this.host.code.constant('uint', `new ${this.host.code.use('Uint')}(${literal.value}n)`);
      case 'double':
        return this.host.code.constant(
          'double',
          `new ${this.host.code.use('Double')}(${Object.is(literal.value, -0) ? '-0' : literal.value})`,
        );
      case 'string':
        return quoted(literal.value);
      case 'bytes':
        return this.host.code.constant('bytes', `Uint8Array.of(${literal.value.join(', ')})`);
    }
  }

  /** The text of what a part that only consists of constants is made of. */
  constantText(expr: Expr): string {
    switch (expr.kind) {
      case 'constant':
        return this.literal(expr.literal);
      case 'list':
        return `[${expr.items.map((item) => this.constantText(item)).join(', ')}]`;
      case 'map':
        return entriesText(expr, this.host.code, (part) => this.constantText(part));
      case 'call': {
        const [overload] = overloadsOf(expr, this.host.checked);
        const args = (expr.target === undefined ? expr.args : [expr.target, ...expr.args]).map((part) =>
          this.constantText(part),
        );
        return overload === undefined
          ? `${this.host.code.use('noSuchOverload')}()`
          : `${direct(this.host.code, overload)}(${args.join(', ')})`;
      }
      default:
        return 'null';
    }
  }
}
