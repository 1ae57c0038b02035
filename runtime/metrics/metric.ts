/** A metric: one record for its registration, its help, its documentation and its lifetime. */
import type { Lifetime, Release } from '../objects/release.js';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A promise about how long a metric stays. */
export type MetricStability = 'ALPHA' | 'BETA' | 'STABLE';

/** A metric; its lifetime is in releases of the API, as in `1.28`. */
export interface Metric extends Lifetime {
  /** A leading `platform_` is replaced by the served prefix. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** In alphabetical order. */
  readonly labels: readonly string[];
  /** The upper bounds of a histogram, without the last, infinite one. */
  readonly buckets?: readonly number[];
  readonly stability: MetricStability;
  /** The release that added it, as in `0.1`. */
  readonly since: string;
  /** The release that deprecated it. */
  readonly deprecated?: string;
  /** How the values of several processes are combined. Default: they are added up. */
  readonly together?: Together;
  /**
   * The release of the API from which on the labels `group` and `resource` replace `resource`, the only label before.
   */
  readonly groupsFrom?: string;
  /** Changes of the metric, by the release of the API, the earliest first. */
  readonly later?: Readonly<Record<string, Partial<Pick<Metric, 'stability' | 'labels' | 'buckets'>>>>;
}

/** Returns a metric as it is in a release of the API. */
export function metricIn(metric: Metric, api: Release): Metric {
  const changes = Object.entries(metric.later ?? {}).filter(([introduced]) => api.has({ introduced }));
  return Object.assign({}, metric, ...changes.map(([, change]) => change));
}

/** The greatest or the least value of all processes, or the sum over the processes that answer requests. */
export type Together = 'greatest' | 'least' | 'answering';

/** Metrics under one heading of the reference page. */
export interface MetricGroup<Metrics = Readonly<Record<string, Metric>>> {
  readonly heading: string;
  readonly metrics: Metrics;
}

/** Returns the displayed help, with the stability and any deprecation. */
export const helpOf = ({ stability, deprecated, help }: Metric): string =>
  `[${stability}] ${deprecated === undefined ? '' : `(Deprecated since ${deprecated}) `}${help}`;

type Rest = Partial<
  Pick<Metric, 'stability' | 'labels' | 'deprecated' | 'groupsFrom' | 'later' | 'together' | keyof Lifetime>
>;

const of = <T extends MetricType>(type: T, name: string, help: string, rest: Rest) => ({
  name,
  type,
  help,
  labels: [],
  stability: 'ALPHA' as const,
  since: '0.1',
  ...rest,
});

/** Returns a metric of this release. Default: ALPHA, without labels. */
export const counter = (name: string, help: string, rest: Rest = {}): Metric & { type: 'counter' } =>
  of('counter', name, help, rest);

export const gauge = (name: string, help: string, rest: Rest = {}): Metric & { type: 'gauge' } =>
  of('gauge', name, help, rest);

export const histogram = (
  name: string,
  help: string,
  buckets: readonly number[],
  rest: Rest = {},
): Metric & { type: 'histogram'; buckets: readonly number[] } => ({ ...of('histogram', name, help, rest), buckets });

// Bucket bounds as the reference prints them: the shortest digits, with an exponent from 1e+06 on and below 1e-4.

/** Prints a bound. `asFloat`: whether whole numbers get a fraction. */
export function printNumber(value: number, asFloat = false): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 6)) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const text = String(value);
  return asFloat && !text.includes('.') ? `${text}.0` : text;
}

/** Returns the change of a metric that became BETA in a release of the API. */
export const betaFrom = (release: string): Pick<Metric, 'later'> => ({ later: { [release]: { stability: 'BETA' } } });

/** Bounds for requests. Service level objectives are in seconds. */
export const requestSeconds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** The same bounds without the first two, which no objective uses. */
export const objectiveSeconds: readonly number[] = requestSeconds.slice(2);

export const admissionSeconds: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The same bounds with more for slow webhooks. */
export const webhookSeconds: readonly number[] = [...admissionSeconds, 10, 25];

/** Bounds for work that usually takes milliseconds. */
export const usualSeconds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const filterSeconds: readonly number[] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];

/** Returns bounds that double each time. */
export const doubling = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Number((first * 2 ** i).toPrecision(12)));

// Visibility of metrics: a deprecated metric is hidden after three releases, unless a user asks for it.

/** The number of releases for which a deprecated metric is shown. */
const shownFor = 3;

/**
 * Reports whether a metric is hidden in a release. `showHiddenFor` is the previous release if its metrics are shown
 * anyway. Only the first two numbers of a release such as `0.1` count.
 */
export function isHidden({ deprecated }: Metric, release: string, showHiddenFor?: string): boolean {
  if (deprecated === undefined) return false;
  const { major, minor } = partsOf(showHiddenFor ?? release);
  const since = partsOf(deprecated);
  return since.major < major || (since.major === major && since.minor + shownFor <= minor);
}

/** Returns the only release that `showHiddenFor` may name, the previous one; `undefined` if there is none. */
export function releaseBefore(release: string): string | undefined {
  const { major, minor } = partsOf(release);
  return minor === 0 ? undefined : `${major}.${minor - 1}`;
}

export const minorOf = (release: string): string => {
  const { major, minor } = partsOf(release);
  return `${major}.${minor}`;
};

function partsOf(release: string): { readonly major: number; readonly minor: number } {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return { major, minor };
}

/** One value of a series as it is printed. */
export interface Sample {
  /** Default: the metric's own name. */
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A number that grows or is set. */
export class NumberSeries {
  value = 0;
  constructor(readonly labels: readonly string[]) {}
}

/** Observed values by bucket. An observation costs one search for its bucket. */
export class HistogramSeries {
  sum = 0;
  /** The count of values per bucket, not cumulative; the last is for values above all bounds. */
  readonly counts: number[];

  constructor(
    readonly labels: readonly string[],
    private readonly bounds: readonly number[],
  ) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

/** All series of one metric. */
export interface SeriesSet<S> {
  readonly metric: Metric;
  /** Returns the series of these label values, in the order of the metric's labels. */
  with(...labels: readonly string[]): S;
  /** Returns the series of these values by label. Ignores labels that the release does not have. */
  at(values: Readonly<Record<string, string>>): S;
  readonly all: Iterable<S>;
  clear(): void;
}

function seriesSet<S>(metric: Metric, create: (labels: readonly string[]) => S): SeriesSet<S> {
  const known = new Map<string, S>();
  const set: SeriesSet<S> = {
    metric,
    at: (values) => set.with(...metric.labels.map((label) => values[label] ?? '')),
    with(...labels) {
      const key = labels.join('\0');
      const found = known.get(key);
      if (found !== undefined) return found;
      if (labels.length !== metric.labels.length) throw new TypeError(`${metric.name} has other labels`);
      const created = create(labels);
      known.set(key, created);
      return created;
    },
    get all() {
      return known.values();
    },
    clear: () => known.clear(),
  };
  return set;
}

export const numbers = (metric: Metric): SeriesSet<NumberSeries> =>
  seriesSet(metric, (labels) => new NumberSeries(labels));

export const histograms = (metric: Metric): SeriesSet<HistogramSeries> =>
  seriesSet(metric, (labels) => new HistogramSeries(labels, metric.buckets ?? []));
