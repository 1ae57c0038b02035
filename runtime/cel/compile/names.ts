/** Turns names into the variables of a program. */

import { selectCost } from '../check/call-cost.js';
import { dyn } from '../check/types.js';
import type { DataType } from '../schema/data-type.js';
import type { Ident, Select } from '../syntax/ast.js';
import type { Code } from './code.js';
import type { EmitHost, Local, NewLocal } from './host.js';
import { quoted } from './program-text.js';

export class NameEmitter {
  /** The lines that read the variables of the environment, each once. */
  readonly head: string[] = [];
  private readonly globals = new Map<string, string>();
  private scope: ReadonlyMap<string, Local> = new Map();

  constructor(private readonly host: EmitHost) {}

  /** Emits a variable of the program or of a macro, or a type. */
  name(expr: Ident | Select): Code {
    const reference = this.host.checked.references.get(expr);
    if (reference?.kind === 'local') {
      const local = this.scope.get(reference.name);
      if (local === undefined) return this.missing(expr);
      return {
        text: local.name,
        type: local.type,
        cost: selectCost,
        fails: false,
        ...(local.data === undefined ? {} : { data: local.data }),
      };
    }
    if (reference?.kind === 'variable') return this.global(reference.name);
    if (reference?.kind === 'type') {
      const text = this.host.code.constant('type', `${this.host.code.use('typeValue')}(${quoted(reference.name)})`);
      return { text, type: this.host.typeOf(expr), cost: 0, fails: false };
    }
    return this.missing(expr);
  }

  private missing(expr: Ident | Select): Code {
    const name = expr.kind === 'ident' ? expr.name : expr.field;
    const text = `${this.host.code.use('fail')}(${quoted(`no such attribute(s): ${name}`)})`;
    return { text, type: dyn, cost: selectCost, fails: true };
  }

  private global(name: string): Code {
    const variable = this.host.environment.variable(name);
    const data = variable?.data;
    const known = this.globals.get(name);
    const text = known ?? this.host.code.variable(name);
    if (known === undefined) {
      this.globals.set(name, text);
      this.head.push(`const ${text} = ${this.given(name, data)};`);
    }
    const type = variable?.type ?? dyn;
    // A variable without a schema may have no value.
    if (data === undefined) {
      return {
        text: `(${text} ?? ${this.host.code.use('unbound')}(${text}, ${quoted(name)}))`,
        type,
        cost: selectCost,
        fails: true,
      };
    }
    return { text, type: data.type, cost: selectCost, fails: false, data };
  }

  /** Returns the text that reads a variable's given value. Dynamic data may be null. */
  private given(name: string, data: DataType | undefined): string {
    const value = `variables[${quoted(name)}]`;
    if (data === undefined || data.shape === 'optional') return value;
    const otherwise = `${this.host.code.use('unset')}(${quoted(name)})`;
    const given =
      data.shape === 'dyn' && data.nullable
        ? `${value} === undefined ? ${otherwise} : ${value}`
        : `${value} ?? ${otherwise}`;
    return this.host.code.asserted(`(${given})`, 'Data');
  }

  /** Emits text in which names of the expression stand for new variables of the program. */
  within(variables: readonly NewLocal[], emit: (names: readonly string[]) => string): string {
    const outer = this.scope;
    const names = variables.map(([name]) => this.host.code.variable(name));
    const added = variables.map(([name, local], i): [string, Local] => [name, { ...local, name: names[i] ?? name }]);
    this.scope = new Map([...outer, ...added]);
    const text = emit(names);
    this.scope = outer;
    return text;
  }
}
