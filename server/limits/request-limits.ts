/** Turns the options of limits into what the runtime takes. */
import type { RequestLimits } from '../../runtime/server/index.js';
import type { LimitsOption } from './limits-option.js';

/** The limits on requests in progress, and on how long they wait. */
export function requestLimitsOf({
  fairness = true,
  requests = 400,
  mutatingRequests = 200,
  requestTimeoutMs = 60_000,
}: LimitsOption = {}): RequestLimits {
  return { isFair: fairness, reading: requests, mutating: mutatingRequests, timeoutMs: requestTimeoutMs };
}
