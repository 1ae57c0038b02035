/** The metrics of one server: their series, the values read on demand, and their output. */

import { emulate, type Release } from '../objects/release.js';
import { listMembers } from '../objects/scan/media-types.js';
import { type Exposition, expose, type Family } from './exposition.js';
import {
  type HistogramSeries,
  helpOf,
  histograms,
  isHidden,
  type Metric,
  metricIn,
  NumberSeries,
  numbers,
  type Sample,
  type SeriesSet,
} from './metric.js';
import { type MetricValues, toSeries, valuesOf } from './several-processes.js';
import { allMetrics, metricTable } from './table.js';

export interface MetricsOptions {
  /** The release of the server, as in `0.1`. */
  readonly release: string;
  /** The release of the API, which decides which metrics exist. Default: the release of a server without a flag. */
  readonly api?: Release | undefined;
  /** The previous release, to show the metrics that only it had. */
  readonly showHiddenFor?: string;
  /** The prefix of names that follow the served naming. */
  readonly prefix: 'platform' | 'kubernetes';
  /** Called once for each deprecated metric that is read. */
  readonly onDeprecated?: (problem: string) => void;
}

export class Metrics {
  readonly #options: MetricsOptions;
  readonly #api: Release;
  readonly #numbers = new Map<Metric, SeriesSet<NumberSeries>>();
  readonly #histograms = new Map<Metric, SeriesSet<HistogramSeries>>();
  readonly #samplers = new Map<Metric, (asFloat: boolean) => ReturnType<Family['series']>>();
  readonly #collectors: (() => void | Promise<void>)[] = [];
  #together: ((asFloat: boolean) => Promise<readonly MetricValues[]>) | undefined;
  /** Deprecated metrics that were read. */
  readonly #read = new Set<Metric>();

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#api = options.api ?? emulate();
    for (const metric of allMetrics) {
      const inRelease = metricIn(metric, this.#api);
      if (metric.type === 'histogram') this.#histograms.set(metric, histograms(inRelease));
      else this.#numbers.set(metric, numbers(inRelease));
    }
    this.#describeItself();
  }

