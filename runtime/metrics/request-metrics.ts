/** Metrics of requests: their answers and watches, authentication and authorization, and flow control. */
import {
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
      {
        labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
        stability: 'STABLE',
        together: 'greatest',
      },
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
      groupsFrom: '1.34',
    }),
  },
} as const satisfies MetricGroup;

export const access = {
  heading: 'Authentication and authorization',
  metrics: {
    attempts: counter(
      'authentication_attempts',
      'Requests by the result of authentication: success, failure, or error if it could not be decided.',
      { labels: ['result'] },
    ),
    duration: histogram('authentication_duration_seconds', 'Seconds of authentication.', doubling(0.001, 15), {
      labels: ['result'],
    }),
    users: counter(
      'authenticated_user_requests',
      'Requests by user. Only a few users have their own label; all mail addresses share one, and all other users another.',
      { labels: ['username'] },
    ),
    decisions: counter(
      'kindforge_authorization_decisions_total',
      'Requests by the result of authorization: allowed or denied.',
      { labels: ['result'] },
    ),
    authorizations: counter(
      'authorization_attempts_total',
      'Requests by the result of authorization: allowed, denied, no-opinion, or error if it could not be decided.',
      { labels: ['result'], introduced: '1.28' },
    ),
    authorizationSeconds: histogram(
      'authorization_duration_seconds',
      'Seconds of authorization.',
      doubling(0.001, 15),
      { labels: ['result'], introduced: '1.28' },
    ),
  },
} as const satisfies MetricGroup;

// Metrics of flow control: the seats of priority levels, and the requests that run in them, wait, or are refused.

const flow = { labels: ['flow_schema', 'priority_level'] };
const level = { labels: ['priority_level'] };

/** Bounds in seconds for requests that wait or run. */
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

export const flowControl = {
  heading: 'Flow control',
  metrics: {
    dispatched: counter(
      'apiserver_flowcontrol_dispatched_requests_total',
      'Requests that were executed, at once or after they had waited.',
      flow,
    ),
    rejected: counter(
      'apiserver_flowcontrol_rejected_requests_total',
      'Requests that were refused: queue-full, concurrency-limit, time-out, or cancelled where the client has gone.',
      { labels: ['flow_schema', 'priority_level', 'reason'] },
    ),
    executing: gauge(
      'apiserver_flowcontrol_current_executing_requests',
      'Requests that are executed at this moment, of those that are not answered at once.',
      flow,
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
    inQueue: gauge('apiserver_flowcontrol_current_inqueue_requests', 'Requests that wait at this moment.', flow),
    queueLength: histogram(
      'apiserver_flowcontrol_request_queue_length_after_enqueue',
      'Length of a queue after a request was added.',
      [0, 10, 25, 50, 100, 250, 500, 1000],
      flow,
    ),
    waitSeconds: histogram(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      'Seconds that requests waited, by whether they were executed then; 0 for those that did not have to.',
      seconds,
      { labels: ['execute', 'flow_schema', 'priority_level'] },
    ),
    executionSeconds: histogram(
      'apiserver_flowcontrol_request_execution_seconds',
      'Seconds in which requests were executed; of watches, until they had begun.',
      seconds,
      { labels: ['flow_schema', 'priority_level', 'type'] },
    ),
    workSeats: histogram(
      'apiserver_flowcontrol_work_estimated_seats',
      'Seats that requests take: 1, and up to 10 for lists of many objects.',
      [1, 2, 4, 10],
      flow,
    ),
    limit: gauge('apiserver_flowcontrol_request_concurrency_limit', 'Seats of a level by its shares.', {
      ...level,
      removed: '1.31',
      together: 'answering',
    }),
    nominal: gauge('apiserver_flowcontrol_nominal_limit_seats', 'Seats of a level by its shares.', {
      ...level,
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
