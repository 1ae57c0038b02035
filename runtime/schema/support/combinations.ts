/** `anyOf`, `oneOf`, `allOf` and `not`. */
import { invalidValue } from '../../objects/field-error.js';
import { quote } from '../../objects/printing.js';
import { Findings } from './findings.js';
import type { Value } from './value.js';
import { isNumber } from './value.js';

/**
 * One schema of a combination. Reports its errors, and answers how many checks applied to the value: of several
 * failed schemas, the one to which most applied is taken to be the one that was meant.
 */
export type Branch = (value: Value, path: string, errors: Findings) => number;

/** The error of a combination stands at no field; the path is in its words. */
function combined(path: string, rule: string) {
  return invalidValue('<nil>', '', `${quote(path)} must ${rule}`);
}

interface Outcome {
  readonly matches: number;
  readonly errors: Findings;
}

function run(branch: Branch, value: Value, path: string): Outcome {
  const errors = new Findings();
  return { matches: branch(value, path, errors), errors };
}

/** The best of failed branches: most checks applied; the first of equals. */
function better(best: Outcome | undefined, next: Outcome): Outcome {
  return best === undefined || next.matches > best.matches ? next : best;
}

/**
 * Asks that a value satisfies at least one branch; stops at the first. Answers the checks of the branch that counts.
 */
export function anyOf(branches: readonly Branch[], value: Value, path: string, errors: Findings): number {
  let best: Outcome | undefined;
  for (const branch of branches) {
    const outcome = run(branch, value, path);
    if (outcome.errors.empty) return outcome.matches;
    best = better(best, outcome);
  }
  errors.push(combined(path, 'validate at least one schema (anyOf)'));
  return fail(best, errors);
}

/** Asks that a value satisfies exactly one branch. */
export function oneOf(branches: readonly Branch[], value: Value, path: string, errors: Findings): number {
  let valid: Outcome | undefined;
  let validCount = 0;
  let best: Outcome | undefined;
  for (const branch of branches) {
    const outcome = run(branch, value, path);
    if (!outcome.errors.empty) best = better(best, outcome);
    else if (validCount++ === 0) valid = outcome;
  }
  if (validCount === 1) return valid?.matches ?? 0;
  const found = validCount === 0 ? 'Found none valid' : `Found ${validCount} valid alternatives`;
  errors.push(combined(path, `validate one and only one schema (oneOf). ${found}`));
  return validCount === 0 ? fail(best, errors) : 0;
}

function fail(best: Outcome | undefined, errors: Findings): number {
  if (best === undefined) return 0;
  errors.pushAll(best.errors);
  return best.matches;
}

/** Asks that a value satisfies every branch. */
export function allOf(branches: readonly Branch[], value: Value, path: string, errors: Findings): number {
  let matches = 0;
  let valid = 0;
  for (const branch of branches) {
    const outcome = run(branch, value, path);
    matches += outcome.matches;
    if (outcome.errors.empty) valid++;
    else errors.pushAll(outcome.errors);
  }
  if (valid < branches.length) {
    const none = valid === 0 ? '. None validated' : '';
    errors.push(combined(path, `validate all the schemas (allOf)${none}`));
  }
  return matches;
}

/** Asks that a value does not satisfy a branch. */
export function not(branch: Branch, value: Value, path: string, errors: Findings): void {
  if (run(branch, value, path).errors.empty) errors.push(combined(path, 'not validate the schema (not)'));
}

/** How many checks apply to a value because of its type alone: those for all values, and those for its own type. */
export function baseMatches(value: Value): number {
  if (typeof value === 'string') return 5;
  return isNumber(value) || Array.isArray(value) ? 6 : typeof value === 'object' ? 5 : 4;
}