  /** Returns the series of a counter or gauge. */
  number(metric: Metric & { readonly type: 'counter' | 'gauge' }): SeriesSet<NumberSeries> {
    return found(this.#numbers, metric);
  }

  histogram(metric: Metric & { readonly type: 'histogram' }): SeriesSet<HistogramSeries> {
    return found(this.#histograms, metric);
  }

  /** Returns whether the release of the API has a metric. If not, the metric need not be measured. */
  has(metric: Metric): boolean {
    return this.#api.has(metric);
  }

  /**
   * Computes samples each time metrics are shown. `asFloat`: whether whole bounds get a fraction, as in OpenMetrics.
   */
  sample(metric: Metric, sampler: (asFloat: boolean) => ReturnType<Family['series']>): void {
    this.#samplers.set(metric, sampler);
  }

  /** Computes the series of a histogram each time metrics are shown. */
  derive(metric: Metric & { readonly type: 'histogram' }, series: () => Iterable<HistogramSeries>): void {
    this.sample(metric, series);
  }

  /** Runs a function before metrics are shown, to read values that nothing counts continuously. */
  collect(collector: () => void | Promise<void>): void {
    this.#collectors.push(collector);
  }

  /** Shows the values of all processes of a server from now on, instead of its own values. */
  showTogether(read: (asFloat: boolean) => Promise<readonly MetricValues[]>): void {
    this.#together = read;
  }

  /** Reads the values of this process, for the process that combines them. */
  async read(asFloat: boolean): Promise<readonly MetricValues[]> {
    for (const collector of this.#collectors) await collector();
    return allMetrics.flatMap((metric) => valuesOf(metric, this.#series(metric, asFloat)));
  }

  /** Prints the metrics, piece by piece. Series that appear between two pieces may be in the text. */
  async show(accept: string): Promise<Exposition> {
    const open = prefersOpenMetrics(accept);
    const series = await this.#shown(open);
    const shown = allMetrics.filter((metric) => this.has(metric) && !this.#isHidden(metric));
    return expose(
      shown.map((metric) => this.#family(metric, () => series(metric))),
      open,
    );
  }

  /** Returns a function that reads the series of a metric, of this process or of all. */
  async #shown(asFloat: boolean): Promise<(metric: Metric) => ReturnType<Family['series']>> {
    if (this.#together) {
      const all = new Map((await this.#together(asFloat)).map((values) => [values.name, values]));
      return (metric) => toSeries(metricIn(metric, this.#api), all.get(metric.name));
    }
    for (const collector of this.#collectors) await collector();
    return (metric) => this.#series(metric, asFloat);
  }

  #noteDeprecated(metric: Metric, { name, series }: Family): void {
    const { deprecated, help } = metric;
    if (deprecated === undefined || this.#read.has(metric)) return;
    const hasSeries = series()[Symbol.iterator]().next().done === false;
    if (!hasSeries) return;
    this.#read.add(metric);
    this.#options.onDeprecated?.(`the metric ${name} is deprecated since release ${deprecated}: ${help}`);
  }

  #isHidden(metric: Metric): boolean {
    return isHidden(metric, this.#options.release, this.#options.showHiddenFor);
  }

  #family(metric: Metric, series: Family['series']): Family {
    const inRelease = metricIn(metric, this.#api);
    const name = metric.name.replace(/^platform_/, `${this.#options.prefix}_`);
    const family: Family = { ...inRelease, name, help: helpOf(inRelease), series, ...this.#groups(metric, series) };
    this.#noteDeprecated(metric, family);
    return family;
  }

  /**
   * Returns the labels and series with groups, if the release has them. Built when metrics are shown, so that requests
   * do not pay for it.
   */
  #groups({ groupsFrom }: Metric, series: Family['series']): Partial<Family> {
    if (groupsFrom === undefined || !this.#api.has({ introduced: groupsFrom })) return {};
    return {
      labels: ['group', 'resource'],
      series: () => [...series()].flatMap((one) => (one instanceof NumberSeries ? [withGroup(one)] : [])),
    };
  }

  #series(metric: Metric, asFloat: boolean): ReturnType<Family['series']> {
    const sampler = this.#samplers.get(metric);
    if (sampler) return sampler(asFloat);
    return this.#histograms.get(metric)?.all ?? this.#numbers.get(metric)?.all ?? [];
  }

  #describeItself(): void {
    const { registered, hidden, disabled, registeredMetrics, hiddenMetrics, disabledMetrics } =
      metricTable.server.metrics;
    const there = allMetrics.filter((metric) => this.has(metric));
    for (const [shown, unseen, off] of [
      [registered, hidden, disabled],
      [registeredMetrics, hiddenMetrics, disabledMetrics],
    ] as const) {
      for (const metric of there) {
        if (this.#isHidden(metric)) this.number(unseen).with().value++;
        else this.number(shown).with(metric.deprecated ?? '', metricIn(metric, this.#api).stability).value++;
      }
      this.number(unseen).with();
      this.number(off).with();
    }
  }
}

/** Splits the name of a resource, as in `deployments.apps`. */
function withGroup({ labels: [name = ''], value }: NumberSeries): Sample {
  const at = name.indexOf('.');
  const [group, resource] = at < 0 ? ['', name] : [name.slice(at + 1), name.slice(0, at)];
  return { labels: { group, resource }, value };
}

function found<S>(sets: ReadonlyMap<Metric, SeriesSet<S>>, metric: Metric): SeriesSet<S> {
  const set = sets.get(metric);
  if (!set) throw new TypeError(`${metric.name} is not in the table of metrics`);
  return set;
}

/**
 * Returns whether a client prefers OpenMetrics: its `Accept` header names OpenMetrics, and does not give plain text a
 * higher weight.
 */
export function prefersOpenMetrics(accept: string): boolean {
  const weights = listMembers(accept).map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const version = parameters.find((parameter) => parameter.startsWith('version='))?.slice('version='.length);
    return { type, version, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });
  const open = weights.find(
    ({ type, version }) =>
      type === 'application/openmetrics-text' && (version === undefined || ['0.0.1', '1.0.0'].includes(version)),
  );
  const plain = weights.find(({ type }) => type === 'text/plain');
  return open !== undefined && open.weight > 0 && open.weight >= (plain?.weight ?? 0);
}
