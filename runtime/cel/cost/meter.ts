/** Counts what an evaluation costs and stops it where the budget is spent. */
import { CostExceeded } from '../values/error.js';
import { callCostLimit, maxReads } from './limits.js';

/** The budget of one evaluation. Costs have no unit; reading a field is 1. */
export class Meter {
  spent = 0;
  private reads = 0;

  constructor(readonly limit = callCostLimit) {}

  charge(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CostExceeded();
  }

  /** Counts items of data, or characters, that become values. That is no cost, but what is read again and again has an end. */
  read(items: number): void {
    this.reads += items;
    if (this.reads > maxReads) throw new CostExceeded();
  }
}
