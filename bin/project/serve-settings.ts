/** The settings of `kindforge serve` in the configuration of a project: its flags. A test writes this file. */

/** A value of a setting. A list becomes text with commas between its items, an object a list of `name=value` pairs. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, string | number | boolean>>;

/** All of them are optional. */
export interface ServeSettings {
  /** Serve definitions that break the released ones, and log what they break. */
  readonly 'allow-breaking-changes'?: boolean;
  /** Feature gates to set, such as A=true,B=false. */
  readonly 'feature-gates'?: SettingValue;
  /** API versions to enable or disable, such as api/alpha=true,<group>/<version>/<resource>=false. */
  readonly 'runtime-config'?: SettingValue;
  /** API release to emulate; without it 1.27 with the latest machinery for custom resources. */
  readonly 'emulated-version'?: SettingValue;
  /** Release of your own definitions to serve, as in 2.1; without it everything that they have. */
  readonly 'project-release'?: SettingValue;
  /** Controllers to run, comma-separated: * for those on by default, name to add one, -name to leave one out; or none. Default: *. */
  readonly controllers?: SettingValue;
  /** Nodes that the controller workloads-simulated creates and keeps ready; --controllers must include it. Default: 1. */
  readonly 'simulate-nodes'?: SettingValue;
  /** Run the controllers in only one of the servers that share a store. */
  readonly 'leader-elect'?: boolean;
  /** Coordinated leader election: how long other servers wait after the last renewal before they take over. Default: 15s. */
  readonly 'coordinated-leadership-lease-duration'?: SettingValue;
  /** Coordinated leader election: how long the present server goes on after its last renewal. Default: 10s. */
  readonly 'coordinated-leadership-renew-deadline'?: SettingValue;
  /** Coordinated leader election: time between two renewals, and between two attempts to take over. Default: 2s. */
  readonly 'coordinated-leadership-retry-period'?: SettingValue;
  /** Let the subresource proxy of pods, services and nodes reach loopback and link-local addresses. */
  readonly 'proxy-loopback'?: boolean;
  /** IP range of Services in CIDR notation, or one IPv4 and one IPv6 range, comma-separated. Default: 10.0.0.0/16. */
  readonly 'service-cluster-ip-range'?: SettingValue;
  /** Range of node ports of Services. Default: 30000-32767. */
  readonly 'service-node-port-range'?: SettingValue;
  /** How long a pod stays on a node that is not ready, unless the pod says otherwise. Default: 300. */
  readonly 'default-not-ready-toleration-seconds'?: SettingValue;
  /** How long a pod stays on a node that is not reachable, unless the pod says otherwise. Default: 300. */
  readonly 'default-unreachable-toleration-seconds'?: SettingValue;
  /** Port for TLS, HTTP/2 included; auto chooses a free port, 0 turns TLS off. Default: 6443. */
  readonly 'secure-port'?: SettingValue;
  /** Address for TLS, such as 0.0.0.0 for all addresses of the machine. */
  readonly 'bind-address'?: SettingValue;
  /** Address at which clients reach the server. */
  readonly 'advertise-address'?: SettingValue;
  /** Port for plain HTTP; auto chooses a free port, 0 turns plain HTTP off. Default: 8080. */
  readonly 'http-port'?: SettingValue;
  /** Loopback address for plain HTTP. Default: 127.0.0.1. */
  readonly host?: SettingValue;
  /** Comma-separated further names of the server, as in kf.example.com. */
  readonly 'allowed-hosts'?: SettingValue;
  /** Comma-separated origins of pages that may write and open WebSockets, as in https://console.example.com. */
  readonly 'allowed-origins'?: SettingValue;
  /** Comma-separated regular expressions of origins of pages that may also read, as in //example\.com(:|$); may be given more than once. */
  readonly 'cors-allowed-origins'?: SettingValue;
  /** True or false: serve the console, a web application for all kinds, at /console/. */
  readonly console?: SettingValue;
  /** PEM certificate, followed by its chain. */
  readonly 'tls-cert-file'?: SettingValue;
  /** PEM private key of the certificate. */
  readonly 'tls-private-key-file'?: SettingValue;
  /** Further name or address for the certificate that the server makes; may be given more than once. */
  readonly 'tls-san'?: SettingValue;
  /** Certificate and key for clients that ask for a name: cert,key[:*.example.com,example.com]; may be given more than once. */
  readonly 'tls-sni-cert-key'?: SettingValue;
  /** Oldest version of TLS: VersionTLS12 or VersionTLS13. */
  readonly 'tls-min-version'?: SettingValue;
  /** Comma-separated cipher suites of TLS 1.2. */
  readonly 'tls-cipher-suites'?: SettingValue;
  /** Processes that answer requests, auto for one per core; with more than 1, another process keeps the data. Default: 1. */
  readonly workers?: SettingValue;
  /** Time between the failure of /readyz and the end of accepting connections. Default: 0s. */
  readonly 'shutdown-delay-duration'?: SettingValue;
  /** File that exists while the server is ready, with the line that --output json prints. */
  readonly 'ready-file'?: SettingValue;
  /** Stop once the process that started this one has ended. */
  readonly 'exit-with-parent'?: boolean;
  /** Time after the start during which /livez reports success, even if a check fails. Default: 0s. */
  readonly 'livez-grace-period'?: SettingValue;
  /** Store of the objects: lmdb:<folder>, fs:<folder>, memory, unstorage:<driver>[?<option>=…], etcd:<endpoint>[,…][?prefix=…], or postgres://<user>@<host>/<database>[?schema=…]. Default: lmdb:.kindforge/data. */
  readonly storage?: SettingValue;
  /** If stored data is damaged: refuse to start, serve-rest without it, or discard it. Default: refuse. */
  readonly 'on-damage'?: SettingValue;
  /** EncryptionConfiguration that says which resources are encrypted with which keys, in YAML. */
  readonly 'encryption-provider-config'?: SettingValue;
  /** How long to keep changes for watches and for lists at a resourceVersion, from 1s to 24h. Default: 5m. */
  readonly 'history-window'?: SettingValue;
  /** Memory for earlier versions of objects, from 1Mi to 1Ti; the oldest are dropped first. Default: 64Mi. */
  readonly 'history-size'?: SettingValue;
  /** Largest object to store, from 16Ki to 64Mi; writes that would make a larger one are refused. Default: 1536Ki. */
  readonly 'max-object-bytes'?: SettingValue;
  /** PEM authorities of client certificates: the common name is the user, organizations are groups. */
  readonly 'client-ca-file'?: SettingValue;
  /** CSV file of bearer tokens: token,user,uid,"group,group". */
  readonly 'token-auth-file'?: SettingValue;
  /** AuthenticationConfiguration in YAML, in place of the flags of OpenID Connect: issuers of tokens, and what needs no credentials; read again when it changes. */
  readonly 'authentication-config'?: SettingValue;
  /** Accept bootstrap tokens, which are stored as secrets of the system namespace. */
  readonly 'enable-bootstrap-token-auth'?: boolean;
  /** True or false: accept requests without credentials, as user system:anonymous. */
  readonly 'anonymous-auth'?: SettingValue;
  /** Make everyone on this machine an administrator, without credentials. */
  readonly 'allow-everyone'?: boolean;
  /** True or false: have an administrator, with credentials derived from the data's secret. */
  readonly administrator?: SettingValue;
  /** Folder for the administrator's credentials. */
  readonly 'credentials-dir'?: SettingValue;
  /** Issuer of service account tokens; if given more than once, new tokens name the first, and all are accepted. */
  readonly 'service-account-issuer'?: SettingValue;
  /** PEM private key that signs these tokens, RSA or P-256. */
  readonly 'service-account-signing-key-file'?: SettingValue;
  /** Unix socket of a signer of these tokens, instead of files of keys; since release 1.34. */
  readonly 'service-account-signing-endpoint'?: SettingValue;
  /** Further PEM keys that verify such tokens; may be given more than once. */
  readonly 'service-account-key-file'?: SettingValue;
  /** URL at which others find the keys of these tokens. */
  readonly 'service-account-jwks-uri'?: SettingValue;
  /** True or false: accept the token of a secret only while the secret and the account exist. Default: true. */
  readonly 'service-account-lookup'?: SettingValue;
  /** Longest lifetime of such a token; at least 1h. */
  readonly 'service-account-max-token-expiration'?: SettingValue;
  /** Comma-separated audiences of tokens for this server. */
  readonly 'api-audiences'?: SettingValue;
  /** HTTPS URL of the identity provider to accept ID tokens from. */
  readonly 'oidc-issuer-url'?: SettingValue;
  /** Client that these tokens must be for. */
  readonly 'oidc-client-id'?: SettingValue;
  /** Claim with the name of the user. Default: sub. */
  readonly 'oidc-username-claim'?: SettingValue;
  /** Prefix of user names; - for none. */
  readonly 'oidc-username-prefix'?: SettingValue;
  /** Claim with the groups of the user: a list of texts, or one. */
  readonly 'oidc-groups-claim'?: SettingValue;
  /** Prefix of group names. */
  readonly 'oidc-groups-prefix'?: SettingValue;
  /** Claim that tokens must have, with its text; may be given more than once. */
  readonly 'oidc-required-claim'?: SettingValue;
  /** PEM authorities of the provider's certificate. */
  readonly 'oidc-ca-file'?: SettingValue;
  /** Comma-separated algorithms of signatures: RS256 to RS512, ES256 to ES512, PS256 to PS512. Default: RS256. */
  readonly 'oidc-signing-algs'?: SettingValue;
  /** Kubeconfig of a webhook that checks tokens: its cluster is the webhook, its user this server. */
  readonly 'authentication-token-webhook-config-file'?: SettingValue;
  /** How long to cache answers of the webhook. Default: 2m. */
  readonly 'authentication-token-webhook-cache-ttl'?: SettingValue;
  /** Version of the TokenReviews that it gets: v1 or v1beta1, with or without its group. Default: v1beta1. */
  readonly 'authentication-token-webhook-version'?: SettingValue;
  /** PEM authorities of the certificates of proxies, which name the user of a request in headers. */
  readonly 'requestheader-client-ca-file'?: SettingValue;
  /** Common names of these certificates; may be given more than once, or with commas. */
  readonly 'requestheader-allowed-names'?: SettingValue;
  /** Headers with the name of the user, such as X-Remote-User; the first with a value counts. */
  readonly 'requestheader-username-headers'?: SettingValue;
  /** Headers with groups, such as X-Remote-Group; all values count. */
  readonly 'requestheader-group-headers'?: SettingValue;
  /** Prefixes of headers with extras, such as X-Remote-Extra-. */
  readonly 'requestheader-extra-headers-prefix'?: SettingValue;
  /** Serve behind the aggregation layer of a cluster, which decides about users, rights and namespaces. */
  readonly aggregated?: boolean;
  /** Kubeconfig by which the server calls that cluster. */
  readonly kubeconfig?: SettingValue;
  /** How long to cache answers of that cluster about tokens and rights. Default: 10s. */
  readonly 'aggregated-cache-ttl'?: SettingValue;
  /** Comma-separated authorizers: RBAC, ABAC, Node, Webhook, AlwaysAllow, AlwaysDeny. */
  readonly 'authorization-mode'?: SettingValue;
  /** AuthorizationConfiguration in YAML, in place of the mode and the webhook: authorizers in their order, several webhooks among them, with conditions; read again when it changes. */
  readonly 'authorization-config'?: SettingValue;
  /** Policies for ABAC, a JSON object in each line. */
  readonly 'authorization-policy-file'?: SettingValue;
  /** Kubeconfig for the mode Webhook: its cluster is the webhook, its user this server. */
  readonly 'authorization-webhook-config-file'?: SettingValue;
  /** Version of the SubjectAccessReviews that it gets: v1 or v1beta1. */
  readonly 'authorization-webhook-version'?: SettingValue;
  /** How long to cache decisions of the webhook that allow a request. */
  readonly 'authorization-webhook-cache-authorized-ttl'?: SettingValue;
  /** How long to cache other decisions of the webhook. */
  readonly 'authorization-webhook-cache-unauthorized-ttl'?: SettingValue;
  /** Longest lifetime of a signed certificate; at least 10m. Default: 8760h. */
  readonly 'cluster-signing-duration'?: SettingValue;
  /** PEM authority that signs certificates. */
  readonly 'cluster-signing-cert-file'?: SettingValue;
  /** PEM private key of that authority: RSA, P-256, P-384, P-521 or Ed25519. */
  readonly 'cluster-signing-key-file'?: SettingValue;
  /** PEM authority that signs for the signer apiserver-client. */
  readonly 'cluster-signing-apiserver-client-cert-file'?: SettingValue;
  /** PEM private key of the authority for the signer apiserver-client. */
  readonly 'cluster-signing-apiserver-client-key-file'?: SettingValue;
  /** PEM authority that signs for the signer apiserver-client-agent. */
  readonly 'cluster-signing-apiserver-client-agent-cert-file'?: SettingValue;
  /** PEM private key of the authority for the signer apiserver-client-agent. */
  readonly 'cluster-signing-apiserver-client-agent-key-file'?: SettingValue;
  /** PEM authority that signs for the signer agent-serving. */
  readonly 'cluster-signing-agent-serving-cert-file'?: SettingValue;
  /** PEM private key of the authority for the signer agent-serving. */
  readonly 'cluster-signing-agent-serving-key-file'?: SettingValue;
  /** PEM authority that signs for the signer legacy-unknown. */
  readonly 'cluster-signing-legacy-unknown-cert-file'?: SettingValue;
  /** PEM private key of the authority for the signer legacy-unknown. */
  readonly 'cluster-signing-legacy-unknown-key-file'?: SettingValue;
  /** Comma-separated admission plugins to run besides the default ones. */
  readonly 'enable-admission-plugins'?: SettingValue;
  /** Comma-separated admission plugins not to run. */
  readonly 'disable-admission-plugins'?: SettingValue;
  /** AdmissionConfiguration with the configurations of admission plugins, in YAML. */
  readonly 'admission-control-config-file'?: SettingValue;
  /** Address of the webhook or API server behind a Service, in place of its cluster address, as in shop/hook=https://127.0.0.1:9443; may be given more than once. */
  readonly 'service-resolver'?: SettingValue;
  /** PEM certificate that this server shows to API servers behind Services; it makes one by default. */
  readonly 'proxy-client-cert-file'?: SettingValue;
  /** PEM key of this certificate. */
  readonly 'proxy-client-key-file'?: SettingValue;
  /** Send requests to an endpoint of the Service, not to its cluster address. */
  readonly 'enable-aggregator-routing'?: boolean;
  /** Whether priority levels share the requests in progress; if false, only the two limits below apply. Default: true. */
  readonly 'enable-priority-and-fairness'?: SettingValue;
  /** Reading requests in progress; priority levels share the sum of this and the next. Default: 400. */
  readonly 'max-requests-inflight'?: SettingValue;
  /** Writing requests in progress; without priority levels, 0 means no limit for either. Default: 200. */
  readonly 'max-mutating-requests-inflight'?: SettingValue;
  /** Longest time that clients can ask for with timeout=; a request waits for its turn for at most a quarter of it. Default: 1m. */
  readonly 'request-timeout'?: SettingValue;
  /** Largest size of a request body. Default: 3Mi. */
  readonly 'max-request-body-bytes'?: SettingValue;
  /** Largest size of all headers of a request together; at most 16Ki over HTTP/2. Default: 1Mi. */
  readonly 'max-header-bytes'?: SettingValue;
  /** Largest number of headers of a request. Default: 25000. */
  readonly 'max-headers'?: SettingValue;
  /** Largest length of a URL. Default: 64Ki. */
  readonly 'max-url-bytes'?: SettingValue;
  /** Time for all headers of a request to arrive. Default: 32s. */
  readonly 'header-timeout'?: SettingValue;
  /** Time that a connection stays open without a request. Default: 90s. */
  readonly 'idle-timeout'?: SettingValue;
  /** Open connections in all. Default: 10000. */
  readonly 'max-connections'?: SettingValue;
  /** Open connections of one user. Default: 5000. */
  readonly 'max-connections-per-user'?: SettingValue;
  /** Requests at a time on one HTTP/2 connection, watches among them. Default: 250. */
  readonly 'http2-max-streams-per-connection'?: SettingValue;
  /** Most bytes of changes that wait for a slow watcher; beyond that, its watch ends. Default: 16Mi. */
  readonly 'max-watch-buffer-bytes'?: SettingValue;
  /** Audit policy, in YAML. */
  readonly 'audit-policy-file'?: SettingValue;
  /** File to write records to; - for standard output. */
  readonly 'audit-log-path'?: SettingValue;
  /** Format of the file: json, with a record in each line. Default: json. */
  readonly 'audit-log-format'?: SettingValue;
  /** Days to keep older files; 0 for ever. Default: 0. */
  readonly 'audit-log-maxage'?: SettingValue;
  /** Older files to keep; 0 for all. Default: 0. */
  readonly 'audit-log-maxbackup'?: SettingValue;
  /** Size at which a new file begins; 0 means 100. Default: 0. */
  readonly 'audit-log-maxsize'?: SettingValue;
  /** Compress older files with gzip. */
  readonly 'audit-log-compress'?: boolean;
  /** Mode of writing records: batch, after the answers; blocking, before; blocking-strict also refuses requests that cannot be recorded. Default: blocking. */
  readonly 'audit-log-mode'?: SettingValue;
  /** Mode batch: records that may wait; further ones are lost. Default: 10000. */
  readonly 'audit-log-batch-buffer-size'?: SettingValue;
  /** Mode batch: records to write at once. Default: 1. */
  readonly 'audit-log-batch-max-size'?: SettingValue;
  /** Mode batch: how long a batch may wait to become full. Default: 0s. */
  readonly 'audit-log-batch-max-wait'?: SettingValue;
  /** Mode batch: whether to limit the batches written in a second, true or false. Default: false. */
  readonly 'audit-log-batch-throttle-enable'?: SettingValue;
  /** Mode batch: batches to write in a second. Default: 0. */
  readonly 'audit-log-batch-throttle-qps'?: SettingValue;
  /** Mode batch: batches to write at once after a pause. Default: 0. */
  readonly 'audit-log-batch-throttle-burst'?: SettingValue;
  /** Leave bodies out of records that are too large, and drop records that are still too large. */
  readonly 'audit-log-truncate-enabled'?: boolean;
  /** Largest record, with --audit-log-truncate-enabled. Default: 102400. */
  readonly 'audit-log-truncate-max-event-size'?: SettingValue;
  /** Largest batch, with --audit-log-truncate-enabled. Default: 10485760. */
  readonly 'audit-log-truncate-max-batch-size'?: SettingValue;
  /** Version of records: audit.k8s.io/v1 or audit.platform.io/v1; --naming decides which of them records have. Default: audit.k8s.io/v1. */
  readonly 'audit-log-version'?: SettingValue;
  /** Kubeconfig of a webhook to post records to. */
  readonly 'audit-webhook-config-file'?: SettingValue;
  /** Batch, blocking or blocking-strict, as for the log. Default: batch. */
  readonly 'audit-webhook-mode'?: SettingValue;
  /** Pause before a post that failed is tried again. Default: 10s. */
  readonly 'audit-webhook-initial-backoff'?: SettingValue;
  /** Mode batch: records that may wait; further ones are lost. Default: 10000. */
  readonly 'audit-webhook-batch-buffer-size'?: SettingValue;
  /** Mode batch: records in one post. Default: 400. */
  readonly 'audit-webhook-batch-max-size'?: SettingValue;
  /** Mode batch: how long a post may wait to become full. Default: 30s. */
  readonly 'audit-webhook-batch-max-wait'?: SettingValue;
  /** Mode batch: whether to limit the posts in a second, true or false. Default: true. */
  readonly 'audit-webhook-batch-throttle-enable'?: SettingValue;
  /** Mode batch: posts in a second. Default: 10. */
  readonly 'audit-webhook-batch-throttle-qps'?: SettingValue;
  /** Mode batch: posts to send at once after a pause. Default: 15. */
  readonly 'audit-webhook-batch-throttle-burst'?: SettingValue;
  /** Leave bodies out of records that are too large, and drop records that are still too large. */
  readonly 'audit-webhook-truncate-enabled'?: boolean;
  /** Largest record, with --audit-webhook-truncate-enabled. Default: 102400. */
  readonly 'audit-webhook-truncate-max-event-size'?: SettingValue;
  /** Largest post, with --audit-webhook-truncate-enabled. Default: 10485760. */
  readonly 'audit-webhook-truncate-max-batch-size'?: SettingValue;
  /** Version of records, as for the log. Default: audit.k8s.io/v1. */
  readonly 'audit-webhook-version'?: SettingValue;
  /** Text for people, or json for programs. Default: text. */
  readonly 'log-format'?: SettingValue;
  /** Least important lines to log: info, warn or error. Default: info. */
  readonly 'log-level'?: SettingValue;
  /** Log a line of level info for each request, without its secrets. */
  readonly 'log-requests'?: boolean;
  /** Previous release, such as 0.3, to show metrics that have been hidden since then. */
  readonly 'show-hidden-metrics-for-version'?: SettingValue;
  /** Let users who may read /debug/pprof/* take profiles of CPU and heap there. */
  readonly profiling?: boolean;
  /** TracingConfiguration that says where traces of requests go, in YAML. */
  readonly 'tracing-config-file'?: SettingValue;
  /** Output once the server is ready: text, or json for one line with address, kubeconfig and pid. Default: text. */
  readonly output?: SettingValue;
  /** Print nothing but errors. */
  readonly quiet?: boolean;
}

