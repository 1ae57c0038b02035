/** `anyOf`, `oneOf`, `allOf` and `not`. */
import { invalidValue } from '../../objects/field-error.js';
import { quote } from '../../objects/printing.js';
import type { Findings, Path } from './findings.js';
import type { Node } from './table.js';

/** The result of checking a value against one branch. */
export interface BranchResult {
  /** The number of keywords that applied. */
  readonly applied: number;
  readonly errors: Findings;
}

/** Checks the current value against a branch. */
type Run = (branch: Node) => BranchResult;

/**
 * Checks a value against the combinations of a node, in the order of the reference. Returns the number of keywords that
 * applied in the branches that count. An undecidable branch causes an error only if both possible results would.
 */
export function combine({ anyOf, oneOf, allOf, not }: Node, path: Path, errors: Findings, run: Run): number {
  let applied = 0;
  if (anyOf.length > 0) applied += atLeastOne(anyOf, path, errors, run);
  if (oneOf.length > 0) applied += exactlyOne(oneOf, path, errors, run);
  if (allOf.length > 0) applied += all(allOf, path, errors, run);
  if (not !== undefined) none(not, path, errors, run);
  return applied;
}

/** Reports the error of a combination. The error has no field; its message contains the path. */
function refuse(path: Path, rule: string, errors: Findings): void {
  errors.push(invalidValue('<nil>', '', `${quote(path.toString())} must ${rule}`), path.place());
}

function none(branch: Node, path: Path, errors: Findings, run: Run): void {
  const { verdict } = run(branch).errors;
  if (verdict === 'right') refuse(path, 'not validate the schema (not)', errors);
  else if (verdict === 'unknown') errors.doubt();
}

/** Returns the failed branch with the most keywords that applied; the first of several such branches. */
const better = (best: BranchResult | undefined, next: BranchResult): BranchResult =>
  best === undefined || next.applied > best.applied ? next : best;

function fail(best: BranchResult | undefined, errors: Findings): number {
  if (best === undefined) return 0;
  errors.pushAll(best.errors);
  return best.applied;
}

/** Checks `anyOf`. Stops at the first branch that fits. */
function atLeastOne(branches: readonly Node[], path: Path, errors: Findings, run: Run): number {
  let best: BranchResult | undefined;
  let isOpen = false;
  for (const branch of branches) {
    const outcome = run(branch);
    const { verdict } = outcome.errors;
    if (verdict === 'right') return outcome.applied;
    if (verdict === 'unknown') isOpen = true;
    else best = better(best, outcome);
  }
  if (isOpen) return doubt(errors);
  refuse(path, 'validate at least one schema (anyOf)', errors);
  return fail(best, errors);
}

function exactlyOne(branches: readonly Node[], path: Path, errors: Findings, run: Run): number {
  let valid: BranchResult | undefined;
  let best: BranchResult | undefined;
  let count = 0;
  let isOpen = false;
  for (const branch of branches) {
    const outcome = run(branch);
    const { verdict } = outcome.errors;
    if (verdict === 'wrong') best = better(best, outcome);
    else if (verdict === 'unknown') isOpen = true;
    else if (count++ === 0) valid = outcome;
  }
  if (isOpen && count < 2) return doubt(errors);
  if (valid !== undefined && count === 1) return valid.applied;
  const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  refuse(path, `validate one and only one schema (oneOf). ${found}`, errors);
  return count === 0 ? fail(best, errors) : 0;
}

function all(branches: readonly Node[], path: Path, errors: Findings, run: Run): number {
  let applied = 0;
  let wrong = 0;
  for (const branch of branches) {
    const outcome = run(branch);
    const { verdict } = outcome.errors;
    applied += outcome.applied;
    if (verdict === 'unknown') errors.doubt();
    if (verdict !== 'wrong') continue;
    wrong++;
    errors.pushAll(outcome.errors);
  }
  if (wrong > 0) {
    const every = wrong === branches.length ? '. None validated' : '';
    refuse(path, `validate all the schemas (allOf)${every}`, errors);
  }
  return applied;
}

/** Notes an undecidable combination. None of its keywords counts. */
function doubt(errors: Findings): number {
  errors.doubt();
  return 0;
}
