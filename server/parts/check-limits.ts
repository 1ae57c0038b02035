/** Refuses limits that are not numbers, or that are too small for any request. */
import type { ServerOptions, TimeLimits } from '../../runtime/server/index.js';
import { OptionError } from '../option-error.js';

/** The smallest valid values other than 1. */
const least: Readonly<Partial<Record<keyof LimitsOption, number>>> = {
  requests: 0,
  mutatingRequests: 0,
  // Room for the server's own objects.
  bodyBytes: 64 * 1024,
};

/** Throws an `OptionError` that names the limit and its valid values. */
export function checkLimits({ fairness = true, ...limits }: LimitsOption = {}): void {
  for (const [name, value] of Object.entries(limits)) {
    const minimum = Object.entries(least).find(([key]) => key === name)?.[1] ?? 1;
    if (value === undefined || (Number.isSafeInteger(value) && value >= minimum)) continue;
    throw new OptionError((nameOf) => `${nameOf('limits')}: ${name} ${value}: must be a whole number from ${minimum}`);
  }
  const { requests = 400, mutatingRequests = 200 } = limits;
  if (!fairness || requests + mutatingRequests > 0) return;
  throw new OptionError(
    (nameOf) => `${nameOf('limits')}: requests and mutatingRequests are both 0, and priority levels share their sum`,
  );
}

export interface LimitsOption {
  /**
   * Whether flow schemas and priority levels share the sum of `requests` and `mutatingRequests`. If false, each is a
   * limit by itself, and 0 means no limit. Default: true.
   */
  readonly fairness?: boolean;
  /** The most reading requests in flight. Default: 400. */
  readonly requests?: number;
  /** The most writing requests in flight. Default: 200. */
  readonly mutatingRequests?: number;
  /**
   * The longest time limit that a request can ask for, in milliseconds. The request waits for its turn for at most a
   * quarter of its time limit. Default: 60000.
   */
  readonly requestTimeoutMs?: number;
  /** The size limit of a request body, in bytes; a larger one gets a 413. Default: 3 MiB. */
  readonly bodyBytes?: number;
  /**
   * The size limit of all headers together, in bytes; larger ones get a 431. At most 16 KiB over HTTP/2. Default: 1
   * MiB.
   */
  readonly headerBytes?: number;
  /** The most headers in a request; more get a 431. Default: 25000. */
  readonly headers?: number;
  /** The size limit of a URL, in bytes; a longer one gets a 414. Default: 64 KiB. */
  readonly urlBytes?: number;
  /** The time limit for all headers, in milliseconds; later ones get a 408. Default: 32000. */
  readonly headerTimeoutMs?: number;
  /** How long a connection stays open without a request, in milliseconds. Default: 90000. */
  readonly idleTimeoutMs?: number;
  /** The most open connections in total; requests on further ones get a 503. Default: 10000. */
  readonly connections?: number;
  /** The most open connections of a user; requests on further ones get a 429. Default: 5000. */
  readonly connectionsPerUser?: number;
  /** The most concurrent requests on one HTTP/2 connection. Default: 250. */
  readonly http2Streams?: number;
  /** The most bytes of changes that may wait for one watcher. With more, its watch ends. Default: 16 MiB. */
  readonly watchBufferBytes?: number;
}

/** Returns the limits of a server. The runtime has the defaults, except for the connections of a user. */
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

/** Returns the time limits for the parts of a request. */
export const timeLimitsOf = ({ headerTimeoutMs, idleTimeoutMs }: LimitsOption = {}): Partial<TimeLimits> =>
  given({ headersMs: headerTimeoutMs, idleMs: idleTimeoutMs });

/** Returns the options that are set. */
function given<Key extends string>(options: Readonly<Record<Key, number | undefined>>): Partial<Record<Key, number>> {
  const present: Partial<Record<Key, number>> = {};
  for (const key in options) {
    const value = options[key];
    if (value !== undefined) present[key] = value;
  }
  return present;
}
