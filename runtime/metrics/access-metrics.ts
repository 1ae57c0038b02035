/** Metrics of the files about authentication and authorization. */
import { counter, gauge, histogram, type MetricGroup, usualSeconds } from './metric.js';

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
      { labels: reload, stability: 'BETA', together: 'greatest' },
    ),
    authorizationConfig: gauge(
      'apiserver_authorization_config_controller_last_config_info',
      'The hash of the AuthorizationConfiguration in use, as a label.',
      { labels: ['apiserver_id_hash', 'hash'], together: 'greatest' },
    ),
    authenticationReloads: counter(
      'apiserver_authentication_config_controller_automatic_reloads_total',
      'Times that a changed AuthenticationConfiguration was read, by status: success or failure. After a failure, the earlier one stays in use.',
      { labels: reload, stability: 'BETA' },
    ),
    authenticationReloadedAt: gauge(
      'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
      'When a changed AuthenticationConfiguration was last read, in seconds since 1970.',
      { labels: reload, stability: 'BETA', together: 'greatest' },
    ),
    authenticationConfig: gauge(
      'apiserver_authentication_config_controller_last_config_info',
      'The hash of the AuthenticationConfiguration in use, as a label.',
      { labels: ['apiserver_id_hash', 'hash'], together: 'greatest' },
    ),
    jwtSeconds: histogram(
      'apiserver_authentication_jwt_authenticator_latency_seconds',
      'Seconds that a token of a configured issuer took, by result: success or failure.',
      [0.001, ...usualSeconds],
      { labels: ['jwt_issuer_hash', 'result'] },
    ),
  },
} as const satisfies MetricGroup;
