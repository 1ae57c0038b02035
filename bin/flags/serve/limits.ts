/** Flags of `kindforge serve`: how much clients may ask for. */
import type { LimitsOption } from '../../../server/parts/check-limits.js';
import { readTime } from '../../../server/text/limits.js';
import { FlagError, type FlagGroup, type ReadValues } from '../flag.js';
import { count, size } from './values.js';

export const limits = {
  heading: 'Limits',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'enable-priority-and-fairness',
      value: '<boolean>',
      values: ['true', 'false'],
      about: 'whether priority levels share the requests in progress; if false, only the two limits below apply',
      byDefault: 'true',
    },
    {
      name: 'max-requests-inflight',
      value: '<count>',
      about: 'reading requests in progress; priority levels share the sum of this and the next',
      byDefault: '400',
      read: count(0),
      sets: ['limits'],
    },
    {
      name: 'max-mutating-requests-inflight',
      value: '<count>',
      about: 'writing requests in progress; without priority levels, 0 means no limit for either',
      byDefault: '200',
      read: count(0),
    },
    {
      name: 'request-timeout',
      value: '<time>',
      about:
        'longest time that clients can ask for with timeout=; a request waits for its turn for at most a quarter of it',
      byDefault: '1m',
      read: readTime,
    },
    {
      name: 'max-request-body-bytes',
      value: '<size>',
      about: 'largest size of a request body',
      byDefault: '3Mi',
      read: size('64Ki', '1Gi'),
    },
    {
      name: 'max-header-bytes',
      value: '<size>',
      about: 'largest size of all headers of a request together; at most 16Ki over HTTP/2',
      byDefault: '1Mi',
      read: size('1Ki', '16Mi'),
    },
    {
      name: 'max-headers',
      value: '<count>',
      about: 'largest number of headers of a request',
      byDefault: '25000',
      read: count(10),
    },
    {
      name: 'max-url-bytes',
      value: '<size>',
      about: 'largest length of a URL',
      byDefault: '64Ki',
      read: size('256', '16Mi'),
    },
    {
      name: 'header-timeout',
      value: '<time>',
      about: 'time for all headers of a request to arrive',
      byDefault: '32s',
      read: readTime,
    },
    {
      name: 'idle-timeout',
      value: '<time>',
      about: 'time that a connection stays open without a request',
      byDefault: '90s',
      read: readTime,
    },
    {
      name: 'max-connections',
      value: '<count>',
      about: 'open connections in all',
      byDefault: '10000',
      read: count(),
    },
    {
      name: 'max-connections-per-user',
      value: '<count>',
      about: 'open connections of one user',
      byDefault: '5000',
      read: count(),
    },
    {
      name: 'http2-max-streams-per-connection',
      value: '<count>',
      about: 'requests at a time on one HTTP/2 connection, watches among them',
      byDefault: '250',
      read: count(),
    },
    {
      name: 'max-watch-buffer-bytes',
      value: '<size>',
      about: 'most bytes of changes that wait for a slow watcher; beyond that, its watch ends',
      byDefault: '16Mi',
      read: size('1Ki', '16Gi'),
    },
  ],
} as const satisfies FlagGroup;

/** Makes the options. Throws a `FlagError` if priority levels would have nothing to share. */
export function limitsOf(flags: ReadValues<typeof limits.flags>): LimitsOption {
  const option = {
    fairness: flags.enablePriorityAndFairness,
    requests: flags.maxRequestsInflight,
    mutatingRequests: flags.maxMutatingRequestsInflight,
    requestTimeoutMs: flags.requestTimeout,
    bodyBytes: flags.maxRequestBodyBytes,
    headerBytes: flags.maxHeaderBytes,
    headers: flags.maxHeaders,
    urlBytes: flags.maxUrlBytes,
    headerTimeoutMs: flags.headerTimeout,
    idleTimeoutMs: flags.idleTimeout,
    connections: flags.maxConnections,
    connectionsPerUser: flags.maxConnectionsPerUser,
    http2Streams: flags.http2MaxStreamsPerConnection,
    watchBufferBytes: flags.maxWatchBufferBytes,
  };
  if (option.fairness && option.requests + option.mutatingRequests === 0) {
    throw new FlagError(
      '--max-requests-inflight and --max-mutating-requests-inflight are both 0, and priority levels share their sum; give one, or add --enable-priority-and-fairness false',
    );
  }
  return option;
}
