/** One condition on one label: checks the condition, and whether labels meet it. */
import type { FieldError, Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { fieldErrorText, invalidValue, joinErrors, stringList } from '../field-error.js';
import { labelValue, qualifiedNameCheck } from '../names/name-checks.js';
import { byCodePoint } from '../printing.js';

export type LabelOperator = 'In' | 'NotIn' | 'Equals' | 'NotEquals' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without repeats; empty for the operators that only check existence. */
  readonly values: readonly string[];
}

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Whether labels are selected. */
export type LabelMatcher = (labels: Labels) => boolean;

const countProblems: Readonly<Record<LabelOperator, string>> = {
  In: "for 'in', 'notin' operators, values set can't be empty",
  NotIn: "for 'in', 'notin' operators, values set can't be empty",
  Equals: 'exact-match compatibility requires one single value',
  NotEquals: 'exact-match compatibility requires one single value',
  Exists: 'values set must be empty for exists and does not exist',
  DoesNotExist: 'values set must be empty for exists and does not exist',
  Gt: "for 'Gt', 'Lt' operators, exactly one value is required",
  Lt: "for 'Gt', 'Lt' operators, exactly one value is required",
};

/** Returns the problem of a label key, as an error without a path; `undefined` if the key is valid. */
export function labelKeyError(key: string): string | undefined {
  const problems = qualifiedNameCheck(key);
  return problems.length === 0 ? undefined : fieldErrorText(invalidValue('<nil>', key, problems.join('; ')));
}

/** Makes a condition, or returns one failure with all its problems. */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): Result<LabelRequirement> {
  const sorted = [...new Set(values)].sort(byCodePoint);
  const texts = [labelKeyError(key) ?? [], valueErrors(key, operator, sorted).map(fieldErrorText)].flat();
  if (texts.length > 0) return { ok: false, failure: badRequest(joinErrors(texts)) };
  return { ok: true, value: { key, operator, values: sorted } };
}

function valueErrors(key: string, operator: LabelOperator, values: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (!countIsRight(operator, values.length)) {
    errors.push(invalidValue('values', stringList(values), countProblems[operator]));
  }
  if (operator === 'Gt' || operator === 'Lt') {
    values.forEach((value, index) => {
      if (parseInt64(value) !== undefined) return;
      errors.push(invalidValue(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    });
  }
  values.forEach((value, index) => {
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(invalidValue(`values[${index}][${key}]`, value, problems.join('; ')));
  });
  return errors;
}

function countIsRight(operator: LabelOperator, count: number): boolean {
  if (operator === 'In' || operator === 'NotIn') return count > 0;
  return operator === 'Exists' || operator === 'DoesNotExist' ? count === 0 : count === 1;
}

/** Returns a decimal integer of 64 bits, or `undefined`. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Turns a condition into a function; called once per selector, not per object. */
export function compileRequirement({ key, operator, values }: LabelRequirement): LabelMatcher {
  const first = values[0] ?? '';
  const set = new Set(values);
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key);
  switch (operator) {
    case 'Equals':
      return (labels) => labels[key] === first && has(labels);
    case 'NotEquals':
      return (labels) => labels[key] !== first || !has(labels);
    case 'In':
      return (labels) => has(labels) && set.has(labels[key] ?? '');
    case 'NotIn':
      return (labels) => !has(labels) || !set.has(labels[key] ?? '');
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return (labels) => !has(labels);
    case 'Gt':
    case 'Lt':
      return compileComparison(key, operator, parseInt64(first) ?? 0n);
  }
}

function compileComparison(key: string, operator: 'Gt' | 'Lt', bound: bigint): LabelMatcher {
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? '') : undefined;
    if (value === undefined) return false;
    return operator === 'Gt' ? value > bound : value < bound;
  };
}
