/** Expressions of policies and webhooks, compiled once for each state of these. */
import {
  admissionEnvironment,
  type CompileFailure,
  compileExpression,
  describeIssues,
  type Expression,
  type Visible,
} from '../../../runtime/cel/index.js';

/** An expression, or why there is none. */
export type Compiled =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly text: string; readonly mistake: string };

/** `visible` are the variables that it may mention. */
export function compile(text: string, visible: Visible): Compiled {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (compiled.ok) return { ok: true, expression: compiled.expression };
  return { ok: false, text, mistake: `compilation error: ${describe(text, compiled.failure)}` };
}

/** Expressions that could not be compiled are refused when they are written, unless another release did so. */
const describe = (text: string, { phase, issues }: CompileFailure): string =>
  phase === 'program'
    ? `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`
    : `compilation failed: ${describeIssues(text, issues)}`;
