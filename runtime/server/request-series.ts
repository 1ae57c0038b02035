/** Finds the series of metrics for the requests of one verb, resource and scope. */
import {
  all,
  HistogramSeries,
  hasOwnBuckets,
  type Metric,
  type Metrics,
  metricTable,
  type NumberSeries,
  type SeriesSet,
} from '../metrics/index.js';
import type { RequestPath, ResourcePath } from '../registry/route.js';
import { type ApiRequest, queryOf } from '../request/api-request.js';
import type { ServedResource } from '../resource/served-resource.js';

/** The labels that select series. */
export interface SeriesPlace {
  /** Absent if the path serves nothing. */
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
  /** Returns the series of requests with this status code from this client. */
  total(code: number, systemClient: string): NumberSeries;
  /** Returns the series of requests that the server gave up with this status code. */
  terminated(code: number): NumberSeries;
}

/** Finds series. Looks up the labels of each place once. */
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
    const isOwn = !resource || hasOwnBuckets(resource.module);
    const ofBuckets = isOwn ? rest : [all, all, scope, subresource, verb, all];
    const totals = metrics.number(of.total);
    const byCode: (NumberSeries | undefined)[] = [];
    const isRead = resource !== undefined && (verb === 'GET' || verb === 'LIST');
    const isWrite = resource !== undefined && ['POST', 'PUT', 'PATCH', 'APPLY'].includes(verb);
    const totalOf = (code: number, client: string): NumberSeries =>
      totals.with(String(code), component, dryRun, group, plural, scope, subresource, client, verb, version);
    return {
      duration: metrics.histogram(of.duration).with(component, dryRun, ...ofBuckets),
      sizes: isRead ? metrics.histogram(of.responseSizes).with(component, ...ofBuckets) : undefined,
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

/** Verbs as metrics name them, in any order. */
const verbLabels = [
  'GET',
  'LIST',
  'WATCH',
  'POST',
  'PUT',
  'PATCH',
  'APPLY',
  'DELETE',
  'DELETECOLLECTION',
  'HEAD',
  'OPTIONS',
  'other',
] as const;

type VerbLabel = (typeof verbLabels)[number];

const applyType = 'application/apply-patch+yaml';

/** Returns the verb of a request for a resource. */
export function verbOf({ method, search, headers }: ApiRequest, { name, watch }: ResourcePath): VerbLabel {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (watch) return 'WATCH';
      if (name !== '') return 'GET';
      return search !== '' && queryOf(search).boolean('watch') === true ? 'WATCH' : 'LIST';
    case 'POST':
    case 'PUT':
      return method;
    case 'PATCH':
      return typeof headers['content-type'] === 'string' && headers['content-type'].startsWith(applyType)
        ? 'APPLY'
        : 'PATCH';
    case 'DELETE':
      return name === '' ? 'DELETECOLLECTION' : 'DELETE';
    default:
      return methodLabel(method);
  }
}

/** Returns the verb of any other request. */
export function methodLabel(method: string): VerbLabel {
  return verbLabels.find((label) => label === method) ?? 'other';
}

const scopeLabels = ['', 'cluster', 'namespace', 'resource'] as const;

type ScopeLabel = (typeof scopeLabels)[number];

/** Returns whether a request is for one object, a namespace or everything. A create is for one object. */
export function scopeOf({ method }: ApiRequest, { name, namespace }: ResourcePath): ScopeLabel {
  if (name !== '' || method === 'POST') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** Returns `All` for dry runs, `invalid` for unknown values, and otherwise the empty text. */
export function dryRunLabel({ search }: ApiRequest): string {
  if (!search.includes('dryRun')) return '';
  const values = new URLSearchParams(search).getAll('dryRun').filter((value) => value !== '');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

const fieldValidations: readonly string[] = ['Ignore', 'Strict', 'Warn'];

/** Returns the field validation that a write asks for; empty if it does not name one. */
export function fieldValidationOf({ search }: ApiRequest): string {
  if (!search.includes('fieldValidation')) return '';
  const value = new URLSearchParams(search).get('fieldValidation') ?? '';
  return value === '' || fieldValidations.includes(value) ? value : 'invalid';
}

/** Clients that are parts of a cluster. */
const systemClients: ReadonlySet<string> = new Set(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']);

/** Returns the client of a request if it is a part of a cluster, else an empty text. */
export function systemClientOf({ headers }: ApiRequest): string {
  const agent = headers['user-agent'];
  if (typeof agent !== 'string' || !agent.startsWith('kube-')) return '';
  const [name = ''] = agent.split('/');
  return systemClients.has(name) ? name : '';
}

const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Returns the label `subresource` of a path without a resource: the path of a health endpoint, else empty. */
export const plainPathOf = ({ text }: RequestPath): string => (healthPaths.has(text) ? text : '');

// Durations in the buckets of service level objectives. Computed from the durations of all requests when metrics are
// read.

/** The number of buckets of durations below the first bucket of objectives. */
const finer = 2;

/**
 * Computes both metrics of objectives from the durations of requests, so that a request is observed once. Leaves out
 * watches, and counts dry runs like other requests. All kinds share buckets for this: each kind has buckets of
 * durations, and buckets of objectives would cost a scrape as much again.
 */
export function sampleObjectives(metrics: Metrics): void {
  const { duration, sli, slo } = metricTable.requests.metrics;
  for (const metric of [sli, slo]) metrics.derive(metric, () => objectives(metric, metrics.histogram(duration).all));
}

/** Returns labels for all kinds together. Returns labels without a kind as they are. */
const ofAllKinds = (labels: readonly string[]): readonly string[] => {
  const [group = '', plural = '', scope = '', subresource = '', verb = '', version = ''] = labels;
  return group + plural + version === '' ? labels : [all, all, scope, subresource, verb, all];
};

function objectives(metric: Metric, durations: Iterable<HistogramSeries>): readonly HistogramSeries[] {
  const merged = new Map<string, HistogramSeries>();
  for (const { labels, counts, sum } of durations) {
    const [component = '', _dryRun, ...own] = labels;
    if (own.includes('WATCH')) continue;
    const rest = ofAllKinds(own);
    const key = rest.join('\0');
    const series = merged.get(key) ?? new HistogramSeries([component, ...rest], metric.buckets ?? []);
    merged.set(key, series);
    series.sum += sum;
    for (const [i, count] of counts.entries()) {
      const at = Math.max(0, i - finer);
      series.counts[at] = (series.counts[at] ?? 0) + count;
    }
  }
  return [...merged.values()];
}
