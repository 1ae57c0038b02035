/** `anyOf`, `oneOf`, `allOf` and `not`. */
import type { FieldError } from '../../contract/index.js';
import { invalidValue } from '../../objects/field-error.js';
import { quote } from '../../objects/printing.js';
import type { Findings } from './findings.js';
import type { Node } from './table.js';

/** What checking a value against one branch has come to. */
export interface Outcome {
  /** How many keywords applied. */
  readonly applied: number;
  readonly errors: Findings;
}

/** Checks the value against a branch. */
type Run = (branch: Node) => Outcome;

/**
 * Checks a value against the combinations of a node, in the order of the reference. Returns how many keywords applied in
 * the branches that count.
 */
export function combine({ anyOf, oneOf, allOf, not }: Node, path: string, errors: Findings, run: Run): number {
  let applied = 0;
  if (anyOf.length > 0) applied += atLeastOne(anyOf, path, errors, run);
  if (oneOf.length > 0) applied += exactlyOne(oneOf, path, errors, run);
  if (allOf.length > 0) applied += all(allOf, path, errors, run);
  if (not !== undefined && run(not).errors.empty) errors.push(combined(path, 'not validate the schema (not)'));
  return applied;
}

/** The error of a combination is reported at no field; the path is in its words. */
const combined = (path: string, rule: string): FieldError => invalidValue('<nil>', '', `${quote(path)} must ${rule}`);

/** Of failed branches the one to which most keywords applied, the first of equals. */
const better = (best: Outcome | undefined, next: Outcome): Outcome =>
  best === undefined || next.applied > best.applied ? next : best;

function fail(best: Outcome | undefined, errors: Findings): number {
  if (best === undefined) return 0;
  errors.pushAll(best.errors);
  return best.applied;
}

/** Stops at the first branch that fits. */
function atLeastOne(branches: readonly Node[], path: string, errors: Findings, run: Run): number {
  let best: Outcome | undefined;
  for (const branch of branches) {
    const outcome = run(branch);
    if (outcome.errors.empty) return outcome.applied;
    best = better(best, outcome);
  }
  errors.push(combined(path, 'validate at least one schema (anyOf)'));
  return fail(best, errors);
}

function exactlyOne(branches: readonly Node[], path: string, errors: Findings, run: Run): number {
  let valid: Outcome | undefined;
  let best: Outcome | undefined;
  let count = 0;
  for (const branch of branches) {
    const outcome = run(branch);
    if (!outcome.errors.empty) best = better(best, outcome);
    else if (count++ === 0) valid = outcome;
  }
  if (valid !== undefined && count === 1) return valid.applied;
  const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  errors.push(combined(path, `validate one and only one schema (oneOf). ${found}`));
  return count === 0 ? fail(best, errors) : 0;
}

function all(branches: readonly Node[], path: string, errors: Findings, run: Run): number {
  let applied = 0;
  let valid = 0;
  for (const branch of branches) {
    const outcome = run(branch);
    applied += outcome.applied;
    if (outcome.errors.empty) valid++;
    else errors.pushAll(outcome.errors);
  }
  if (valid < branches.length) {
    const none = valid === 0 ? '. None validated' : '';
    errors.push(combined(path, `validate all the schemas (allOf)${none}`));
  }
  return applied;
}
