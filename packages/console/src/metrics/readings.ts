/**
 * Makes the values of the home page from the metrics of a server, and from their changes between two readings. Most
 * names are kube-apiserver's, and a few are our own. Leaves out metrics that the server does not have.
 */
import {
  between,
  casesOf,
  type Histogram,
  histogramsOf,
  type Quantiles,
  quantilesOf,
  sumOfHistograms,
} from './histogram.js';
import type { Sample, Samples } from './parse.js';

const duration = 'apiserver_request_duration_seconds';

/** The metrics to read. Reading all metrics of a server takes too long. */
export const wantedMetrics: ReadonlySet<string> = new Set([
  'apiserver_request_total',
  `${duration}_bucket`,
  'apiserver_longrunning_requests',
  'apiserver_watch_events_total',
  'apiserver_storage_objects',
  'apiserver_storage_db_total_size_in_bytes',
  'apiserver_storage_size_bytes',
  'apiserver_audit_event_total',
  'apiserver_admission_step_admission_duration_seconds_bucket',
  'apiserver_admission_webhook_admission_duration_seconds_bucket',
  'apiserver_flowcontrol_current_executing_requests',
  'apiserver_flowcontrol_current_inqueue_requests',
  'apiserver_flowcontrol_rejected_requests_total',
  'apiserver_flowcontrol_nominal_limit_seats',
  'etcd_request_duration_seconds_bucket',
  'kindforge_storage_commit_duration_seconds_bucket',
  'kindforge_storage_committed_changes_total',
  'kindforge_storage_revision',
  'kindforge_storage_history_oldest_revision',
  'kindforge_storage_history_bytes',
  'kindforge_storage_object_bytes',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
]);

/** Sums of one reading of the metrics. A sum is `undefined` if the server has no such metric. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The start of the server, seconds since 1970. */
  readonly startedAt: number | undefined;
  /** Requests, except watches and other long ones, by the first digit of their code. */
  readonly requests: ReadonlyMap<string, number> | undefined;
  /** Their durations, by verb. */
  readonly latency: ReadonlyMap<string, Histogram>;
  readonly events: number | undefined;
  readonly changes: number | undefined;
  readonly watches: number | undefined;
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  readonly lagP50: number | undefined;
  readonly lagP99: number | undefined;
}

/** Returns whether the client decides how long a request takes, as with watches. */
const isLong = ({ labels }: Sample): boolean => /^(WATCH|CONNECT|WATCHLIST)$/.test(labels.verb ?? '');

export function lookOf(at: number, samples: Samples): Look {
  const sum = (name: string): number | undefined => sumOf(samples, name);
  return {
    at,
    startedAt: sum('process_start_time_seconds'),
    requests: sumsOf(samples, 'apiserver_request_total', (sample) =>
      isLong(sample) ? undefined : sample.labels.code?.[0],
    ),
    latency: histogramsOf(samples, duration, (sample) => (isLong(sample) ? undefined : sample.labels.verb)),
    events: sum('apiserver_watch_events_total'),
    changes: sum('kindforge_storage_committed_changes_total') ?? etcdChanges(samples),
    watches: sumOf(samples, 'apiserver_longrunning_requests', ({ labels }) => labels.verb === 'WATCH'),
    cpu: sum('process_cpu_seconds_total'),
    memory: sum('process_resident_memory_bytes'),
    lagP50: sum('nodejs_eventloop_lag_p50_seconds'),
    lagP99: sum('nodejs_eventloop_lag_p99_seconds'),
  };
}

const etcdChanges = (samples: Samples): number | undefined =>
  sumOf(
    samples,
    'etcd_request_duration_seconds_bucket',
    ({ labels }) => labels.le === '+Inf' && /^(create|update|delete)$/.test(labels.operation ?? ''),
  );

/** A point of all charts. A value is `undefined` if the server has no such metric, or nothing happened. */
export interface Point {
  /** Seconds since 1970. */
  readonly at: number;
  /** Requests a second by the first digit of their code. */
  readonly requests: ReadonlyMap<string, number>;
  /** By verb, and of all verbs under the empty name. */
  readonly latency: ReadonlyMap<string, Quantiles>;
  readonly events: number | undefined;
  readonly changes: number | undefined;
  readonly watches: number | undefined;
  /** Processors that were busy. */
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  readonly lagP50: number | undefined;
  readonly lagP99: number | undefined;
}

/** Returns the point between two readings. It has no rates if the server has restarted between them. */
export function pointOf(before: Look, now: Look): Point {
  const isSame = !isRestart(before, now);
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  const rate = (first: number | undefined, last: number | undefined): number | undefined =>
    isSame && first !== undefined && last !== undefined && last >= first ? (last - first) / seconds : undefined;
  const { at, watches, memory, lagP50, lagP99 } = now;
  const classes = isSame ? [...(now.requests ?? [])] : [];
  return {
    at: at / 1000,
    requests: new Map(classes.map(([code, count]) => [code, rate(before.requests?.get(code) ?? 0, count) ?? 0])),
    latency: new Map(isSame ? [...latencyBetween(before, now)].map(([verb, of]) => [verb, quantilesOf(of)]) : []),
    events: rate(before.events, now.events),
    changes: rate(before.changes, now.changes),
    cpu: rate(before.cpu, now.cpu),
    watches,
    memory,
    lagP50,
    lagP99,
  };
}

/** Returns whether counters began again, or come from another server behind the same address. */
export const isRestart = (before: Look, now: Look): boolean =>
  (before.startedAt !== undefined && now.startedAt !== undefined && before.startedAt !== now.startedAt) ||
  [...(before.requests ?? [])].some(([code, count]) => (now.requests?.get(code) ?? 0) < count) ||
  (now.cpu ?? 0) < (before.cpu ?? 0);

function latencyBetween(before: Look, now: Look): ReadonlyMap<string, Histogram> {
  const byVerb = new Map([...now.latency].map(([verb, of]) => [verb, between(before.latency.get(verb), of)]));
  return byVerb.set('', sumOfHistograms(byVerb.values()));
}

/** The requests with one verb. */
export interface VerbRow extends Quantiles {
  readonly verb: string;
  readonly perSecond: number;
}

/** Returns the verbs that were used between two readings, the most used one first. */
export function verbRows(before: Look, now: Look): readonly VerbRow[] {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  return [...latencyBetween(before, now)]
    .filter(([verb, histogram]) => verb !== '' && casesOf(histogram) > 0)
    .map(([verb, histogram]) => ({ verb, perSecond: casesOf(histogram) / seconds, ...quantilesOf(histogram) }))
    .toSorted((a, b) => b.perSecond - a.perSecond);
}

/** Returns the sum of the samples of a metric; `undefined` if there is none. */
export function sumOf(
  samples: Samples,
  name: string,
  keep: (sample: Sample) => boolean = () => true,
): number | undefined {
  const found = samples.get(name);
  return found?.reduce((sum, sample) => (keep(sample) ? sum + sample.value : sum), 0);
}

/** Returns the sums of the samples of a metric by a key; samples without a key are left out. */
export function sumsOf(
  samples: Samples,
  name: string,
  keyOf: (sample: Sample) => string | undefined,
): ReadonlyMap<string, number> | undefined {
  const found = samples.get(name);
  if (!found) return undefined;
  const sums = new Map<string, number>();
  for (const sample of found) {
    const key = keyOf(sample);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + sample.value);
  }
  return sums;
}
