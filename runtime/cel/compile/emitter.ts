/** Turns a checked expression into program text. */
import { type Checked, isFoldable } from '../check/references.js';
import { bool, dyn, type Type } from '../check/types.js';
import type { Environment } from '../environment.js';
import type { Call, Expr, Literal } from '../syntax/ast.js';
import { AggregateEmitter, entriesText } from './aggregates.js';
import { CallEmitter } from './calls.js';
import { bodyOf, type Code, charged, lambda, ProgramCode, type ProgramParts } from './code.js';
import type { EmitHost, NewLocal } from './host.js';
import { LoopEmitter } from './loops.js';
import { NameEmitter } from './names.js';
import { broken, direct, free, intText, overloadsOf } from './operands.js';
import { javaScript } from './print-program.js';
import { type Language, quoted, scalarTypes } from './program-text.js';
import { ReadingEmitter } from './reading.js';
import { SelectionEmitter } from './selections.js';

/**
 * Returns the text of a whole program: the body of a function that takes the support module and the overloads, and
 * returns the program.
 */
export function emitProgram(expr: Expr, checked: Checked, environment: Environment): string {
  return javaScript(programParts(expr, checked, environment, 'js'));
}

/** Returns the parts of a program, to print into a file or run. */
export function programParts(expr: Expr, checked: Checked, environment: Environment, language: Language): ProgramParts {
  return new Emitter(checked, environment, language).program(expr);
}

class Emitter implements EmitHost {
  readonly code: ProgramCode;
  readonly reading: ReadingEmitter;
  private readonly literals = new LiteralEmitter(this);
  private readonly names = new NameEmitter(this);
  private readonly selections = new SelectionEmitter(this);
  private readonly branches = new BranchEmitter(this);
  private readonly calls = new CallEmitter(this);
  private readonly aggregates = new AggregateEmitter(this);
  private readonly loops = new LoopEmitter(this);

  constructor(
    readonly checked: Checked,
    readonly environment: Environment,
    language: Language,
  ) {
    this.code = new ProgramCode(language);
    this.reading = new ReadingEmitter(this.code);
  }

  program(expr: Expr): ProgramParts {
    const result = charged(this.value(expr));
    return this.code.parts(this.names.head, result);
  }

  typeOf(expr: Expr): Type {
    return this.checked.types.get(expr) ?? dyn;
  }

  value(expr: Expr): Code {
    return this.reading.value(this.emit(expr));
  }

  /** Emits a value of type bool, with a check if its type is only known at run time. */
  truth(expr: Expr): Code {
    const code = this.value(expr);
    if (code.type.kind === 'bool') return code;
    return { ...code, text: `${this.code.use('truth')}(${code.text})`, type: bool, fails: true };
  }

  emit(expr: Expr): Code {
    if (isFoldable(expr, this.checked)) return this.literals.folded(expr);
    switch (expr.kind) {
      case 'constant':
        return { text: this.literals.literal(expr.literal), type: this.typeOf(expr), cost: 0, fails: false };
      case 'ident':
        return this.names.name(expr);
      case 'select':
        return this.checked.references.has(expr) ? this.names.name(expr) : this.selections.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        return this.aggregates.list(expr);
      case 'map':
        return this.aggregates.map(expr);
      case 'message':
        return this.aggregates.message(expr);
      case 'comprehension':
        return this.loops.emit(expr);
    }
  }

  private call(expr: Call): Code {
    if (expr.chain !== undefined) return this.branches.chain(expr);
    switch (expr.name) {
      case '_&&_':
      case '_||_':
        return this.branches.logical(expr);
      case '_?_:_':
        return this.branches.conditional(expr);
      case '_?._':
        return this.selections.optionalSelect(expr);
      case '_[_]':
        return this.selections.index(expr);
      default:
        return this.branches.alternative(expr) ?? this.calls.call(expr);
    }
  }

  constantText(expr: Expr): string {
    return this.literals.constantText(expr);
  }