/** The kinds of values: `path` for files and folders, `store` for what may name a folder. */
export const serveSettingKinds: Readonly<Record<keyof ServeSettings, 'switch' | 'text' | 'path' | 'store'>> = {
  'allow-breaking-changes': 'switch',
  'feature-gates': 'text',
  'runtime-config': 'text',
  'emulated-version': 'text',
  'project-release': 'text',
  controllers: 'text',
  'simulate-nodes': 'text',
  'leader-elect': 'switch',
  'coordinated-leadership-lease-duration': 'text',
  'coordinated-leadership-renew-deadline': 'text',
  'coordinated-leadership-retry-period': 'text',
  'proxy-loopback': 'switch',
  'service-cluster-ip-range': 'text',
  'service-node-port-range': 'text',
  'default-not-ready-toleration-seconds': 'text',
  'default-unreachable-toleration-seconds': 'text',
  'secure-port': 'text',
  'bind-address': 'text',
  'advertise-address': 'text',
  'http-port': 'text',
  host: 'text',
  'allowed-hosts': 'text',
  'allowed-origins': 'text',
  'cors-allowed-origins': 'text',
  console: 'text',
  'tls-cert-file': 'path',
  'tls-private-key-file': 'path',
  'tls-san': 'text',
  'tls-sni-cert-key': 'text',
  'tls-min-version': 'text',
  'tls-cipher-suites': 'text',
  workers: 'text',
  'shutdown-delay-duration': 'text',
  'ready-file': 'path',
  'exit-with-parent': 'switch',
  'livez-grace-period': 'text',
  storage: 'store',
  'on-damage': 'text',
  'encryption-provider-config': 'path',
  'history-window': 'text',
  'history-size': 'text',
  'max-object-bytes': 'text',
  'client-ca-file': 'path',
  'token-auth-file': 'path',
  'authentication-config': 'path',
  'enable-bootstrap-token-auth': 'switch',
  'anonymous-auth': 'text',
  'allow-everyone': 'switch',
  administrator: 'text',
  'credentials-dir': 'path',
  'service-account-issuer': 'text',
  'service-account-signing-key-file': 'path',
  'service-account-signing-endpoint': 'text',
  'service-account-key-file': 'path',
  'service-account-jwks-uri': 'text',
  'service-account-lookup': 'text',
  'service-account-max-token-expiration': 'text',
  'api-audiences': 'text',
  'oidc-issuer-url': 'text',
  'oidc-client-id': 'text',
  'oidc-username-claim': 'text',
  'oidc-username-prefix': 'text',
  'oidc-groups-claim': 'text',
  'oidc-groups-prefix': 'text',
  'oidc-required-claim': 'text',
  'oidc-ca-file': 'path',
  'oidc-signing-algs': 'text',
  'authentication-token-webhook-config-file': 'path',
  'authentication-token-webhook-cache-ttl': 'text',
  'authentication-token-webhook-version': 'text',
  'requestheader-client-ca-file': 'path',
  'requestheader-allowed-names': 'text',
  'requestheader-username-headers': 'text',
  'requestheader-group-headers': 'text',
  'requestheader-extra-headers-prefix': 'text',
  aggregated: 'switch',
  kubeconfig: 'path',
  'aggregated-cache-ttl': 'text',
  'authorization-mode': 'text',
  'authorization-config': 'path',
  'authorization-policy-file': 'path',
  'authorization-webhook-config-file': 'path',
  'authorization-webhook-version': 'text',
  'authorization-webhook-cache-authorized-ttl': 'text',
  'authorization-webhook-cache-unauthorized-ttl': 'text',
  'cluster-signing-duration': 'text',
  'cluster-signing-cert-file': 'path',
  'cluster-signing-key-file': 'path',
  'cluster-signing-apiserver-client-cert-file': 'path',
  'cluster-signing-apiserver-client-key-file': 'path',
  'cluster-signing-apiserver-client-agent-cert-file': 'path',
  'cluster-signing-apiserver-client-agent-key-file': 'path',
  'cluster-signing-agent-serving-cert-file': 'path',
  'cluster-signing-agent-serving-key-file': 'path',
  'cluster-signing-legacy-unknown-cert-file': 'path',
  'cluster-signing-legacy-unknown-key-file': 'path',
  'enable-admission-plugins': 'text',
  'disable-admission-plugins': 'text',
  'admission-control-config-file': 'path',
  'service-resolver': 'text',
  'proxy-client-cert-file': 'path',
  'proxy-client-key-file': 'path',
  'enable-aggregator-routing': 'switch',
  'enable-priority-and-fairness': 'text',
  'max-requests-inflight': 'text',
  'max-mutating-requests-inflight': 'text',
  'request-timeout': 'text',
  'max-request-body-bytes': 'text',
  'max-header-bytes': 'text',
  'max-headers': 'text',
  'max-url-bytes': 'text',
  'header-timeout': 'text',
  'idle-timeout': 'text',
  'max-connections': 'text',
  'max-connections-per-user': 'text',
  'http2-max-streams-per-connection': 'text',
  'max-watch-buffer-bytes': 'text',
  'audit-policy-file': 'path',
  'audit-log-path': 'path',
  'audit-log-format': 'text',
  'audit-log-maxage': 'text',
  'audit-log-maxbackup': 'text',
  'audit-log-maxsize': 'text',
  'audit-log-compress': 'switch',
  'audit-log-mode': 'text',
  'audit-log-batch-buffer-size': 'text',
  'audit-log-batch-max-size': 'text',
  'audit-log-batch-max-wait': 'text',
  'audit-log-batch-throttle-enable': 'text',
  'audit-log-batch-throttle-qps': 'text',
  'audit-log-batch-throttle-burst': 'text',
  'audit-log-truncate-enabled': 'switch',
  'audit-log-truncate-max-event-size': 'text',
  'audit-log-truncate-max-batch-size': 'text',
  'audit-log-version': 'text',
  'audit-webhook-config-file': 'path',
  'audit-webhook-mode': 'text',
  'audit-webhook-initial-backoff': 'text',
  'audit-webhook-batch-buffer-size': 'text',
  'audit-webhook-batch-max-size': 'text',
  'audit-webhook-batch-max-wait': 'text',
  'audit-webhook-batch-throttle-enable': 'text',
  'audit-webhook-batch-throttle-qps': 'text',
  'audit-webhook-batch-throttle-burst': 'text',
  'audit-webhook-truncate-enabled': 'switch',
  'audit-webhook-truncate-max-event-size': 'text',
  'audit-webhook-truncate-max-batch-size': 'text',
  'audit-webhook-version': 'text',
  'log-format': 'text',
  'log-level': 'text',
  'log-requests': 'switch',
  'show-hidden-metrics-for-version': 'text',
  profiling: 'switch',
  'tracing-config-file': 'path',
  output: 'text',
  quiet: 'switch',
};
