/** Refuses limits that are no numbers, or too small to serve anybody. */
import type { ServerOptions, TimeLimits } from '../../runtime/server/index.js';
import { OptionError } from '../option-error.js';

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

export interface LimitsOption {
  /**
   * Whether flow schemas and priority levels share `requests` and `mutatingRequests` together. Without, each of both is a
   * limit by itself, and 0 is none. Default: true.
   */
  readonly fairness?: boolean;
  /** Reading requests in progress. Default: 400. */
  readonly requests?: number;
  /** Writing requests in progress. Default: 200. */
  readonly mutatingRequests?: number;
  /** The longest time that a request can ask for, milliseconds; it waits for its turn a quarter of it. Default: 60000. */
  readonly requestTimeoutMs?: number;
  /** Bytes of the body of a request; a longer one is a 413. Default: 3 MiB. */
  readonly bodyBytes?: number;
  /** Bytes of all headers together; more are a 431. Over HTTP/2 it is 16 KiB at most. Default: 1 MiB. */
  readonly headerBytes?: number;
  /** Headers of a request; more are a 431. Default: 25000. */
  readonly headers?: number;
  /** Bytes of a URL; a longer one is a 414. Default: 64 KiB. */
  readonly urlBytes?: number;
  /** Time until all headers are there, milliseconds; past it there is a 408. Default: 32000. */
  readonly headerTimeoutMs?: number;
  /** Time that a connection stays open without a request, milliseconds. Default: 90000. */
  readonly idleTimeoutMs?: number;
  /** Open connections in all; requests on further ones get a 503. Default: 10000. */
  readonly connections?: number;
  /** Open connections of one user; requests on further ones get a 429. Default: 5000. */
  readonly connectionsPerUser?: number;
  /** Requests at a time on one HTTP/2 connection. Default: 250. */
  readonly http2Streams?: number;
  /** Bytes of changes that wait for one watcher, whose watch then ends. Default: 16 MiB. */
  readonly watchBufferBytes?: number;
}

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
