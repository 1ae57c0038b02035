/** The expressions of a policy, compiled once for each state of it, when the first request asks for them. */
import {
  admissionEnvironment,
  type CompileFailure,
  compileExpression,
  describeIssues,
  type Expression,
  type Visible,
} from '../../../runtime/cel/index.js';
import type { Steps } from '../../../runtime/objects/turns.js';
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

/** Compiles the expressions one by one: there may be thousands. */
export function* compilePolicy({ conditions, paramKind, validations, notes }: PolicySpec): Steps<CompiledPolicy> {
  const params = paramKind !== undefined;
  const full = { params, authorizer: true };
  const compiled: CompiledValidation[] = [];
  for (const validation of validations) {
    const { expression, messageExpression } = validation;
    const message = messageExpression === '' ? undefined : compile(messageExpression, { params, authorizer: false });
    compiled.push({ validation, test: compile(expression, full), message });
    yield;
  }
  return {
    conditions: conditions.map((text) => compile(text, full)),
    validations: compiled,
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
