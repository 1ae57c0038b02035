/** Ranges of costs and sizes. */
import { CostExceeded } from '../values/error.js';

/** A minimum and a maximum, which may be infinite. */
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

/** Multiplies. Zero times infinity is zero. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns a fraction of the range, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) };
}

/** The budget of one evaluation. Costs have no unit; reading a field is 1. */
export class Meter {
  spent = 0;
  private reads = 0;

  constructor(readonly limit = callCostLimit) {}

  charge(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CostExceeded();
  }

  /** Counts items of data, or characters, that become values. Reads cost nothing, but their number has a limit. */
  read(items: number): void {
    this.reads += items;
    if (this.reads > maxReads) throw new CostExceeded();
  }
}

/** The highest estimated cost of one rule, over all places it applies to. */
export const ruleCostLimit = 10_000_000;

/** The highest estimated cost of all rules of a schema together. */
export const schemaCostLimit = 100_000_000;

/** The highest cost of evaluating one expression. */
export const callCostLimit = 1_000_000;

/** The highest cost of evaluating all rules for one object. */
export const objectCostLimit = 10_000_000;

/**
 * The highest cost of a policy's validations for one request. Its audit annotations have a separate limit of the same
 * size.
 */
export const policyCostLimit = 10_000_000;

/** The highest cost of evaluating the conditions of a webhook or policy for one request. */
export const conditionsCostLimit = 2_500_000;

/** The cost of asking the authorizer. It limits an expression to two questions. */
export const authorizationCost = 350_000;

/**
 * The most items and characters that one evaluation may read. Characters count if a text is read as a number or a time,
 * and repeated reads count again. In the reference reading costs nothing.
 */
const maxReads = 20_000_000;

/** The longest text an expression may make, in UTF-16 units. */
export const maxTextLength = 16 * 1024 * 1024;

/** The longest list an expression may make. */
export const maxListLength = 1_000_000;
