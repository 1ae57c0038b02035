/** Metrics of requests and their answers, and of watches. */
import {
  counter,
  doubling,
  filterSeconds,
  gauge,
  histogram,
  type MetricGroup,
  objectiveSeconds,
  requestSeconds,
} from '../metric.js';

const place = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

export const requests = {
  heading: 'Requests',
  metrics: {
    total: counter('apiserver_request_total', 'Requests by verb, resource, scope and status code of the answer.', {
      labels: [
        'code',
        'component',
        'dry_run',
        'group',
        'resource',
        'scope',
        'subresource',
        'system_client',
        'verb',
        'version',
      ],
      stability: 'STABLE',
    }),
    duration: histogram(
      'apiserver_request_duration_seconds',
      'Seconds from a request to its answer; of watches, to their end.',
      requestSeconds,
      {
        labels: ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
        stability: 'STABLE',
      },
    ),
    sli: histogram(
      'apiserver_request_sli_duration_seconds',
      'Seconds from a request to its answer, without watches and without dry runs as such, for objectives of service.',
      objectiveSeconds,
      { labels: place },
    ),
    slo: histogram(
      'apiserver_request_slo_duration_seconds',
      'The same as apiserver_request_sli_duration_seconds, under its earlier name.',
      objectiveSeconds,
      { labels: place, deprecated: '0.1' },
    ),
    responseSizes: histogram(
      'apiserver_response_sizes',
      'Bytes of the bodies of answers to reads.',
      [1000, 10_000, 100_000, 1e6, 1e7, 1e8, 1e9],
      { labels: place, stability: 'STABLE' },
    ),
    inFlight: gauge(
      'apiserver_current_inflight_requests',
      'Requests that wait for something before they can be answered, at this moment; watches are not among them.',
      { labels: ['request_kind'], stability: 'STABLE' },
    ),
    longRunning: gauge('apiserver_longrunning_requests', 'Watches that are open at this moment.', {
      labels: place,
      stability: 'STABLE',
    }),
    terminations: counter(
      'apiserver_request_terminations_total',
      'Requests that the server has given up, by the status code that it answered.',
      { labels: ['code', ...place] },
    ),
    filters: histogram(
      'apiserver_request_filter_duration_seconds',
      'Seconds that requests spend in authentication and in authorization.',
      filterSeconds,
      { labels: ['filter'] },
    ),
    fieldValidation: histogram(
      'field_validation_request_duration_seconds',
      'Seconds from a write to its answer, by what the client wants to be done about unknown fields.',
      objectiveSeconds,
      { labels: ['field_validation'] },
    ),
    selfRequests: counter('apiserver_selfrequest_total', 'Requests of the server to itself, by its controllers.', {
      labels: ['resource', 'subresource', 'verb'],
    }),
    deprecated: gauge(
      'apiserver_requested_deprecated_apis',
      'Set to 1 for deprecated versions of resources that have been asked for, with the release that removes them.',
      { labels: ['group', 'removed_release', 'resource', 'subresource', 'version'], stability: 'STABLE' },
    ),
    watchEvents: counter('apiserver_watch_events_total', 'Events that watches have sent.', {
      labels: ['group', 'kind', 'version'],
    }),
    watchEventSizes: histogram(
      'apiserver_watch_events_sizes',
      'Bytes of events that watches have sent.',
      doubling(1024, 8),
      {
        labels: ['group', 'kind', 'version'],
      },
    ),
    initEvents: counter('apiserver_init_events_total', 'Objects of the state that watches began with.', {
      labels: ['resource'],
    }),
  },
} as const satisfies MetricGroup;
