/** Counts what an evaluation costs and stops it where the budget is spent. */
import { CostExceeded } from '../values/error.js';

/** The budget of one evaluation. Costs have no unit; reading a field is 1. */
export class Meter {
  spent = 0;

  constructor(readonly limit = Number.POSITIVE_INFINITY) {}

  charge(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CostExceeded();
  }
}