  invoke(expr: Call, args: readonly Code[]): Code {
    return this.calls.invoke(expr, args);
  }

  within(variables: readonly NewLocal[], emit: (names: readonly string[]) => string): string {
    return this.names.within(variables, emit);
  }
}

class LiteralEmitter {
  constructor(private readonly host: EmitHost) {}

  /** Emits a part that only has constants. The program evaluates it once, when it is made. */
  folded(expr: Expr): Code {
    const type = this.host.typeOf(expr);
    const { code } = this.host;
    const text = code.asserted(this.constantText(expr), scalarTypes[type.kind] ?? 'CelValue');
    return { text: code.constant('constant', text), type, cost: 0, fails: false };
  }

  /** Returns the text of a constant. */
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

  /** Returns the text of a part that only has constants. */
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

class BranchEmitter {
  constructor(private readonly host: EmitHost) {}

  /** Emits `a && b`, `a || b`. If one operand decides the result, errors of the other do not matter. */
  logical(expr: Call): Code {
    const [first, second] = expr.args;
    if (first === undefined || second === undefined) return broken(this.host.code);
    const left = this.host.truth(first);
    const right = this.host.truth(second);
    const fails = left.fails || right.fails;
    const sign = expr.name === '_&&_' ? '&&' : '||';
    if (!left.fails) return { text: `(${left.text} ${sign} ${charged(right)})`, type: bool, cost: left.cost, fails };
    const helper = this.host.code.use(sign === '&&' ? 'and' : 'or');
    return { text: `${helper}(() => ${left.text}, () => ${charged(right)})`, type: bool, cost: left.cost, fails };
  }

  /** Emits `a ? b : c`. */
  conditional(expr: Call): Code {
    const [first, second, third] = expr.args;
    if (first === undefined || second === undefined || third === undefined) return broken(this.host.code);
    const condition = this.host.truth(first);
    const yes = free(this.host.value(second), second);
    const no = free(this.host.value(third), third);
    const type = this.host.typeOf(expr);
    const text = `(${condition.text} ? ${charged(yes)} : ${charged(no)})`;
    const isKnown = yes.type.kind === type.kind && no.type.kind === type.kind;
    return {
      text: isKnown ? text : this.host.code.known(text, type),
      type,
      cost: condition.cost,
      fails: condition.fails || yes.fails || no.fails,
    };
  }

  /** Emits `a.optMap(x, b)` and `a.optFlatMap(x, b)`. The program evaluates the body only if the target is present. */
  chain(expr: Call): Code {
    if (expr.chain === undefined) return broken(this.host.code);
    const { target, variable, body, flat } = expr.chain;
    const value = this.host.value(target);
    const bound = this.host.within([[variable, { type: dyn }]], (names) =>
      lambda(names, (name) => `(${name})`, bodyOf(this.host.value(body))),
    );
    return {
      text: `${this.host.code.use('chain')}(meter, ${value.text}, ${bound}, ${flat}, ${value.cost})`,
      type: this.host.typeOf(expr),
      cost: value.cost + 1,
      fails: true,
    };
  }

  /**
   * Emits `a.or(b)` and `a.orValue(b)`. The program evaluates the second operand only if the first is absent. The call
   * itself is free.
   */
  alternative(expr: Call): Code | undefined {
    const { target } = expr;
    const [overload] = overloadsOf(expr, this.host.checked);
    const [other] = expr.args;
    if (overload === undefined || !/^optional_or(?:_optional|Value_value)$/.test(overload.id)) return undefined;
    if (target === undefined || other === undefined) return undefined;
    const first = this.host.value(target);
    const second = charged(this.host.value(other));
    const helper = this.host.code.use(overload.id === 'optional_or_optional' ? 'orOptional' : 'orValue');
    const type = this.host.typeOf(expr);
    return {
      text: this.host.code.known(`${helper}(${first.text}, () => ${second})`, type),
      type,
      cost: first.cost,
      fails: true,
    };
  }
}
