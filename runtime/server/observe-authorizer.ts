/** Counts what authorization and impersonation decide, and how long it takes. */
import type { ImpersonationObserver } from '../access/constrained-impersonation.js';
import type { AccessDecision, Authorizer } from '../contract/index.js';
import { type HistogramSeries, type Metrics, metricTable, type NumberSeries } from '../metrics/index.js';
import { thenSync } from '../objects/turns.js';

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
