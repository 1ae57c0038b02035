/** The expressions of a policy, compiled once for each state of it, when the first request asks for them. */
import {
  admissionEnvironment,
  type CompileFailure,
  compileExpression,
  describeIssues,
  type Expression,
  type Visible,
} from '../../../runtime/cel/index.js';
import type { PolicySpec, Validation } from './spec.js';

/** An expression, or why there is none. */
export type Compiled =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly text: string; readonly mistake: string };

/** A demand with what is said where it is not met; `undefined` stands in for a message that has no expression. */
export interface CompiledValidation {
  readonly validation: Validation;
  readonly test: Compiled;
  readonly message: Compiled | undefined;
}

export interface CompiledPolicy {
  readonly conditions: readonly Compiled[];
  readonly validations: readonly CompiledValidation[];
  readonly notes: readonly { readonly key: string; readonly value: Compiled }[];
}

export function compilePolicy({ conditions, paramKind, validations, notes }: PolicySpec): CompiledPolicy {
  const params = paramKind !== undefined;
  const full = { params, authorizer: true };
  return {
    conditions: conditions.map((text) => compile(text, full)),
    validations: validations.map((validation) => ({
      validation,
      test: compile(validation.expression, full),
      message:
        validation.messageExpression === ''
          ? undefined
          : compile(validation.messageExpression, { params, authorizer: false }),
    })),
    notes: notes.map(({ key, expression }) => ({ key, value: compile(expression, full) })),
  };
}

function compile(text: string, visible: Visible): Compiled {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (compiled.ok) return { ok: true, expression: compiled.expression };
  return { ok: false, text, mistake: `compilation error: ${describe(text, compiled.failure)}` };
}

/** Policies that could not be compiled are refused when they are written, unless another release did so. */
const describe = (text: string, { phase, issues }: CompileFailure): string =>
  phase === 'program'
    ? `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`
    : `compilation failed: ${describeIssues(text, issues)}`;
