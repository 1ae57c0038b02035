/** Flags of kube-apiserver about requests, the store, and its addresses. */
import { type ApiServerFlagGroup, passed, refused, unused, used, warned } from './api-server-flag.js';

const noEtcd = 'nothing is stored in etcd';

export const generic: ApiServerFlagGroup = {
  heading: 'Generic',
  flags: [
    passed('advertise-address', 'ip'),
    passed('cors-allowed-origins', 'strings'),
    passed('default-not-ready-toleration-seconds', 'int'),
    passed('default-unreachable-toleration-seconds', 'int'),
    passed('enable-priority-and-fairness', 'switch'),
    unused('external-hostname', 'string', 'the name appears in no document'),
    used('feature-gates', 'mapStringBool', 'as in kindforge serve; unknown gates are left out with a warning'),
    unused('goaway-chance', 'float', 'the server never asks clients to connect again'),
    passed('livez-grace-period', 'duration'),
    passed('max-mutating-requests-inflight', 'int'),
    passed('max-requests-inflight', 'int'),
    warned('min-request-timeout', 'int', 'watches without a timeout end after 30 to 60 minutes', '1800'),
    passed('request-timeout', 'duration'),
    unused('send-retry-after-while-not-ready-once', 'switch', 'the server accepts no requests before it is ready'),
    passed('shutdown-delay-duration', 'duration'),
    unused('shutdown-send-retry-after', 'switch', 'requests in flight are answered, and new ones are not accepted'),
    unused('shutdown-watch-termination-grace-period', 'duration', 'watches end as soon as the server stops'),
    warned('strict-transport-security-directives', 'strings', 'no such header is sent'),
  ],
};

export const etcd: ApiServerFlagGroup = {
  heading: 'Etcd',
  flags: [
    unused('delete-collection-workers', 'int', 'collections are deleted one object after the other'),
    warned('enable-garbage-collector', 'switch', 'deletions ask for garbage collection in any case', 'true'),
    passed('encryption-provider-config', 'string'),
    unused('encryption-provider-config-automatic-reload', 'switch', 'the file is always read again when it changes'),
    unused('etcd-cafile', 'string', noEtcd),
    unused('etcd-certfile', 'string', noEtcd),
    unused('etcd-compaction-interval', 'duration', 'KINDFORGE_HISTORY_WINDOW sets how long history is kept'),
    unused('etcd-count-metric-poll-period', 'duration', noEtcd),
    unused('etcd-db-metric-poll-interval', 'duration', noEtcd),
    unused('etcd-healthcheck-timeout', 'duration', noEtcd),
    unused('etcd-keyfile', 'string', noEtcd),
    unused('etcd-prefix', 'string', noEtcd),
    unused('etcd-readycheck-timeout', 'duration', noEtcd),
    unused('etcd-servers', 'strings', 'objects are stored in memory, or in the store of KINDFORGE_STORAGE'),
    unused('etcd-servers-overrides', 'strings', noEtcd),
    unused('lease-reuse-duration-seconds', 'int', noEtcd),
    unused('storage-backend', 'string', noEtcd),
    unused('storage-media-type', 'string', 'objects are stored in their own format'),
    unused('watch-cache', 'switch', 'reads come from memory in any case'),
    unused('watch-cache-sizes', 'strings', 'KINDFORGE_HISTORY_SIZE sets the size of the history'),
  ],
};

export const secureServing: ApiServerFlagGroup = {
  heading: 'Secure serving',
  flags: [
    passed('bind-address', 'ip', 'as in kindforge serve: 127.0.0.1, if absent'),
    used(
      'cert-dir',
      'string',
      'folder of the certificate, apiserver.crt and apiserver.key, which are created if they do not exist; a kubeconfig of an administrator is written there, too',
    ),
    passed('http2-max-streams-per-connection', 'int'),
    unused('permit-address-sharing', 'switch', 'an address can be used again at once in any case'),
    warned('permit-port-sharing', 'switch', 'servers cannot share a port', 'false'),
    passed('secure-port', 'int', 'as in kindforge serve: 6443, if absent; 0 turns TLS off'),
    passed('tls-cert-file', 'string'),
    passed('tls-cipher-suites', 'strings'),
    passed('tls-min-version', 'string'),
    passed('tls-private-key-file', 'string'),
    passed('tls-sni-cert-key', 'namedCertKey'),
  ],
};

const ownMetrics = "metrics are Kindforge's own";
const noKubelet = 'no kubelet is called';
const noPeers = 'requests are not passed on between servers';
const ownLog = 'the log goes to standard error, at the level of KINDFORGE_LOG_LEVEL';

export const metrics: ApiServerFlagGroup = {
  heading: 'Metrics',
  flags: [
    warned('allow-metric-labels', 'stringToString', ownMetrics),
    warned('disabled-metrics', 'strings', ownMetrics),
    warned('show-hidden-metrics-for-version', 'string', ownMetrics),
  ],
};

export const logs: ApiServerFlagGroup = {
  heading: 'Logs',
  flags: [
    unused('log-flush-frequency', 'duration', 'lines are written at once'),
    used('logging-format', 'string', 'text or json, as --log-format in kindforge serve'),
    used('v', 'Level', 'from 3 on each request is logged'),
    unused('vmodule', 'pattern=N,...', ownLog),
  ],
};

