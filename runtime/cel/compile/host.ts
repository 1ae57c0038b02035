/** The interface between the parts of the emitter. */
import type { Checked } from '../check/references.js';
import type { Type } from '../check/types.js';
import type { Environment } from '../environment.js';
import type { DataType } from '../schema/data-type.js';
import type { Call, Expr } from '../syntax/ast.js';
import type { Code, ProgramCode } from './code.js';
import type { ReadingEmitter } from './reading.js';

/** A variable in scope: its name in the program, and the type of its value. */
export interface Local {
  readonly name: string;
  readonly type: Type;
  readonly data?: DataType;
}

/** A variable to add to the scope, and its name in the expression. */
export type NewLocal = readonly [name: string, local: Omit<Local, 'name'>];

export interface EmitHost {
  readonly checked: Checked;
  readonly environment: Environment;
  readonly code: ProgramCode;
  readonly reading: ReadingEmitter;
  /** Emits a part in its cheapest form: as decoded JSON if it comes from there. */
  emit(expr: Expr): Code;
  /** Emits a part as a value of the language. */
  value(expr: Expr): Code;
  /** Emits a value of type bool, with a check if its type is only known at run time. */
  truth(expr: Expr): Code;
  /** Returns the text of a part that only has constants. */
  constantText(expr: Expr): string;
  typeOf(expr: Expr): Type;
  /** Emits a call of the remaining overloads with emitted arguments. */
  invoke(expr: Call, args: readonly Code[]): Code;
  /** Emits text in which names of the expression stand for new variables of the program. */
  within(variables: readonly NewLocal[], emit: (names: readonly string[]) => string): string;
}
