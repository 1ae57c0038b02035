/** The series that requests of one verb, resource and scope are counted in. */
import {
  type HistogramSeries,
  type Metrics,
  metricTable,
  type NumberSeries,
  type SeriesSet,
} from '../metrics/index.js';
import type { ServedResource } from '../resource/served-resource.js';
import { type ScopeLabel, scopeLabels, type VerbLabel, verbLabels } from './request-labels.js';

/** Where requests belong. */
export interface SeriesPlace {
  /** Absent where nothing is served there. */
  readonly resource: ServedResource | undefined;
  readonly subresource: string;
  readonly verb: VerbLabel;
  readonly scope: ScopeLabel;
  readonly dryRun: string;
}

export interface RequestSeries {
  readonly duration: HistogramSeries;
  readonly sizes: HistogramSeries | undefined;
  readonly longRunning: NumberSeries | undefined;
  /** Present for writes of resources. */
  readonly fieldValidation: SeriesSet<HistogramSeries> | undefined;
  /** Requests with this status code, of this client. */
  total(code: number, systemClient: string): NumberSeries;
  /** Requests that the server has given up with this status code. */
  terminated(code: number): NumberSeries;
}

/** Finds series; each place's are looked up by their labels once. */
export class RequestSeriesIndex {
  readonly #byResource = new WeakMap<ServedResource, Map<string, (RequestSeries | undefined)[]>>();
  readonly #plain = new Map<string, (RequestSeries | undefined)[]>();

  constructor(private readonly metrics: Metrics) {}

  at(place: SeriesPlace): RequestSeries {
    const { resource, subresource, verb, scope, dryRun } = place;
    if (dryRun !== '') return this.#create(place);
    const bySubresource = resource ? this.#of(resource) : this.#plain;
    let series = bySubresource.get(subresource);
    if (!series) {
      series = [];
      bySubresource.set(subresource, series);
    }
    const slot = verbLabels.indexOf(verb) * scopeLabels.length + scopeLabels.indexOf(scope);
    const known = series[slot];
    if (known) return known;
    const created = this.#create(place);
    series[slot] = created;
    return created;
  }

  #of(resource: ServedResource): Map<string, (RequestSeries | undefined)[]> {
    const known = this.#byResource.get(resource);
    if (known) return known;
    const created = new Map<string, (RequestSeries | undefined)[]>();
    this.#byResource.set(resource, created);
    return created;
  }

  #create({ resource, subresource, verb, scope, dryRun }: SeriesPlace): RequestSeries {
    const { metrics } = this;
    const of = metricTable.requests.metrics;
    const component = resource ? 'apiserver' : '';
    const { group = '', version = '' } = resource?.module ?? {};
    const plural = resource?.module.names.plural ?? '';
    const rest = [group, plural, scope, subresource, verb, version];
    const totals = metrics.number(of.total);
    const byCode: (NumberSeries | undefined)[] = [];
    const isRead = resource !== undefined && (verb === 'GET' || verb === 'LIST');
    const isWrite = resource !== undefined && ['POST', 'PUT', 'PATCH', 'APPLY'].includes(verb);
    const totalOf = (code: number, client: string): NumberSeries =>
      totals.with(String(code), component, dryRun, group, plural, scope, subresource, client, verb, version);
    return {
      duration: metrics.histogram(of.duration).with(component, dryRun, ...rest),
      sizes: isRead ? metrics.histogram(of.responseSizes).with(component, ...rest) : undefined,
      longRunning: verb === 'WATCH' ? metrics.number(of.longRunning).with(component, ...rest) : undefined,
      fieldValidation: isWrite ? metrics.histogram(of.fieldValidation) : undefined,
      total(code, client) {
        if (client !== '') return totalOf(code, client);
        byCode[code] ??= totalOf(code, '');
        return byCode[code];
      },
      terminated: (code) => metrics.number(of.terminations).with(String(code), component, ...rest),
    };
  }
}