export const traces: ApiServerFlagGroup = { heading: 'Traces', flags: [passed('tracing-config-file', 'string')] };

export const misc: ApiServerFlagGroup = {
  heading: 'Misc',
  flags: [
    unused(
      'aggregator-reject-forwarding-redirect',
      'switch',
      'redirects of API servers behind this one are always refused',
    ),
    warned('allow-privileged', 'switch', 'privileged containers are allowed in any case', 'true'),
    passed('enable-aggregator-routing', 'switch'),
    unused('endpoint-reconciler-type', 'string', 'the Endpoints of the server name this one server'),
    warned('event-ttl', 'duration', 'events stay until they are deleted', '1h0m0s'),
    unused('kubelet-certificate-authority', 'string', noKubelet),
    unused('kubelet-client-certificate', 'string', noKubelet),
    unused('kubelet-client-key', 'string', noKubelet),
    unused('kubelet-preferred-address-types', 'strings', noKubelet),
    unused('kubelet-timeout', 'duration', noKubelet),
    warned('kubernetes-service-node-port', 'int', 'the Service of the server has no node port', '0'),
    unused('max-connection-bytes-per-sec', 'int', 'connections of users are not slowed down'),
    passed('proxy-client-cert-file', 'string'),
    passed('proxy-client-key-file', 'string'),
    passed('service-account-signing-key-file', 'string'),
    used('service-cluster-ip-range', 'string', 'as in kindforge serve: 10.0.0.0/24, if absent'),
    passed('service-node-port-range', 'portRange'),
  ],
};

export const global: ApiServerFlagGroup = {
  heading: 'Global',
  flags: [
    used('help', 'switch', 'prints this'),
    used('version', 'switch', 'prints the release of the served API, and the release of Kindforge'),
  ],
};

/**
 * Flags that the server accepts but does not list in its help. Suites read the help, and use the flags that it lists.
 */
export const otherReleases: ApiServerFlagGroup = {
  heading: 'Other releases',
  flags: [
    used('insecure-port', 'int', 'port for plain HTTP, over which everyone is an administrator; 0 for none'),
    used('insecure-bind-address', 'ip', 'loopback address for plain HTTP, as --host in kindforge serve'),
    unused('add-dir-header', 'switch', ownLog),
    unused('alsologtostderr', 'switch', ownLog),
    unused('log-backtrace-at', 'string', ownLog),
    unused('log-dir', 'string', ownLog),
    unused('log-file', 'string', ownLog),
    unused('log-file-max-size', 'int', ownLog),
    unused('logtostderr', 'switch', ownLog),
    unused('one-output', 'switch', ownLog),
    unused('skip-headers', 'switch', ownLog),
    unused('skip-log-headers', 'switch', ownLog),
    unused('stderrthreshold', 'string', ownLog),
    unused('apiserver-count', 'int', 'there is only one server'),
    unused('default-watch-cache-size', 'int', 'KINDFORGE_HISTORY_SIZE sets the size of the history'),
    unused('enable-swagger-ui', 'switch', 'OpenAPI is served as documents'),
    unused('kubelet-https', 'switch', noKubelet),
    unused('kubelet-port', 'int', noKubelet),
    unused('master-service-namespace', 'string', 'the Service of the server is in default'),
    unused('storage-initialization-timeout', 'duration', 'the store is open when the server is ready'),
    unused('target-ram-mb', 'int', 'KINDFORGE_HISTORY_SIZE sets the size of the history'),
    warned('disable-http2-serving', 'switch', 'HTTP/2 is offered in any case', 'false'),
    unused('allow-metric-labels-manifest', 'string', ownMetrics),
    passed('coordinated-leadership-lease-duration', 'duration'),
    passed('coordinated-leadership-renew-deadline', 'duration'),
    passed('coordinated-leadership-retry-period', 'duration'),
    unused('emulation-forward-compatible', 'switch', 'the versions of a release are fixed'),
    unused('enable-logs-handler', 'switch', 'logs are not served'),
    unused('log-json-info-buffer-size', 'quantity', ownLog),
    unused('log-json-split-stream', 'switch', ownLog),
    unused('log-text-info-buffer-size', 'quantity', ownLog),
    unused('log-text-split-stream', 'switch', ownLog),
    unused('min-compatibility-version', 'strings', 'the emulated release decides'),
    unused('peer-advertise-ip', 'string', noPeers),
    unused('peer-advertise-port', 'string', noPeers),
    unused('peer-ca-file', 'string', noPeers),
    warned('tls-curve-preferences', 'int32Slice', 'Node chooses the curves'),
    passed('service-account-signing-endpoint', 'string'),
    warned('requestheader-uid-headers', 'strings', 'proxies pass on no uid'),
    used('emulated-version', 'strings', 'selects the release to emulate, as in 1.34 or kube=1.34'),
    warned('runtime-config-emulation-forward-compatible', 'switch', 'versions are never removed because of their age'),
    passed('authentication-config', 'string'),
    passed('authorization-config', 'string'),
    refused('basic-auth-file', 'string', 'use --token-auth-file'),
    refused('experimental-encryption-provider-config', 'string', 'use --encryption-provider-config'),
  ],
};
