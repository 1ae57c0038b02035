/** Prints metrics in the text format of Prometheus or of OpenMetrics, whichever the client accepts. */
import {
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { MetricType, Sample } from './metric.js';

/** A metric as it is printed. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly samples: readonly Sample[];
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

export async function expose(families: readonly Family[], open: boolean): Promise<Exposition> {
  const registry = new Registry<OpenMetricsContentType | PrometheusContentType>();
  registry.setContentType(open ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE);
  for (const family of families) registry.registerMetric(new PrintedFamily(open ? withoutTotal(family) : family));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Removes `_total` from the name of a counter in OpenMetrics, because the library adds it to the samples. */
const withoutTotal = (family: Family): Family =>
  family.type === 'counter' ? { ...family, name: family.name.replace(/_total$/, '') } : family;

/** The library's metric for each type, for its name of the type. */
const models = {
  counter: new Counter({ name: 'model', help: 'a counter', registers: [] }),
  gauge: new Gauge({ name: 'model', help: 'a gauge', registers: [] }),
  histogram: new Histogram({ name: 'model', help: 'a histogram', registers: [] }),
};

/** Passes samples to the library's printer. */
class PrintedFamily extends Gauge {
  constructor(private readonly family: Family) {
    super({ name: family.name, help: family.help, registers: [] });
  }

  override async get(): ReturnType<Gauge['get']> {
    const { name, help, type, samples } = this.family;
    const values = samples.map(({ name: metricName = name, labels, value }) => ({ metricName, labels, value }));
    return { ...(await models[type].get()), name, help, values };
  }
}
