/** Shows how the followers of the store are doing, when metrics are shown. */
import type { Followers } from '../follow.js';
import { type Metrics, metricTable } from '../metrics/index.js';

export function collectFollowers(metrics: Metrics, followers: Pick<Followers, 'states'>): void {
  const { followerBehind, followerErrors } = metricTable.storage.metrics;
  metrics.collect(() => {
    for (const { name, behindMs, errors } of followers.states()) {
      metrics.number(followerBehind).with(name).value = behindMs / 1000;
      metrics.number(followerErrors).with(name).value = errors;
    }
  });
}
