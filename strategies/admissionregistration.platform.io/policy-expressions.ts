/** Expressions of webhooks and policies: each has to compile and to yield a value of an allowed type. */
import {
  admissionEnvironment,
  type CompileFailure,
  compileExpression,
  describeIssues,
  type Visible,
} from '../../runtime/cel/index.js';
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';

/** The variables that an expression may mention, and the types that it may yield. */
export interface Compiled extends Visible {
  readonly yields: readonly ('bool' | 'string' | 'null')[];
}

/** Errors of an expression that is not empty. */
export function expressionErrors(text: string, field: string, { yields, ...visible }: Compiled): readonly FieldError[] {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (!compiled.ok) return [invalidValue(field, text, failureText(text, compiled.failure))];
  const { kind } = compiled.expression.type;
  if (yields.some((wanted) => wanted === kind)) return [];
  return [invalidValue(field, text, `must evaluate to ${resultText(yields)}`)];
}

function resultText(yields: Compiled['yields']): string {
  const names = yields.map((kind) => (kind === 'null' ? 'null_type' : kind));
  return names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`;
}

function failureText(text: string, { phase, issues }: CompileFailure): string {
  if (phase === 'program') return `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`;
  return `compilation failed: ${describeIssues(text, issues)}`;
}
