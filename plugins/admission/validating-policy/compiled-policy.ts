/** The expressions of a policy, compiled once for each state of it, when the first request asks for them. */
import type { Steps } from '../../../runtime/objects/turns.js';
import { type Compiled, compile } from '../expressions/compiled.js';
import type { PolicySpec, Validation } from './spec.js';

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
