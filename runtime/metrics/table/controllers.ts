/** Metrics of controllers: their queues and their problems. */
import { counter, gauge, histogram, type MetricGroup } from '../metric.js';

/** Bounds from ten nanoseconds to ten seconds, each ten times the previous one, as the reference computes them. */
const bounds: readonly number[] = [
  1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10,
];

const labels: readonly string[] = ['name'];

export const controllers = {
  heading: 'Controllers',
  metrics: {
    adds: counter('workqueue_adds_total', 'Keys that were added to the queue of a controller.', { labels }),
    depth: gauge('workqueue_depth', 'Keys that wait in the queue.', { labels }),
    retries: counter('workqueue_retries_total', 'Keys that were added again after a failure.', { labels }),
    queued: histogram('workqueue_queue_duration_seconds', 'Seconds that keys waited in the queue.', bounds, { labels }),
    worked: histogram('workqueue_work_duration_seconds', 'Seconds that the controller took for a key.', bounds, {
      labels,
    }),
    unfinished: gauge(
      'workqueue_unfinished_work_seconds',
      'Seconds that the keys under way have taken so far, together; one that grows and grows is stuck.',
      { labels },
    ),
    longest: gauge(
      'workqueue_longest_running_processor_seconds',
      'Seconds that the key under way for longest has taken so far.',
      { labels },
    ),
    running: gauge('kindforge_controller_running', 'Whether a controller works, 1, or cannot yet or no longer: 0.', {
      labels,
    }),
    leading: gauge(
      'leader_election_master_status',
      'Whether this process is the one whose controllers work, 1 or 0, by the name of the lease.',
      { labels },
    ),
    problems: counter('kindforge_controller_problems_total', 'Problems that a controller met; it goes on after each.', {
      labels,
    }),
  },
} as const satisfies MetricGroup;
