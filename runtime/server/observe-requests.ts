/** Counts requests, their answers, and what authentication and authorization decide. */

import type { ImpersonationObserver } from '../access/constrained-impersonation.js';
import type { AccessAttributes, AccessDecision, Authorizer, Result, UserInfo } from '../contract/index.js';
import { type HistogramSeries, type Metrics, metricTable, type NumberSeries } from '../metrics/index.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
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
  dryRunLabel,
  fieldValidationOf,
  methodLabel,
  plainPathOf,
  type RequestSeries,
  RequestSeriesIndex,
  sampleObjectives,
  scopeOf,
  systemClientOf,
  verbOf,
} from './request-series.js';

/** The status code of answers that took too long. */
const timedOut = 504;

/**
 * Wraps a handler, and counts its requests. Requests that wait for their answers are in `inProgress` meanwhile. A get
 * that is answered at once costs two clock reads, a few look-ups by known names, and four additions. No label is built.
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
 * The requests that wait for their answers, in reused slots. A `Set` would keep 4 KB per write until the next full
 * collection: it replaces its table every few requests, and an old table refers to its requests and to the next table.
 */
export class WaitingRequests {
  readonly #slots: (ApiRequest | undefined)[] = [];
  readonly #free: number[] = [];

  /** Returns the slot of the request, which `remove` needs. */
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

/** Finds the series of a request. All paths that serve nothing share one series, because clients choose these names. */
function seriesOf(index: RequestSeriesIndex, registry: Registry, request: ApiRequest): RequestSeries {
  const path = pathOf(request);
  const at = path.resource;
  const resource = at && registry.find(at.group, at.version, at.plural);
  if (!at || !resource || (at.subresource !== '' && !resource.subresources.has(at.subresource))) {
    const subresource = plainPathOf(path);
    return index.at({ resource: undefined, subresource, verb: methodLabel(request.method), scope: '', dryRun: '' });
  }
  const dryRun = request.search === '' ? '' : dryRunLabel(request);
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

/** Counts a stream when it ends. Also counts it while it is open, if it does not end by itself. */
function countStream(
  series: RequestSeries,
  request: ApiRequest,
  { stream, ...rest }: StreamedBody,
  { code, began }: Answered,
): StreamedBody {
  const { ends } = rest;
  return {
    ...rest,
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

/** Runs the authentication of a request, and counts its result. */
export type ObserveUser = (authenticate: () => MaybePromise<Result<UserInfo>>) => MaybePromise<Result<UserInfo>>;

/** The users with series of their own. All other users are counted together, because clients choose their names. */
const knownUsers: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

const classOf = (name: string): string => {
  if (knownUsers.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
};

export function observeAuthentication(metrics: Metrics): ObserveUser {
  const { attempts, duration, users } = metricTable.access.metrics;
  const [success, failure, error] = ['success', 'failure', 'error'].map((result) => ({
    attempts: metrics.number(attempts).with(result),
    seconds: metrics.histogram(duration).with(result),
  }));
  const filter = metrics.histogram(metricTable.requests.metrics.filters).with('authentication');
  const byUser = metrics.number(users);
  const other = byUser.with('other');
  const record = (outcome: OutcomeSeries | undefined, began: number): void => {
    if (!outcome) return;
    const seconds = (performance.now() - began) / 1000;
    outcome.attempts.value++;
    outcome.seconds.observe(seconds);
    filter.observe(seconds);
  };
  return (authenticate) => {
    const began = performance.now();
    try {
      const found = thenSync(authenticate(), (user) => {
        record(user.ok ? success : failure, began);
        if (user.ok) {
          const name = classOf(user.value.name);
          (name === 'other' ? other : byUser.with(name)).value++;
        }
        return user;
      });
      if (found instanceof Promise) found.catch(() => record(error, began));
      return found;
    } catch (thrown) {
      record(error, began);
      throw thrown;
    }
  };
}

interface OutcomeSeries {
  readonly attempts: NumberSeries;
  readonly seconds: HistogramSeries;
}

const itself = 'system:apiserver';

/** Counts the requests that the server sends to itself. */
export function observeOwnRequests(metrics: Metrics): (attributes: AccessAttributes) => void {
  const own = metrics.number(metricTable.requests.metrics.selfRequests);
  return (attributes) => {
    if (attributes.user.name !== itself || !('resource' in attributes)) return;
    own.with(attributes.resource, attributes.subresource ?? '', attributes.verb.toUpperCase()).value++;
  };
}

/** Returns the authorizer with its decisions counted. */
export function observeAuthorizer(authorizer: Authorizer, metrics: Metrics): Authorizer {
  const filter = metrics.histogram(metricTable.requests.metrics.filters).with('authorization');
  const decisions = metrics.number(metricTable.access.metrics.decisions);
  const [allowed, denied] = ['allowed', 'denied'].map((result) => decisions.with(result));
  const record = authorizationRecorder(metrics);
  const failed = (began: number): void => record?.('error', (performance.now() - began) / 1000);
  return {
    ...authorizer,
    decide(attributes) {
      const began = performance.now();
      try {
        const answer = thenSync(authorizer.decide(attributes), (decided) => {
          const took = (performance.now() - began) / 1000;
          filter.observe(took);
          const series = decided.decision === 'allow' ? allowed : denied;
          if (series) series.value++;
          record?.(decided.decision, took);
          return decided;
        });
        if (record && answer instanceof Promise) answer.catch(() => failed(began));
        return answer;
      } catch (thrown) {
        failed(began);
        throw thrown;
      }
    },
  };
}

/** Returns a function that counts impersonations, or `undefined` if the release has no metrics of them. */
export function impersonationObserverOf(metrics: Metrics): ImpersonationObserver | undefined {
  const { impersonations, impersonationSeconds, impersonationChecks, impersonationCheckSeconds } =
    metricTable.access.metrics;
  if (!metrics.has(impersonations)) return undefined;
  const counted = (total: typeof impersonations, seconds: typeof impersonationSeconds) => {
    const [totals, durations] = [metrics.number(total), metrics.histogram(seconds)];
    return (mode: string, isAllowed: boolean, took: number): void => {
      const labels = [isAllowed ? 'allowed' : 'denied', mode];
      totals.with(...labels).value++;
      durations.with(...labels).observe(took);
    };
  };
  return {
    attempted: counted(impersonations, impersonationSeconds),
    asked: counted(impersonationChecks, impersonationCheckSeconds),
  };
}

/** Returns a function that counts results of authorization, or `undefined` if the release has no metrics of them. */
function authorizationRecorder(
  metrics: Metrics,
): ((decision: AccessDecision['decision'] | 'error', seconds: number) => void) | undefined {
  const { authorizations, authorizationSeconds } = metricTable.access.metrics;
  if (!metrics.has(authorizations)) return undefined;
  const seriesOfResult = (result: string): { attempts: NumberSeries; seconds: HistogramSeries } => ({
    attempts: metrics.number(authorizations).with(result),
    seconds: metrics.histogram(authorizationSeconds).with(result),
  });
  const results = {
    allow: seriesOfResult('allowed'),
    deny: seriesOfResult('denied'),
    'no opinion': seriesOfResult('no-opinion'),
    error: seriesOfResult('error'),
  };
  return (decision, took) => {
    const { attempts, seconds } = results[decision];
    attempts.value++;
    seconds.observe(took);
  };
}
