/** Metrics of authentication and authorization. */
import { counter, doubling, histogram, type MetricGroup } from '../metric.js';

export const access = {
  heading: 'Authentication and authorization',
  metrics: {
    attempts: counter(
      'authentication_attempts',
      'Requests by what authentication made of them: success, failure, or error where it could not tell.',
      { labels: ['result'] },
    ),
    duration: histogram('authentication_duration_seconds', 'Seconds of authentication.', doubling(0.001, 15), {
      labels: ['result'],
    }),
    users: counter(
      'authenticated_user_requests',
      'Requests by user, of whom only a few are told apart: names that look like mail addresses are one, others too.',
      { labels: ['username'] },
    ),
    decisions: counter(
      'kindforge_authorization_decisions_total',
      'Requests by what authorization said of them: allowed or denied.',
      { labels: ['result'] },
    ),
  },
} as const satisfies MetricGroup;
