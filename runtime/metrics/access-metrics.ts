/** Metrics of authentication, authorization and impersonation, and of the files about them. */
import { counter, doubling, gauge, histogram, type MetricGroup, usualSeconds } from './metric.js';

const impersonated = { labels: ['decision', 'mode'], introduced: '1.36' };

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
    impersonations: counter(
      'apiserver_impersonation_attempts_total',
      'Requests as another user by decision, allowed or denied, and by the mode that allowed it. Only if impersonation is constrained.',
      impersonated,
    ),
    impersonationSeconds: histogram(
      'apiserver_impersonation_attempts_duration_seconds',
      'Seconds that the check of an impersonation took.',
      doubling(0.001, 15),
      impersonated,
    ),
    impersonationChecks: counter(
      'apiserver_impersonation_authorization_attempts_total',
      'Questions to authorization about an impersonation by mode and decision.',
      impersonated,
    ),
    impersonationCheckSeconds: histogram(
      'apiserver_impersonation_authorization_attempts_duration_seconds',
      'Seconds that authorization took for a question about an impersonation.',
      doubling(0.001, 15),
      impersonated,
    ),
    validTokens: counter('serviceaccount_valid_tokens_total', 'Uses of service account tokens that expire.'),
    staleTokens: counter(
      'serviceaccount_stale_tokens_total',
      'Uses of such tokens that the client should have renewed by then.',
    ),
    legacyTokens: counter('serviceaccount_legacy_tokens_total', 'Uses of tokens of secrets, which do not expire.'),
    autoTokens: counter(
      'serviceaccount_legacy_auto_token_uses_total',
      'Uses of tokens of secrets that a service account lists: they were made with it.',
      { introduced: '1.28' },
    ),
    manualTokens: counter('serviceaccount_legacy_manual_token_uses_total', 'Uses of tokens of other secrets.', {
      introduced: '1.28',
    }),
  },
} as const satisfies MetricGroup;

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
    keysFetchedAt: gauge(
      'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
      'When the keys of a configured issuer were last fetched, in seconds since 1970, by result: success or failure.',
      { labels: ['apiserver_id_hash', 'jwt_issuer_hash', 'result'], introduced: '1.35', together: 'greatest' },
    ),
    fetchedKeys: gauge(
      'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info',
      'The hash of the keys of a configured issuer, as a label.',
      { labels: ['apiserver_id_hash', 'hash', 'jwt_issuer_hash'], introduced: '1.35', together: 'greatest' },
    ),
  },
} as const satisfies MetricGroup;
