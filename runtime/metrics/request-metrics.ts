/** Metrics of requests: their answers and watches, and flow control. */
import {
  betaFrom,
  counter,
  doubling,
  filterSeconds,
  gauge,
  histogram,
  type MetricGroup,
  objectiveSeconds,
  requestSeconds,
} from './metric.js';

const place = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

const watched = {
  labels: ['group', 'kind', 'version'],
  later: { '1.34': { labels: ['group', 'resource', 'version'] } },
};

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
      'Seconds from a request to its answer, for service level objectives. Leaves out watches; dry runs count like other requests.',
      objectiveSeconds,
      { labels: place },
    ),
    slo: histogram(
      'apiserver_request_slo_duration_seconds',
      'The same as apiserver_request_sli_duration_seconds, under its earlier name.',
      objectiveSeconds,
      { labels: place, deprecated: '0.1', removed: '1.28' },
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
      { labels: ['filter'], later: { '1.28': { buckets: [...filterSeconds, 10, 15, 30] } } },
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
      {
        labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
        stability: 'STABLE',
        together: 'greatest',
      },
    ),
    bodySizes: histogram(
      'apiserver_request_body_size_bytes',
      'Bytes of the bodies of writes; 0 for deletes without one.',
      Array.from({ length: 31 }, (_, i) => 50_000 + i * 100_000),
      {
        labels: ['resource', 'verb'],
        introduced: '1.30',
        later: { '1.34': { labels: ['group', 'resource', 'verb'] } },
      },
    ),
    watchEvents: counter('apiserver_watch_events_total', 'Events that watches have sent.', watched),
    watchEventSizes: histogram(
      'apiserver_watch_events_sizes',
      'Bytes of events that watches have sent.',
      doubling(1024, 8),
      watched,
    ),
    watchLists: histogram(
      'apiserver_watch_list_duration_seconds',
      'Seconds until a watch that begins with the state had sent all of it.',
      [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
      { labels: ['group', 'resource', 'scope', 'version'], introduced: '1.29', ...betaFrom('1.36') },
    ),
    initEvents: counter('apiserver_init_events_total', 'Objects of the state that watches began with.', {
      labels: ['resource'],
      groupsFrom: '1.34',
    }),
  },
} as const satisfies MetricGroup;

// Metrics of flow control: the seats of priority levels, and the requests that run in them, wait, or are refused.

const flow = { labels: ['flow_schema', 'priority_level'] };
const level = { labels: ['priority_level'] };

/** Bounds in seconds for requests that wait or run. */
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const laterSeconds = [...seconds.slice(0, -1), 15, 30];

/** The release that gave some metrics a stronger promise. */
const beta = betaFrom('1.28');

export const flowControl = {
  heading: 'Flow control',
  metrics: {
    dispatched: counter(
      'apiserver_flowcontrol_dispatched_requests_total',
      'Requests that were executed, at once or after they had waited.',
      { ...flow, ...beta },
    ),
    rejected: counter(
      'apiserver_flowcontrol_rejected_requests_total',
      'Requests that were refused: queue-full, concurrency-limit, time-out, or cancelled if the client has gone.',
      { labels: ['flow_schema', 'priority_level', 'reason'], ...beta },
    ),
    executing: gauge(
      'apiserver_flowcontrol_current_executing_requests',
      'Requests that are executed at this moment, without requests that are answered at once.',
      { ...flow, ...beta },
    ),
    inUse: gauge('apiserver_flowcontrol_request_concurrency_in_use', 'Seats that executed requests hold.', {
      ...flow,
      removed: '1.32',
    }),
    executingSeats: gauge('apiserver_flowcontrol_current_executing_seats', 'Seats that executed requests hold.', {
      ...flow,
      stability: 'BETA',
      introduced: '1.28',
    }),
    inQueue: gauge('apiserver_flowcontrol_current_inqueue_requests', 'Requests that wait at this moment.', {
      ...flow,
      ...beta,
    }),
    inQueueSeats: gauge('apiserver_flowcontrol_current_inqueue_seats', 'Seats that waiting requests ask for.', {
      ...flow,
      introduced: '1.29',
    }),
    watchCounts: histogram(
      'apiserver_flowcontrol_watch_count_samples',
      'Open watches of its resource at each write.',
      [0, 1, 10, 100, 1000, 10_000],
      { ...flow, introduced: '1.28' },
    ),
    queueLength: histogram(
      'apiserver_flowcontrol_request_queue_length_after_enqueue',
      'Length of a queue after a request was added.',
      [0, 10, 25, 50, 100, 250, 500, 1000],
      flow,
    ),
    waitSeconds: histogram(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      'Seconds that requests waited, by whether they were executed afterwards; 0 for requests that did not wait.',
      seconds,
      {
        labels: ['execute', 'flow_schema', 'priority_level'],
        later: { '1.28': { stability: 'BETA', buckets: laterSeconds } },
      },
    ),
    executionSeconds: histogram(
      'apiserver_flowcontrol_request_execution_seconds',
      'Seconds in which requests were executed; of watches, until they had begun.',
      seconds,
      { labels: ['flow_schema', 'priority_level', 'type'], later: { '1.28': { buckets: laterSeconds } } },
    ),
    workSeats: histogram(
      'apiserver_flowcontrol_work_estimated_seats',
      'Seats that requests take: 1, and up to 10 for lists of many objects.',
      [1, 2, 4, 10],
      { ...flow, later: { '1.34': { buckets: [1, 2, 4, 8, 16, 32, 64, 100] } } },
    ),
    limit: gauge('apiserver_flowcontrol_request_concurrency_limit', 'Seats of a level by its shares.', {
      ...level,
      removed: '1.31',
      together: 'answering',
    }),
    nominal: gauge('apiserver_flowcontrol_nominal_limit_seats', 'Seats of a level by its shares.', {
      ...level,
      ...beta,
      together: 'answering',
    }),
    lower: gauge('apiserver_flowcontrol_lower_limit_seats', 'Seats that a level does not lend.', {
      ...level,
      together: 'answering',
    }),
    upper: gauge('apiserver_flowcontrol_upper_limit_seats', 'Seats that a level has at most, borrowed ones included.', {
      ...level,
      together: 'answering',
    }),
    current: gauge('apiserver_flowcontrol_current_limit_seats', 'Seats that a level has at this moment.', {
      ...level,
      together: 'answering',
    }),
    target: gauge('apiserver_flowcontrol_target_seats', 'Seats that a level wanted when seats were last lent.', {
      ...level,
      together: 'answering',
    }),
    demandHigh: gauge(
      'apiserver_flowcontrol_demand_seats_high_watermark',
      'The most seats that a level had use for, in the period before seats were last lent.',
      level,
    ),
    demandAverage: gauge(
      'apiserver_flowcontrol_demand_seats_average',
      'Average of the seats that a level had use for, in the period before seats were last lent.',
      level,
    ),
    demandDeviation: gauge(
      'apiserver_flowcontrol_demand_seats_stdev',
      'Standard deviation of the seats that a level had use for, in the period before seats were last lent.',
      level,
    ),
    demandSmoothed: gauge(
      'apiserver_flowcontrol_demand_seats_smoothed',
      'Seats that a level has use for, smoothed over all periods.',
      level,
    ),
    fairPart: gauge(
      'apiserver_flowcontrol_seat_fair_frac',
      'Share of its target that each level got when seats were last lent.',
      { together: 'greatest' },
    ),
    waiting: gauge('apiserver_current_inqueue_requests', 'Requests that wait for their turn at this moment.', {
      labels: ['request_kind'],
    }),
  },
} as const satisfies MetricGroup;
