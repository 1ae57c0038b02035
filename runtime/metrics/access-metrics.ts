/** Metrics of the files about authentication and authorization, and the observers that count them. */
import { createHash } from 'node:crypto';
import type { AccessDecision, Authorizer } from '../contract/index.js';
import { counter, gauge, histogram, type Metric, type MetricGroup, usualSeconds } from './metric.js';
import type { Metrics } from './metrics.js';

const reload = ['apiserver_id_hash', 'status'];

export const accessFiles = {
  heading: 'Files about authentication and authorization',
  metrics: {
    decisions: counter(
      'apiserver_authorization_decisions_total',
      'Decisions of each authorizer of an AuthorizationConfiguration: allowed or denied. No opinion is not counted.',
      { labels: ['decision', 'name', 'type'] },
    ),
    webhookCalls: counter(
      'apiserver_authorization_webhook_evaluations_total',
      'Questions to an authorization webhook by result: success, error or timeout.',
      { labels: ['name', 'result'], stability: 'BETA' },
    ),
    webhookSeconds: histogram(
      'apiserver_authorization_webhook_duration_seconds',
      'Seconds that an authorization webhook took, with all tries.',
      usualSeconds,
      { labels: ['name', 'result'], stability: 'BETA' },
    ),
    webhookFailOpen: counter(
      'apiserver_authorization_webhook_evaluations_fail_open_total',
      'Failures of an authorization webhook that left the decision to the next authorizer.',
      { labels: ['name', 'result'], stability: 'BETA' },
    ),
    conditionSeconds: histogram(
      'apiserver_authorization_match_condition_evaluation_seconds',
      'Seconds that the match conditions of an authorization webhook took.',
      [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
      { labels: ['name', 'type'] },
    ),
    conditionErrors: counter(
      'apiserver_authorization_match_condition_evaluation_errors_total',
      'Requests with match conditions that could not be evaluated.',
      { labels: ['name', 'type'] },
    ),
    conditionExclusions: counter(
      'apiserver_authorization_match_condition_exclusions_total',
      'Requests about which match conditions kept a webhook from being asked.',
      { labels: ['name', 'type'] },
    ),
    authorizationReloads: counter(
      'apiserver_authorization_config_controller_automatic_reloads_total',
      'Times that a changed AuthorizationConfiguration was read, by status: success or failure. After a failure, the earlier one stays in use.',
      { labels: reload, stability: 'BETA' },
    ),
    authorizationReloadedAt: gauge(
      'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
      'When a changed AuthorizationConfiguration was last read, in seconds since 1970.',
      { labels: reload, stability: 'BETA' },
    ),
    authorizationConfig: gauge(
      'apiserver_authorization_config_controller_last_config_info',
      'The hash of the AuthorizationConfiguration in use, as a label.',
      { labels: ['apiserver_id_hash', 'hash'] },
    ),
    authenticationReloads: counter(
      'apiserver_authentication_config_controller_automatic_reloads_total',
      'Times that a changed AuthenticationConfiguration was read, by status: success or failure. After a failure, the earlier one stays in use.',
      { labels: reload, stability: 'BETA' },
    ),
    authenticationReloadedAt: gauge(
      'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
      'When a changed AuthenticationConfiguration was last read, in seconds since 1970.',
      { labels: reload, stability: 'BETA' },
    ),
    authenticationConfig: gauge(
      'apiserver_authentication_config_controller_last_config_info',
      'The hash of the AuthenticationConfiguration in use, as a label.',
      { labels: ['apiserver_id_hash', 'hash'] },
    ),
    jwtSeconds: histogram(
      'apiserver_authentication_jwt_authenticator_latency_seconds',
      'Seconds that a token of a configured issuer took, by result: success or failure.',
      [0.001, ...usualSeconds],
      { labels: ['jwt_issuer_hash', 'result'] },
    ),
  },
} as const satisfies MetricGroup;

const table = accessFiles.metrics;

/** The server has no identity besides its address, so the label with its hash is empty, as in the reference then. */
const noId = '';

const hashOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Returns the observer of an AuthenticationConfiguration. */
export function authenticationObserverOf(metrics: Metrics) {
  const seconds = metrics.histogram(table.jwtSeconds);
  return {
    ...fileObserver(metrics, table.authenticationReloads, table.authenticationReloadedAt, table.authenticationConfig),
    authenticated: (issuerUrl: string, recognized: boolean, took: number): void =>
      seconds.with(hashOf(issuerUrl), recognized ? 'success' : 'failure').observe(took),
  };
}

/** Returns the observer of an AuthorizationConfiguration. */
export function authorizationObserverOf(metrics: Metrics) {
  const decisions = metrics.number(table.decisions);
  const calls = metrics.number(table.webhookCalls);
  const callSeconds = metrics.histogram(table.webhookSeconds);
  return {
    ...fileObserver(metrics, table.authorizationReloads, table.authorizationReloadedAt, table.authorizationConfig),
    webhook(name: string) {
      const labels = [name, 'Webhook'] as const;
      const conditionSeconds = metrics.histogram(table.conditionSeconds).with(...labels);
      return {
        matched(outcome: 'met' | 'excluded' | 'error', took: number): void {
          conditionSeconds.observe(took);
          if (outcome === 'error') metrics.number(table.conditionErrors).with(...labels).value++;
          if (outcome === 'excluded') metrics.number(table.conditionExclusions).with(...labels).value++;
        },
        asked(result: string, took: number): void {
          calls.with(name, result).value++;
          callSeconds.with(name, result).observe(took);
        },
        failedOpen(result: string): void {
          metrics.number(table.webhookFailOpen).with(name, result).value++;
        },
      };
    },
    /** Returns the authorizer with a count of its decisions. */
    counted(type: string, name: string, authorizer: Authorizer): Authorizer {
      const count = (decided: AccessDecision): AccessDecision => {
        if (decided.decision === 'allow') decisions.with('allowed', name, type).value++;
        if (decided.decision === 'deny') decisions.with('denied', name, type).value++;
        return decided;
      };
      return {
        ...authorizer,
        decide(attributes) {
          const decided = authorizer.decide(attributes);
          return decided instanceof Promise ? decided.then(count) : count(decided);
        },
      };
    },
  };
}

function fileObserver(
  metrics: Metrics,
  reloads: Metric & { type: 'counter' },
  reloadedAt: Metric & { type: 'gauge' },
  config: Metric,
) {
  let hash = '';
  return {
    /** Shows the hash of the text that is in use. */
    read(text: string): void {
      if (hash === '') metrics.sample(config, () => [{ labels: { apiserver_id_hash: noId, hash }, value: 1 }]);
      hash = hashOf(text);
    },
    /** Counts a change of the file. `used`: whether it could be used. */
    reloaded(used: boolean): void {
      const status = used ? 'success' : 'failure';
      metrics.number(reloads).with(noId, status).value++;
      metrics.number(reloadedAt).with(noId, status).value = Date.now() / 1000;
    },
  };
}
