/** The options of `startServer`. */

import type { Controller } from '../controllers/kit/index.js';
import type { TolerationSeconds } from '../plugins/index.js';
import type { Clock, OnLoading } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { EmulatedVersion } from '../runtime/objects/release.js';
import type { Door, ExtendApp, OnAuditNote, OnDeprecatedUse, OnRequest } from '../runtime/server/index.js';
import type { ServiceRanges } from '../strategies/index.js';
import type { AuthenticationOptions, AuthorizationOptions } from './access-options.js';
import type { AggregatedOption } from './aggregated/cluster-client.js';
import type { DefineKinds, Kinds } from './kinds.js';
import type { Schemas } from './load-definitions.js';
import type { OnProblem } from './option-error.js';
import type { AuditStartOptions } from './parts/audit-options.js';
import type { LimitsOption } from './parts/check-limits.js';
import type { AdmissionOptions } from './parts/open-admission.js';
import type { EncryptionOption } from './parts/open-encryption.js';
import type { SigningOption } from './parts/signing-option.js';
import type { DamageOption, HistoryOption, StorageOption } from './parts/storage-options.js';
import type { TracingOption } from './parts/tracing-file.js';
import type { RunningServer } from './running-server.js';
import type { CertificateFiles, TlsOption } from './transport/tls-option.js';

/** A step of your own in the life of a server. */
export type ServerHook = (server: RunningServer) => void | Promise<void>;

/**
 * The options of a server. Each has a default: `startServer()` serves the built-in kinds from memory, on a free port of
 * 127.0.0.1, to its administrator only.
 *
 * The start refuses invalid options with an `OptionError`, if possible before it opens anything.
 */
