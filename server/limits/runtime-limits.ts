/** Turns the options of limits into what the runtime takes. */
import type { ServerOptions, TimeLimits } from '../../runtime/server/index.js';
import type { LimitsOption } from './limits-option.js';

/** The limits of a server; the runtime knows what is usual, but for the connections of a user. */
export function runtimeLimitsOf(
  limits: LimitsOption = {},
): Pick<ServerOptions, 'requestLimits' | 'requestSizes' | 'sizeLimits' | 'connectionsPerUser'> {
  const { fairness = true, requests = 400, mutatingRequests = 200, requestTimeoutMs = 60_000 } = limits;
  const { bodyBytes, watchBufferBytes, headerBytes, headers, urlBytes, connections, http2Streams } = limits;
  return {
    requestLimits: { isFair: fairness, reading: requests, mutating: mutatingRequests, timeoutMs: requestTimeoutMs },
    requestSizes: given({ bodyBytes, watchBufferBytes }),
    sizeLimits: given({ headerBytes, headers, urlBytes, connections, http2Streams }),
    connectionsPerUser: limits.connectionsPerUser ?? 5000,
  };
}

/** How long the parts of a request may take. */
export const timeLimitsOf = ({ headerTimeoutMs, idleTimeoutMs }: LimitsOption = {}): Partial<TimeLimits> =>
  given({ headersMs: headerTimeoutMs, idleMs: idleTimeoutMs });

/** The options that are given. */
function given<Key extends string>(options: Readonly<Record<Key, number | undefined>>): Partial<Record<Key, number>> {
  const present: Partial<Record<Key, number>> = {};
  for (const key in options) {
    const value = options[key];
    if (value !== undefined) present[key] = value;
  }
  return present;
}
