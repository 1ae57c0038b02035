/** Turns a checked expression into program text. */

import { isFoldable } from '../check/constants.js';
import type { Checked } from '../check/references.js';
import { bool, dyn, type Type } from '../check/types.js';
import type { Environment } from '../environment.js';
import type { Call, Expr } from '../syntax/ast.js';
import { AggregateEmitter } from './aggregates.js';
import { BranchEmitter } from './branches.js';
import { CallEmitter } from './calls.js';
import { type Code, charged, ProgramCode, type ProgramParts } from './code.js';
import type { EmitHost, NewLocal } from './host.js';
import { LiteralEmitter } from './literals.js';
import { LoopEmitter } from './loops.js';
import { NameEmitter } from './names.js';
import { javaScript } from './print-program.js';
import type { Language } from './program-text.js';
import { ReadingEmitter } from './reading.js';
import { SelectionEmitter } from './selections.js';

/** The text of a whole program: the body of a function from the support module and the overloads to the program. */
export function emitProgram(expr: Expr, checked: Checked, environment: Environment): string {
  return javaScript(programParts(expr, checked, environment, 'js'));
}

/** The parts of a program, to be printed into a file or run. */
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

  /** A value of type bool; one that is only known at run time is tested. */
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
