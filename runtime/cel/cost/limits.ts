/** Limits of what expressions may cost and take up. */

/** The most that one rule may be estimated to cost, over all places it applies to. */
export const ruleCostLimit = 10_000_000;

/** The most that all rules of a schema may be estimated to cost together. */
export const schemaCostLimit = 100_000_000;

/** The most that evaluating one expression may cost. */
export const callCostLimit = 1_000_000;

/** The most that evaluating all rules for one object may cost. */
export const objectCostLimit = 10_000_000;

/** The most that the demands of a policy may cost for one request, and the same again what it notes for audit. */
export const policyCostLimit = 10_000_000;

/** The most that evaluating the conditions of a webhook or policy may cost for one request. */
export const conditionsCostLimit = 2_500_000;

/** The cost of asking the authorizer: no expression can afford to ask more than twice. */
export const authorizationCost = 350_000;

/**
 * Items of data, and characters of texts that are read as numbers and times, that one evaluation may read, counted each time.
 * Reading costs nothing by the reference's rules.
 */
export const maxReads = 20_000_000;

/** The longest text an expression may make, in UTF-16 units. */
export const maxTextLength = 16 * 1024 * 1024;

/** The longest list an expression may make. */
export const maxListLength = 1_000_000;
