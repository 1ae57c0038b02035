/** A metric: the one record from which its registration, its help, its page and the rules of its life follow. */

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A promise of how long a metric stays. */
export type MetricStability = 'ALPHA' | 'BETA' | 'STABLE';

export interface Metric {
  /** `platform_` at its front stands for the naming that is served. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** In the order of the alphabet. */
  readonly labels: readonly string[];
  /** The upper bounds of a histogram, without the last one, which is infinite. */
  readonly buckets?: readonly number[];
  readonly stability: MetricStability;
  /** The release that it came with, as in `0.1`. */
  readonly since: string;
  /** The release since which it is deprecated. */
  readonly deprecated?: string;
}

/** Metrics that belong together, under one heading of their page. */
export interface MetricGroup<Metrics = Readonly<Record<string, Metric>>> {
  readonly heading: string;
  readonly metrics: Metrics;
}

/** The help as it is shown: how stable the metric is, and that it is deprecated where it is. */
export const helpOf = ({ stability, deprecated, help }: Metric): string =>
  `[${stability}] ${deprecated === undefined ? '' : `(Deprecated since ${deprecated}) `}${help}`;

type Rest = Partial<Pick<Metric, 'stability' | 'labels' | 'deprecated'>>;

const of = <T extends MetricType>(type: T, name: string, help: string, rest: Rest) => ({
  name,
  type,
  help,
  labels: [],
  stability: 'ALPHA' as const,
  since: '0.1',
  ...rest,
});

/** A metric of this release; unless it says otherwise it is ALPHA and has no labels. */
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