export interface StartOptions {
  /** The naming of the API. Default: `platform`. */
  readonly naming?: Naming['id'];
  /**
   * Kinds with their code: a value, or a function of the server's naming and settings. Without `builtinKinds` in the
   * list, the server has no built-in kinds, and so no namespaces and no roles. Default: `[builtinKinds]`.
   */
  readonly kinds?: readonly (DefineKinds | Partial<Kinds>)[];
  /**
   * A folder of further definitions, native or CustomResourceDefinitions, or the modules made from them. They replace
   * kinds of the same name. Rejects with a `DefinitionsError` if they have mistakes. Default: none.
   */
  readonly schemas?: Schemas;
  /**
   * Whether definitions may break what their folder has recorded as released; the server then reports each break as a
   * problem. Default: false, which rejects with a `BreakingChangesError`.
   */
  readonly allowBreakingChanges?: boolean | undefined;
  /** The storage of objects. Default: `memory`. */
  readonly storage?: StorageOption;
  /**
   * Whether the server refuses damaged data, leaves it out, or removes it for good. Default: `refuse`, which rejects
   * with a `DamagedStoreError`.
   */
  readonly onDamage?: DamageOption;
  /**
   * The encryption of stored objects, of their history, and of snapshots. Rejects with a `LockedStoreError` if a stored
   * object needs a key that is missing. Default: no encryption.
   */
  readonly encryption?: EncryptionOption | undefined;
  /** How much history the server keeps for watches and lists. Default: five minutes, at most 64 MiB. */
  readonly history?: HistoryOption;
  /** The size limit of a stored object, in bytes; the server answers larger writes with 413. Default: 1.5 MiB. */
  readonly maxObjectBytes?: number;
  /**
   * The address for plain HTTP, or `false`. A server with neither HTTP nor TLS only serves its own process. Default: a
   * free port of 127.0.0.1.
   */
  readonly http?: HttpOption | false;
  /**
   * The address and certificates for TLS; `{}` for a free port and certificates that the server makes. Default: no TLS.
   */
  readonly tls?: TlsOption;
  /**
   * The address that the server gives to clients, in discovery and in the Endpoints of its Service. Default: the bound
   * address, or the machine's first one.
   */
  readonly advertiseAddress?: string | undefined;
  /**
   * Other origins, as in `https://console.example.com`. Their pages may write and open WebSockets, like the server's
   * own pages. Default: none.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Regular expressions (RE2) of other origins, as in `^https://[a-z]+\\.example\\.com$`. Their pages may also read, by
   * cross-origin resource sharing. Default: none.
   */
  readonly corsAllowedOrigins?: readonly string[];
  /**
   * Host names that requests may use if the server allows requests without credentials, besides `localhost`, loopback
   * addresses and the names of the server's certificate. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Adds your own middleware and routes to the server's h3 app before it listens. Middleware sees all requests of
   * clients. Routes are behind the authentication and authorization of the API, and cannot replace its paths. Default:
   * none.
   */
  readonly routes?: ExtendApp;
  /**
   * A folder of pages and their files. The server sends them to everybody who reaches the port, even without
   * credentials. Default: none.
   */
  readonly pages?: string | undefined;
  /**
   * Whether the server serves the console at `/console/`. Everybody may load its files. It only shows answers of the
   * API to the user who signs in. Default: false.
   */
  readonly console?: boolean | undefined;
  /**
   * Called once the server serves, before `startServer` resolves. If it throws, the server stops and the start fails.
   */
  readonly onStart?: ServerHook | undefined;
  /**
   * Called when the server is asked to stop, while it still serves. If it throws, the server reports a problem and
   * continues to stop.
   */
  readonly onStop?: ServerHook | undefined;
  /**
   * Serves behind the aggregation layer of a cluster, under Kubernetes names and with TLS: the cluster names the
   * proxies to trust, recognizes tokens, decides about rights, and has the namespaces. The server has no built-in
   * kinds, unless `kinds` has them. Default: none.
   */
  readonly aggregated?: AggregatedOption | undefined;
  readonly authentication?: AuthenticationOptions;
  readonly authorization?: AuthorizationOptions;
  readonly admission?: AdmissionOptions;
  /** How requests reach the API servers that APIServices name. */
  readonly aggregation?: AggregationOptions;
  /** The audit log. Default: none. */
  readonly audit?: AuditStartOptions;
  /** Limits on clients. Default: see the reference of `serve`. */
  readonly limits?: LimitsOption;
  /** Traces of requests (OpenTelemetry), and their destination. Default: none. */
  readonly tracing?: TracingOption | undefined;
  /** Whether users with the right may take profiles of CPU and heap below `/debug/pprof`. Default: false. */
  readonly profiling?: boolean | undefined;
  /**
   * Controllers to run: your own, and built-in ones by name. `*` means the default ones, and `-name` leaves one out.
   * Built-in controllers run if the server serves their kinds. Default: `['*']`.
   */
  readonly controllers?: readonly (string | Controller)[];
  /** The number of nodes that `workloads-simulated` makes and keeps ready, from 0 to 1,000. Default: 1. */
  readonly simulatedNodes?: number | undefined;
  /** How the built-in signers sign approved certificate requests. */
  readonly signing?: SigningOption;
  /** Whether controllers run in only one of the servers that share a store: the holder of a Lease. Default: false. */
  readonly leaderElection?: boolean | undefined;
  /**
   * The times of a Lease. Of several servers, its holder chooses the holders of coordinated Leases (gate
   * `CoordinatedLeaderElection`).
   */
  readonly coordinatedLeadership?: LeaseTimes | undefined;
  /**
   * Whether the subresource `proxy` of pods, services and nodes reaches loopback, link-local and unspecified addresses,
   * and so programs on the machine of the server. Default: false.
   */
  readonly proxyLoopback?: boolean | undefined;
  /** Gates to switch, as in `{ WatchList: true }` or `WatchList=true`. Default: by the stage of each gate. */
  readonly featureGates?: Switches;
  /**
   * Versions and resources to switch, as in `{ 'api/alpha': true }` or `api/alpha=true`. Default: stable and beta
   * versions.
   */
  readonly runtimeConfig?: Switches;
  /**
   * The API release that the server emulates: kinds, fields, gates and behaviour. Default: 1.27 with the latest
   * machinery for custom resources.
   */
  readonly emulatedVersion?: EmulatedVersion;
  /**
   * The release of the project, as in `2.1`, if its definitions say which of its releases added or removed something.
   * Default: everything that the definitions have.
   */
  readonly projectRelease?: string | undefined;
  /** The addresses and ports for Services. Default: 10.0.0.0/16, and ports 30000 to 32767. */
  readonly serviceRanges?: ServiceRanges;
  /**
   * How many seconds pods stay on nodes that are not ready or not reachable, unless a pod sets its own time. Default:
   * 300.
   */
  readonly tolerations?: TolerationSeconds;
  /**
   * Writes the administrator's credentials, and the authority of a certificate that the server makes, into files that
   * only their owner can read. Rejects if that fails. Default: the credentials are only in the result's `kubeconfig`.
   */
  readonly credentials?: CredentialsOption;
  /**
   * Processes that answer requests: a number from 1 to 1024, or `auto` for one per core. With more than 1, this process
   * keeps the data, and starts the others. They run the same program with the same arguments, up to its call of
   * `startServer`, which makes them workers. Default: 1, which is this process.
   */
  readonly workers?: number | 'auto' | undefined;
  /** How long a stopping server continues to serve while `/readyz` already fails, in milliseconds. Default: 0. */
  readonly shutdownDelayMs?: number;
  /** How long after the start `/livez` always succeeds, in milliseconds. Default: 0. */
  readonly livezGraceMs?: number;
  /**
   * The clock of the API, tokens, watches, history and controllers. Protection of the server (timeouts, fairness),
   * certificates, metrics and logs use the machine's clock. Default: the machine's.
   */
  readonly clock?: Clock | undefined;
  /** Receives requests before the server, and passes them on or answers them itself. Default: none. */
  readonly door?: Door | undefined;
  /**
   * Whether the store already holds the objects that a server with the same options makes at its start, so the server
   * does not check them. Default: false.
   */
  readonly bootstrapped?: boolean;
  /** The flags that `/flagz` shows, by name. Default: none. */
  readonly shownFlags?: Readonly<Record<string, string>>;
  /** The version that the server reports. Default: the version of the package. */
  readonly productVersion?: string;
  /** Receives the notes for the audit of requests. Default: none. */
  readonly onAuditNote?: OnAuditNote;
  /** Receives each request to a deprecated version. Default: none. */
  readonly onDeprecatedUse?: OnDeprecatedUse;
  /** Receives a sentence when somebody first reads a deprecated metric. Default: `onProblem`. */
  readonly onDeprecatedMetric?: (notice: string) => void;
  /** The previous release, to show the deprecated metrics that this release hides. Default: none. */
  readonly showHiddenMetricsFor?: string;
  /** Receives each answered request, without its secrets. Default: none. */
  readonly onRequest?: OnRequest;
  /** Receives the progress of reading stored data, from half a second after the start. Default: none. */
  readonly onLoading?: OnLoading | undefined;
  /** Receives problems that do not stop the server. Default: a line on standard error with the prefix `kindforge:`. */
  readonly onProblem?: OnProblem;
}

