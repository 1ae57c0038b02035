/** Metrics of flow control: the seats of priority levels, and the requests that run in them, wait, or are refused. */
import { counter, gauge, histogram, type MetricGroup } from '../metric.js';

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
    inUse: gauge('apiserver_flowcontrol_request_concurrency_in_use', 'The seats that these hold.', flow),
    inQueue: gauge('apiserver_flowcontrol_current_inqueue_requests', 'Requests that wait at this moment.', flow),
    queueLength: histogram(
      'apiserver_flowcontrol_request_queue_length_after_enqueue',
      'Requests in a queue, once another has been put there.',
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
    limit: gauge('apiserver_flowcontrol_request_concurrency_limit', 'Seats of a level by its shares.', level),
    nominal: gauge('apiserver_flowcontrol_nominal_limit_seats', 'Seats of a level by its shares.', level),
    lower: gauge('apiserver_flowcontrol_lower_limit_seats', 'Seats that a level does not lend.', level),
    upper: gauge(
      'apiserver_flowcontrol_upper_limit_seats',
      'Seats that a level has at most, borrowed ones included.',
      level,
    ),
    current: gauge('apiserver_flowcontrol_current_limit_seats', 'Seats that a level has at this moment.', level),
    target: gauge('apiserver_flowcontrol_target_seats', 'Seats that a level wanted when seats were last lent.', level),
    demandHigh: gauge(
      'apiserver_flowcontrol_demand_seats_high_watermark',
      'The most seats that a level had use for, in the period before seats were last lent.',
      level,
    ),
    demandAverage: gauge('apiserver_flowcontrol_demand_seats_average', 'Seats that it had use for, on average.', level),
    demandDeviation: gauge('apiserver_flowcontrol_demand_seats_stdev', 'The standard deviation of these.', level),
    demandSmoothed: gauge(
      'apiserver_flowcontrol_demand_seats_smoothed',
      'Seats that it has use for, by what it had use for in all periods.',
      level,
    ),
    fairPart: gauge(
      'apiserver_flowcontrol_seat_fair_frac',
      'The part of their targets that levels got when seats were last lent.',
    ),
    waiting: gauge('apiserver_current_inqueue_requests', 'Requests that wait for their turn at this moment.', {
      labels: ['request_kind'],
    }),
  },
} as const satisfies MetricGroup;
