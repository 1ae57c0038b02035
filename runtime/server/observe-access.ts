/** Counts what authentication and authorization make of requests. */
import type { AccessAttributes, Authorizer, Result, UserInfo } from '../contract/index.js';
import { type HistogramSeries, type Metrics, metricTable, type NumberSeries } from '../metrics/index.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';

/** Tells of the user that a request is from, once that is known. */
export type ObserveUser = (authenticate: () => MaybePromise<Result<UserInfo>>) => MaybePromise<Result<UserInfo>>;

/** Only these users are told apart: everybody else chooses a name. */
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

/** The authorizer, with its decisions counted. */
export function observeAuthorizer(authorizer: Authorizer, metrics: Metrics): Authorizer {
  const filter = metrics.histogram(metricTable.requests.metrics.filters).with('authorization');
  const decisions = metrics.number(metricTable.access.metrics.decisions);
  const [allowed, denied] = ['allowed', 'denied'].map((result) => decisions.with(result));
  return {
    ...authorizer,
    decide(attributes) {
      const began = performance.now();
      return thenSync(authorizer.decide(attributes), (decided) => {
        filter.observe((performance.now() - began) / 1000);
        const series = decided.decision === 'allow' ? allowed : denied;
        if (series) series.value++;
        return decided;
      });
    },
  };
}

/** The user of the server's own requests. */
const itself = 'system:apiserver';

/** Counts the requests that the server makes of itself. */
export function observeOwnRequests(metrics: Metrics): (attributes: AccessAttributes) => void {
  const own = metrics.number(metricTable.requests.metrics.selfRequests);
  return (attributes) => {
    if (attributes.user.name !== itself || !('resource' in attributes)) return;
    own.with(attributes.resource, attributes.subresource ?? '', attributes.verb.toUpperCase()).value++;
  };
}
