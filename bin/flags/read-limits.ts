/** Reads the flags of `kindforge serve` about how much clients may ask for. */
import type { LimitsOption } from '../../server/parts/check-limits.js';
import { readCount, readSize, readTime } from '../../server/text/limits.js';
import type { FlagValues } from './flag.js';
import { FlagError } from './flag-error.js';
import type { limits } from './serve/limits.js';
import { takeValue } from './take-value.js';

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readLimits(flags: FlagValues<typeof limits.flags>): LimitsOption {
  const count = (flag: string, text: string, least = 1): number => takeValue(flag, readCount(text, least));
  const size = (flag: string, text: string, least: string, most: string): number =>
    takeValue(flag, readSize(text, least, most));
  const time = (flag: string, text: string): number => takeValue(flag, readTime(text));
  const option = {
    fairness: readFairness(flags.enablePriorityAndFairness),
    requests: count('--max-requests-inflight', flags.maxRequestsInflight, 0),
    mutatingRequests: count('--max-mutating-requests-inflight', flags.maxMutatingRequestsInflight, 0),
    requestTimeoutMs: time('--request-timeout', flags.requestTimeout),
    bodyBytes: size('--max-request-body-bytes', flags.maxRequestBodyBytes, '64Ki', '1Gi'),
    headerBytes: size('--max-header-bytes', flags.maxHeaderBytes, '1Ki', '16Mi'),
    headers: count('--max-headers', flags.maxHeaders, 10),
    urlBytes: size('--max-url-bytes', flags.maxUrlBytes, '256', '16Mi'),
    headerTimeoutMs: time('--header-timeout', flags.headerTimeout),
    idleTimeoutMs: time('--idle-timeout', flags.idleTimeout),
    connections: count('--max-connections', flags.maxConnections),
    connectionsPerUser: count('--max-connections-per-user', flags.maxConnectionsPerUser),
    http2Streams: count('--http2-max-streams-per-connection', flags.http2MaxStreamsPerConnection),
    watchBufferBytes: size('--max-watch-buffer-bytes', flags.maxWatchBufferBytes, '1Ki', '16Gi'),
  };
  if (option.fairness && option.requests + option.mutatingRequests === 0) {
    throw new FlagError(
      '--max-requests-inflight and --max-mutating-requests-inflight are both 0, and priority levels share their sum; give one, or add --enable-priority-and-fairness false',
    );
  }
  return option;
}

function readFairness(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new FlagError(`--enable-priority-and-fairness ${text || '(nothing)'} is unknown; use true or false`);
}
