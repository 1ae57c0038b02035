/** Evaluates one policy: the validations that fail, and the notes for audit. */
import { policyCostLimit } from '../../../runtime/cel/index.js';
import { byteLength } from '../../../runtime/objects/printing.js';
import { type Evaluation, evaluateAll, meetsConditions, type Variables } from '../expressions.js';
import type { CompiledPolicy, CompiledValidation, PolicySpec } from './spec.js';

/** A validation that fails. */
export interface Violation {
  /** Position among the validations of the policy; 0 where the policy failed as a whole. */
  readonly index: number;
  readonly message: string;
  /** As the policy gives it; empty where it gives none. */
  readonly reason: string;
}

/** A note of a policy for audit. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

export interface PolicyResult {
  readonly violations: readonly Violation[];
  readonly notes: readonly Note[];
  /** Notes that could not be made, which refuses the request whatever the binding does about validations. */
  readonly failedNotes: readonly Violation[];
  /** Conditions that could not be evaluated. */
  readonly failedConditions?: number;
}

/** Longest message that an expression may make, in bytes. */
const maxMessageBytes = 5 * 1024;

const nothing: PolicyResult = { violations: [], notes: [], failedNotes: [] };

/** Evaluates a policy. Throws what the authorizer that expressions ask throws. */
export function evaluatePolicy(spec: PolicySpec, compiled: CompiledPolicy, variables: Variables): PolicyResult {
  const failed = (message: string): PolicyResult =>
    spec.ignoresFailures ? nothing : { ...nothing, violations: [{ index: 0, message, reason: '' }] };
  const conditions = meetsConditions(compiled.conditions, variables);
  if (!conditions.ok) return { ...failed(conditions.problem), failedConditions: conditions.mistakes };
  if (!conditions.met) return nothing;
  const { validations } = compiled;
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
  /** Whether it is a mistake of the evaluation rather than of the request. */
  readonly isFailure: boolean;
}

/** `message`: what its expression yielded, or why none could be evaluated. */
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

/** The message that an expression made; empty where it made none that could be shown. */
function usableMessage(made: Evaluation): string {
  if (!made?.ok || typeof made.value !== 'string') return '';
  const message = made.value.trim();
  return message.includes('\n') || byteLength(message) > maxMessageBytes ? '' : message;
}

function sortNotes(
  { notes: wanted, ignoresFailures }: PolicySpec,
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
