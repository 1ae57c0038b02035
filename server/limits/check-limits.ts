/** Refuses limits that are no numbers, or too small to serve anybody. */
import { OptionError } from '../option-error.js';
import type { LimitsOption } from './limits-option.js';

/** The least that a limit may be, where that is not 1. */
const least: Readonly<Partial<Record<keyof LimitsOption, number>>> = {
  requests: 0,
  mutatingRequests: 0,
  // The server's own objects have to fit.
  bodyBytes: 64 * 1024,
};

/** Throws an `OptionError` that says which limit is wrong and what it takes. */
export function checkLimits({ fairness = true, ...limits }: LimitsOption = {}): void {
  for (const [name, value] of Object.entries(limits)) {
    const minimum = Object.entries(least).find(([key]) => key === name)?.[1] ?? 1;
    if (value === undefined || (Number.isSafeInteger(value) && value >= minimum)) continue;
    throw new OptionError(
      (nameOf) => `${nameOf('limits')}: ${name} ${value} is no limit; use a whole number from ${minimum}`,
    );
  }
  const { requests = 400, mutatingRequests = 200 } = limits;
  if (!fairness || requests + mutatingRequests > 0) return;
  throw new OptionError(
    (nameOf) => `${nameOf('limits')}: requests and mutatingRequests are both 0, and priority levels share their sum`,
  );
}