export type { LoadProgress, OnLoading } from '../runtime/contract/index.js';
export type { OnRequest, RequestRecord } from '../runtime/server/index.js';
export type { OnProblem } from './option-error.js';
export type { AdmissionOptions } from './parts/open-admission.js';

/** Comma-separated text, as in flags, or an object. */
export type Switches = string | Readonly<Record<string, boolean>>;

/** The options of a server that listens. */
export type ListeningOptions = StartOptions &
  ({ readonly http?: HttpOption } | { readonly http: false; readonly tls: TlsOption });

export interface HttpOption {
  /** A loopback address. Default: 127.0.0.1. */
  readonly host?: string;
  /** 1 to 65535, or `auto` for a free one. Default: `auto`. */
  readonly port?: number | 'auto';
  /** The file descriptor of a listening socket, instead of address and port. Default: none. */
  readonly fd?: number;
}

/** How requests reach the API servers behind this one. */
export interface AggregationOptions {
  /**
   * The certificate that this server shows to them. It is read again when it changes. Default: one that the server
   * makes. Its authority is in the ConfigMap `extension-apiserver-authentication`.
   */
  readonly proxyCertificate?: CertificateFiles;
  /** Whether requests go to an endpoint of a Service, and not to its cluster address. Default: false. */
  readonly toEndpoints?: boolean;
}

export interface CredentialsOption {
  /** Created if missing. Default: a temporary folder, which the server removes when it stops. */
  readonly folder?: string;
}

/** The times of a Lease, in milliseconds. */
export interface LeaseTimes {
  /** How long others wait after the last renewal, 1000 or more. Default: 15000. */
  readonly durationMs?: number;
  /** How long the holder acts after its last renewal; less than the duration. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** The pause between two renewals, or attempts. The deadline must be more than 1.2 times as long. Default: 2000. */
  readonly retryMs?: number;
}
