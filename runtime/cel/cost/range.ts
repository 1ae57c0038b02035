/** Ranges of costs and sizes. */

/** At least and at most. What is past every bound is infinite. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const zero: Range = { min: 0, max: 0 };
export const one: Range = { min: 1, max: 1 };
export const anySize: Range = { min: 0, max: Number.POSITIVE_INFINITY };

export function exactly(value: number): Range {
  return { min: value, max: value };
}

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), zero);
}

export function multiply(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

/** Nothing times however much is nothing. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** A fraction of the range, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) };
}
