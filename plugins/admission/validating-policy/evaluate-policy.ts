/** Evaluates one policy: which validations fail, and what is added to the audit log. */
import { policyCostLimit } from '../../../runtime/cel/index.js';
import { byteLength } from '../../../runtime/objects/names/name-checks.js';
import { type Evaluation, evaluateAll, meetsConditions, NamedValues, type Variables } from '../shared/expressions.js';
import type { CompiledPolicy, CompiledValidation, ValidatingPolicySpec } from './spec.js';

export interface Violation {
  /** The index of the validation in the policy; 0 if the policy failed as a whole. */
  readonly index: number;
  readonly message: string;
  /** Empty if the policy gives none. */
  readonly reason: string;
}

/** An audit annotation of a policy. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

export interface PolicyResult {
  readonly violations: readonly Violation[];
  readonly notes: readonly Note[];
  /**
   * Audit annotations that failed to evaluate. They refuse the request, whatever the binding says about validations.
   */
  readonly failedNotes: readonly Violation[];
  /** How many conditions failed to evaluate. */
  readonly failedConditions?: number;
}

/** The longest message of an expression, bytes. */
const maxMessageBytes = 5 * 1024;

const nothing: PolicyResult = { violations: [], notes: [], failedNotes: [] };

/** Evaluates a policy. Throws what the authorizer throws when an expression asks it. */
export function evaluatePolicy(spec: ValidatingPolicySpec, compiled: CompiledPolicy, given: Variables): PolicyResult {
  const failed = (message: string): PolicyResult =>
    spec.ignoresFailures ? nothing : { ...nothing, violations: [{ index: 0, message, reason: '' }] };
  const conditions = meetsConditions(compiled.conditions, given);
  if (!conditions.ok) return { ...failed(conditions.problem), failedConditions: conditions.mistakes };
  if (!conditions.met) return nothing;
  const { validations } = compiled;
  const variables = { ...given, variables: new NamedValues(compiled.variables, given) };
  const tests = evaluateAll(
    validations.map(({ test }) => test),
    variables,
    policyCostLimit,
  );
  if (!tests.ok) return failed(tests.message);
  const messages = evaluateAll(
    validations.map(({ message }) => message),
    variables,
    tests.remaining,
  );
  const notes = evaluateAll(
    compiled.notes.map(({ value }) => value),
    variables,
    policyCostLimit,
  );
  if (!notes.ok) return failed(notes.message);
  const violations = validations.flatMap((validation, index) => {
    const found = findingOf(validation, tests.results[index], messages.ok ? messages.results[index] : messages.message);
    if (found === undefined || (found.isFailure && spec.ignoresFailures)) return [];
    return [{ index, message: found.message, reason: found.reason }];
  });
  return { violations, ...sortNotes(spec, notes.results) };
}

interface Finding {
  readonly message: string;
  readonly reason: string;
  /** Whether the evaluation failed, rather than the request. */
  readonly isFailure: boolean;
}

/** Returns a failed validation. `message` is the result of its message expression. */
function findingOf(
  { validation }: CompiledValidation,
  test: Evaluation,
  message: Evaluation | string,
): Finding | undefined {
  if (test === undefined) return undefined;
  if (!test.ok) return { message: test.message, reason: '', isFailure: true };
  if (typeof message === 'string') {
    return { message: `failed messageExpression: ${message}`, reason: '', isFailure: true };
  }
  if (test.value === true) return undefined;
  const words = usableMessage(message) || validation.message.trim();
  const fallback = `failed expression: ${validation.expression.trim()}`;
  return { message: words || fallback, reason: validation.reason, isFailure: false };
}

/** Returns the message of an expression; empty if it is not usable. */
function usableMessage(made: Evaluation): string {
  if (!made?.ok || typeof made.value !== 'string') return '';
  const message = made.value.trim();
  return message.includes('\n') || byteLength(message) > maxMessageBytes ? '' : message;
}

function sortNotes(
  { notes: wanted, ignoresFailures }: ValidatingPolicySpec,
  results: readonly Evaluation[],
): Pick<PolicyResult, 'notes' | 'failedNotes'> {
  const notes: Note[] = [];
  const failedNotes: Violation[] = [];
  for (const [index, { key }] of wanted.entries()) {
    const result = results[index];
    if (result && !result.ok && !ignoresFailures) failedNotes.push({ index, message: result.message, reason: '' });
    if (!result?.ok || typeof result.value !== 'string') continue;
    const value = result.value.trim();
    if (value !== '') notes.push({ key, value });
  }
  return { notes, failedNotes };
}
