/** Flags of kube-apiserver about authentication, authorization, audit and admission. */
import { type ApiServerFlagGroup, passed, refused, unused, used, warned } from './api-server-flag.js';

export const auditing: ApiServerFlagGroup = {
  heading: 'Auditing',
  flags: [
    passed('audit-log-batch-buffer-size', 'int'),
    passed('audit-log-batch-max-size', 'int'),
    passed('audit-log-batch-max-wait', 'duration'),
    passed('audit-log-batch-throttle-burst', 'int'),
    passed('audit-log-batch-throttle-enable', 'switch'),
    passed('audit-log-batch-throttle-qps', 'float32'),
    passed('audit-log-compress', 'switch'),
    passed('audit-log-format', 'string'),
    passed('audit-log-maxage', 'int'),
    passed('audit-log-maxbackup', 'int'),
    passed('audit-log-maxsize', 'int'),
    passed('audit-log-mode', 'string'),
    passed('audit-log-path', 'string'),
    passed('audit-log-truncate-enabled', 'switch'),
    passed('audit-log-truncate-max-batch-size', 'int'),
    passed('audit-log-truncate-max-event-size', 'int'),
    passed('audit-log-version', 'string'),
    passed('audit-policy-file', 'string'),
    passed('audit-webhook-batch-buffer-size', 'int'),
    passed('audit-webhook-batch-max-size', 'int'),
    passed('audit-webhook-batch-max-wait', 'duration'),
    passed('audit-webhook-batch-throttle-burst', 'int'),
    passed('audit-webhook-batch-throttle-enable', 'switch'),
    passed('audit-webhook-batch-throttle-qps', 'float32'),
    passed('audit-webhook-config-file', 'string'),
    passed('audit-webhook-initial-backoff', 'duration'),
    passed('audit-webhook-mode', 'string'),
    passed('audit-webhook-truncate-enabled', 'switch'),
    passed('audit-webhook-truncate-max-batch-size', 'int'),
    passed('audit-webhook-truncate-max-event-size', 'int'),
    passed('audit-webhook-version', 'string'),
  ],
};

export const authentication: ApiServerFlagGroup = {
  heading: 'Authentication',
  flags: [
    passed('anonymous-auth', 'switch'),
    passed('api-audiences', 'strings'),
    passed('authentication-token-webhook-cache-ttl', 'duration'),
    passed('authentication-token-webhook-config-file', 'string'),
    passed('authentication-token-webhook-version', 'string'),
    passed('client-ca-file', 'string'),
    passed('enable-bootstrap-token-auth', 'switch'),
    passed('oidc-ca-file', 'string'),
    passed('oidc-client-id', 'string'),
    passed('oidc-groups-claim', 'string'),
    passed('oidc-groups-prefix', 'string'),
    passed('oidc-issuer-url', 'string'),
    passed('oidc-required-claim', 'mapStringString'),
    passed('oidc-signing-algs', 'strings'),
    passed('oidc-username-claim', 'string'),
    passed('oidc-username-prefix', 'string'),
    passed('requestheader-allowed-names', 'strings'),
    passed('requestheader-client-ca-file', 'string'),
    passed('requestheader-extra-headers-prefix', 'strings'),
    passed('requestheader-group-headers', 'strings'),
    passed('requestheader-username-headers', 'strings'),
    unused('service-account-extend-token-expiration', 'switch', 'tokens have the requested lifetime'),
    passed('service-account-issuer', 'stringArray'),
    passed('service-account-jwks-uri', 'string'),
    passed('service-account-key-file', 'stringArray'),
    passed('service-account-lookup', 'switch'),
    passed('service-account-max-token-expiration', 'duration'),
    passed('token-auth-file', 'string'),
  ],
};

export const authorization: ApiServerFlagGroup = {
  heading: 'Authorization',
  flags: [
    used('authorization-mode', 'strings', 'as in kindforge serve: AlwaysAllow, if absent'),
    passed('authorization-policy-file', 'string'),
    passed('authorization-webhook-cache-authorized-ttl', 'duration'),
    passed('authorization-webhook-cache-unauthorized-ttl', 'duration'),
    passed('authorization-webhook-config-file', 'string'),
    passed('authorization-webhook-version', 'string'),
  ],
};

export const admission: ApiServerFlagGroup = {
  heading: 'Admission',
  flags: [
    used('admission-control', 'strings', 'only these plugins run, and the ones that cannot be disabled'),
    passed('admission-control-config-file', 'string'),
    used('disable-admission-plugins', 'strings', 'as in kindforge serve; unknown plugins are left out with a warning'),
    passed('enable-admission-plugins', 'strings'),
  ],
};

export const cloud: ApiServerFlagGroup = {
  heading: 'Cloud provider',
  flags: [
    unused('cloud-config', 'string', 'the server calls no cloud'),
    unused('cloud-provider', 'string', 'the server calls no cloud'),
  ],
};

export const enablement: ApiServerFlagGroup = {
  heading: 'API enablement',
  flags: [passed('runtime-config', 'mapStringString')],
};

export const egress: ApiServerFlagGroup = {
  heading: 'Egress selector',
  flags: [refused('egress-selector-config-file', 'string', 'webhooks are called directly, never through a proxy')],
};

export const features: ApiServerFlagGroup = {
  heading: 'Features',
  flags: [
    unused('contention-profiling', 'switch', 'this server has no locks to wait for'),
    warned('debug-socket-path', 'string', 'profiles are served at /debug/pprof only'),
    passed('profiling', 'switch', 'as in kindforge serve: off, if absent'),
  ],
};
