/** Counts requests and their answers. */
import { HistogramSeries, type Metric, type Metrics, metricTable } from '../metrics/index.js';
import type { Registry } from '../registry/registry.js';
import { pathOf } from '../registry/route.js';
import {
  type ApiRequest,
  type ApiResponse,
  type Handle,
  isStreamed,
  type StreamedBody,
  type StreamSink,
} from '../request/api-request.js';
import {
  dryRunOf,
  fieldValidationOf,
  methodLabel,
  plainPathOf,
  type RequestSeries,
  RequestSeriesIndex,
  scopeOf,
  systemClientOf,
  verbOf,
} from './request-series.js';

/** The status code of answers that came too late. */
const timedOut = 504;

/**
 * Returns the handler, with its requests counted. Those that wait for their answers are in `inProgress` meanwhile. A get that
 * is answered at once costs two looks at the clock, a handful of lookups by names that are known, and four additions; no
 * label is put together.
 */
export function observeRequests(
  handle: Handle,
  metrics: Metrics,
  registry: Registry,
  inProgress: WaitingRequests,
): Handle {
  sampleObjectives(metrics);
  const series = new RequestSeriesIndex(metrics);
  const inFlight = metrics.number(metricTable.requests.metrics.inFlight);
  const [reading, writing] = [inFlight.with('readOnly'), inFlight.with('mutating')];
  const finish = (request: ApiRequest, answer: ApiResponse, began: number): ApiResponse =>
    count(seriesOf(series, registry, request), request, answer, began);
  return (request) => {
    const began = performance.now();
    const answer = handle(request);
    if (!(answer instanceof Promise)) return finish(request, answer, began);
    const waiting = request.method === 'GET' || request.method === 'HEAD' ? reading : writing;
    waiting.value++;
    const slot = inProgress.add(request);
    const end = (): void => {
      waiting.value--;
      inProgress.remove(slot);
    };
    return answer.then(
      (known) => {
        end();
        return finish(request, known, began);
      },
      (error) => {
        end();
        throw error;
      },
    );
  };
}

/**
 * Requests that wait for their answers, in slots that are used again. A `Set` keeps 4 KB of each write until the next full
 * collection: its table is replaced every few requests, and an old table still refers to its requests and to the next table.
 */
export class WaitingRequests {
  readonly #slots: (ApiRequest | undefined)[] = [];
  readonly #free: number[] = [];

  /** Returns the slot of the request, by which it is removed. */
  add(request: ApiRequest): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = request;
    return slot;
  }

  remove(slot: number): void {
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  list(): readonly ApiRequest[] {
    return this.#slots.filter((request) => request !== undefined);
  }
}

/** Paths where nothing is served are all one: whoever asks for them chooses the names. */
function seriesOf(index: RequestSeriesIndex, registry: Registry, request: ApiRequest): RequestSeries {
  const path = pathOf(request);
  const at = path.resource;
  const resource = at && registry.find(at.group, at.version, at.plural);
  if (!at || !resource || (at.subresource !== '' && !resource.subresources.has(at.subresource))) {
    const subresource = plainPathOf(path);
    return index.at({ resource: undefined, subresource, verb: methodLabel(request.method), scope: '', dryRun: '' });
  }
  const dryRun = request.search === '' ? '' : dryRunOf(request);
  return index.at({
    resource,
    subresource: at.subresource,
    verb: verbOf(request, at),
    scope: scopeOf(request, at),
    dryRun,
  });
}

function count(series: RequestSeries, request: ApiRequest, answer: ApiResponse, began: number): ApiResponse {
  const { body, code } = answer;
  if (isStreamed(body)) return { ...answer, body: countStream(series, request, body, { code, began }) };
  if (series.sizes) series.sizes.observe(body instanceof Uint8Array ? body.length : lengthOf(body));
  conclude(series, request, code, began);
  return answer;
}

function conclude(series: RequestSeries, request: ApiRequest, code: number, began: number): void {
  const seconds = (performance.now() - began) / 1000;
  series.total(code, systemClientOf(request)).value++;
  series.duration.observe(seconds);
  if (series.fieldValidation) series.fieldValidation.with(fieldValidationOf(request)).observe(seconds);
  if (code === timedOut) series.terminated(code).value++;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

interface Answered {
  readonly code: number;
  readonly began: number;
}

/** A stream counts when it is over, and while it is open where it does not end by itself. */
function countStream(
  series: RequestSeries,
  request: ApiRequest,
  { stream, ends }: StreamedBody,
  { code, began }: Answered,
): StreamedBody {
  return {
    ...(ends === undefined ? {} : { ends }),
    stream(sink) {
      const { longRunning, sizes } = series;
      if (longRunning) longRunning.value++;
      let bytes = 0;
      const stop = stream(ends && sizes ? counting(sink, (length) => (bytes += length)) : sink);
      let open = true;
      return () => {
        stop();
        if (!open) return;
        open = false;
        if (longRunning) longRunning.value--;
        if (ends) sizes?.observe(bytes);
        conclude(series, request, code, began);
      };
    },
  };
}

const counting = (sink: StreamSink, count: (bytes: number) => void): StreamSink => ({
  get buffered() {
    return sink.buffered;
  },
  write(chunk) {
    count(chunk.length);
    sink.write(chunk);
  },
  taken: () => sink.taken(),
  end: () => sink.end(),
  destroy: () => sink.destroy(),
});

// Durations as objectives of service ask for them: made of those of all requests when somebody reads them.

/** Buckets that durations have below the first one of objectives. */
const finer = 2;

/**
 * Shows the two metrics of objectives from the durations of requests, so that a request is observed once: without those
 * that are open for long, and dry runs among the others.
 */
function sampleObjectives(metrics: Metrics): void {
  const { duration, sli, slo } = metricTable.requests.metrics;
  for (const metric of [sli, slo]) metrics.derive(metric, () => objectives(metric, metrics.histogram(duration).all));
}

function objectives(metric: Metric, durations: Iterable<HistogramSeries>): readonly HistogramSeries[] {
  const merged = new Map<string, HistogramSeries>();
  for (const { labels, counts, sum } of durations) {
    const [component = '', _dryRun, ...rest] = labels;
    if (rest.includes('WATCH')) continue;
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
