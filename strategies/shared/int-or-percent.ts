/** Amounts of pods that are a number, or a percentage of all pods. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { patternCheck } from '../../runtime/objects/names/name-patterns.js';
import { notNegative } from './counts.js';
import { printedIntOrString } from './printed-values.js';

const percentProblems = patternCheck({
  source: '[0-9]+%',
  meaning: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});

const percentOf = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' && percentProblems(value).length === 0 ? Number.parseInt(value, 10) : undefined;

/** Errors of an amount that is neither a number from zero on nor a percentage; none for an absent one. */
export function validateIntOrPercent(value: number | string | undefined, path: string): readonly FieldError[] {
  if (typeof value === 'number') return notNegative(value, path);
  if (value === undefined) return [];
  return percentProblems(value).map((problem) => invalidValue(path, printedIntOrString(value), problem));
}

/** The error of a percentage above 100. */
export function validateAtMostAll(value: number | string | undefined, path: string): readonly FieldError[] {
  if ((percentOf(value) ?? 0) <= 100) return [];
  return [invalidValue(path, printedIntOrString(value), 'must not be greater than 100%')];
}

/** Whether an amount, of pods or percent, is zero; an absent one and a text that is no number count as zero. */
export function isZeroAmount(value: number | string | undefined): boolean {
  return (percentOf(value) ?? numberOf(value)) === 0;
}

/** The number that an amount is, or that its text has: a text is wrong, but counts as what it says. */
function numberOf(value: number | string = 0): number {
  if (typeof value === 'number') return value;
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
