/** Flags of kube-apiserver about requests, the store, and where it listens. */
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
    unused('external-hostname', 'string', 'no document names the server by it'),
    used(
      'feature-gates',
      'mapStringBool',
      'as in kindforge serve; gates that are not known are left out with a warning',
    ),
    unused('goaway-chance', 'float', 'no connection is told to go elsewhere'),
    passed('livez-grace-period', 'duration'),
    passed('max-mutating-requests-inflight', 'int'),
    passed('max-requests-inflight', 'int'),
    warned('min-request-timeout', 'int', 'watches without a timeout end after half an hour', '1800'),
    passed('request-timeout', 'duration'),
    unused('send-retry-after-while-not-ready-once', 'switch', 'no request comes through before the server is ready'),
    passed('shutdown-delay-duration', 'duration'),
    unused('shutdown-send-retry-after', 'switch', 'what is in progress is answered, and nothing else let in'),
    unused('shutdown-watch-termination-grace-period', 'duration', 'watches end as soon as the server stops'),
    warned('strict-transport-security-directives', 'strings', 'no such header is sent'),
  ],
};

export const etcd: ApiServerFlagGroup = {
  heading: 'Etcd',
  flags: [
    unused('delete-collection-workers', 'int', 'collections are deleted one object after the other'),
    warned('enable-garbage-collector', 'switch', 'deletions ask for garbage collection in any case', 'true'),
    refused('encryption-provider-config', 'string', 'what is stored is not encrypted'),
    unused('encryption-provider-config-automatic-reload', 'switch', 'what is stored is not encrypted'),
    unused('etcd-cafile', 'string', noEtcd),
    unused('etcd-certfile', 'string', noEtcd),
    unused('etcd-compaction-interval', 'duration', 'history is kept as KINDFORGE_HISTORY_WINDOW says'),
    unused('etcd-count-metric-poll-period', 'duration', noEtcd),
    unused('etcd-db-metric-poll-interval', 'duration', noEtcd),
    unused('etcd-healthcheck-timeout', 'duration', noEtcd),
    unused('etcd-keyfile', 'string', noEtcd),
    unused('etcd-prefix', 'string', noEtcd),
    unused('etcd-readycheck-timeout', 'duration', noEtcd),
    unused('etcd-servers', 'strings', 'objects are stored in memory, or where KINDFORGE_STORAGE says'),
    unused('etcd-servers-overrides', 'strings', noEtcd),
    unused('lease-reuse-duration-seconds', 'int', noEtcd),
    unused('storage-backend', 'string', noEtcd),
    unused('storage-media-type', 'string', 'objects are stored as the bytes that they are sent as'),
    unused('watch-cache', 'switch', 'reads come from memory in any case'),
    unused('watch-cache-sizes', 'strings', 'history is kept as KINDFORGE_HISTORY_SIZE says'),
  ],
};

export const secureServing: ApiServerFlagGroup = {
  heading: 'Secure serving',
  flags: [
    passed('bind-address', 'ip', 'as in kindforge serve: 127.0.0.1, if absent'),
    used(
      'cert-dir',
      'string',
      'apiserver.crt and apiserver.key in it are the certificate, made where they are not there; a kubeconfig of an administrator is put there too, unless --token-auth-file names the users',
    ),
    passed('http2-max-streams-per-connection', 'int'),
    unused('permit-address-sharing', 'switch', 'addresses that are just left can be had again in any case'),
    warned('permit-port-sharing', 'switch', 'a port is had by one server', 'false'),
    passed('secure-port', 'int', 'as in kindforge serve: 6443, if absent; 0 turns TLS off'),
    passed('tls-cert-file', 'string'),
    passed('tls-cipher-suites', 'strings'),
    passed('tls-min-version', 'string'),
    passed('tls-private-key-file', 'string'),
    passed('tls-sni-cert-key', 'namedCertKey'),
  ],
};
