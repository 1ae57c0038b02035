/** The options of `startServer`. */
import type { Controller } from '../controllers/kit/index.js';
import type { OidcOptions, RequestHeaders, TolerationSeconds } from '../plugins/index.js';
import type { Authenticator, Authorizer, Clock, OnLoading, UserInfo } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type {
  Door,
  EmulatedVersion,
  ExtendApp,
  OnAuditNote,
  OnDeprecatedUse,
  OnRequest,
} from '../runtime/server/index.js';
import type { ServiceRanges } from '../strategies/index.js';
import type { AuthorizationMode } from './authorization-mode.js';
import type { DefineKinds, Kinds } from './kinds.js';
import type { Schemas } from './load-definitions.js';
import type { AuditStartOptions } from './parts/audit-options.js';
import type { LimitsOption } from './parts/check-limits.js';
import type { AdmissionOptions } from './parts/open-admission.js';
import type { DamageOption, HistoryOption, StorageOption } from './parts/open-storage.js';
import type { SigningOption } from './parts/signing-option.js';
import type { TracingOption } from './parts/tracing-file.js';
import type { TlsOption } from './transport/tls-option.js';

/**
 * The options of a server. Each has a default: `startServer()` serves the built-in kinds from memory, on a free port
 * of 127.0.0.1, to its administrator and to nobody else.
 *
 * Options that cannot be used are refused with an `OptionError` before anything is opened, as far as that can be told then.
 */
export interface StartOptions {
  /** The names that the API is served under. Default: `platform`. */
  readonly naming?: Naming['id'];
  /**
   * Kinds, with all that they do: a value, or a function of the server that they are for. Default: `[builtinKinds]`. Without
   * `builtinKinds` in the list there are none of the built-in kinds, namespaces and roles included.
   */
  readonly kinds?: readonly (DefineKinds | Partial<Kinds>)[];
  /**
   * Folder of further definitions, native or CustomResourceDefinitions, or what has been made of them; they take the
   * place of kinds of the same name. Rejects with a `DefinitionsError` where they have mistakes. Default: none.
   */
  readonly schemas?: Schemas;
  /** Where objects are kept. Default: `memory`. */
  readonly storage?: StorageOption;
  /**
   * Whether damaged data is refused, left out, or removed for good. Default: `refuse`, which rejects with a
   * `DamagedStoreError`.
   */
  readonly onDamage?: DamageOption;
  /** How much of the past is kept for watches and lists. Default: five minutes, 64 MiB at most. */
  readonly history?: HistoryOption;
  /** Bytes of the largest object that is stored; a write that would make a larger one is a 413. Default: 1.5 MiB. */
  readonly maxObjectBytes?: number;
  /**
   * Where to listen in plain HTTP; `false` not to. A server that listens neither so nor with TLS serves in process only.
   * Default: a free port of 127.0.0.1.
   */
  readonly http?: HttpOption | false;
  /** Where to listen with TLS, and how; `{}` for a free port and certificates that the server makes. Default: nowhere. */
  readonly tls?: TlsOption;
  /**
   * The address by which clients are told to reach the server, in discovery and by the Endpoints of its Service. Default: the
   * one that it is bound to, or the machine's first one.
   */
  readonly advertiseAddress?: string | undefined;
  /**
   * Origins, as in `https://console.example.com`, whose pages may write and open WebSockets besides the server's own.
   * Default: none.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Regular expressions (RE2) of origins whose pages may also read, by cross-origin resource sharing, as in
   * `^https://[a-z]+\\.example\\.com$`. Default: none.
   */
  readonly corsAllowedOrigins?: readonly string[];
  /**
   * Names that the server goes by where requests without credentials are let in, besides `localhost`, loopback addresses
   * and those of its certificate. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Adds middleware and routes of one's own to the server's app of h3, before it listens. Middleware sees all requests of clients;
   * routes are behind the same authentication and authorization. Paths of the API stay the API's. Default: none.
   */
  readonly routes?: ExtendApp;
  readonly authentication?: AuthenticationOptions;
  readonly authorization?: AuthorizationOptions;
  readonly admission?: AdmissionOptions;
  /** The records of requests, and where they go. Default: none are made. */
  readonly audit?: AuditStartOptions;
  /** How much clients may ask for. Default: as much as the page of serving says. */
  readonly limits?: LimitsOption;
  /** Traces of requests (OpenTelemetry), and where they go. Default: none are made. */
  readonly tracing?: TracingOption | undefined;
  /** Whether profiles of CPU and heap can be taken below `/debug/pprof`, by those who may. Default: false. */
  readonly profiling?: boolean | undefined;
  /**
   * Controllers to run: own ones, and built-in ones by name; `*` is for those that run by default, `-name` leaves one out.
   * Built-in ones run where the kinds that they are about are served. Default: `['*']`.
   */
  readonly controllers?: readonly (string | Controller)[];
  /** How many nodes `workloads-simulated` makes and keeps ready, from 0 to 1,000. Default: 1. */
  readonly simulatedNodes?: number | undefined;
  /** How the built-in signers sign certificate requests that have been approved. */
  readonly signing?: SigningOption;
  /** Whether the controllers run in one server only of those that share data in etcd, by a Lease. Default: false. */
  readonly leaderElection?: boolean | undefined;
  /** Gates to switch, as in `{ WatchList: true }` or `WatchList=true`. Default: each as its stage has it. */
  readonly featureGates?: Switches;
  /** Versions and resources to switch, as in `{ 'api/alpha': true }` or `api/alpha=true`. Default: stable and beta ones. */
  readonly runtimeConfig?: Switches;
  /** Rules of definitions may use what this release of Kubernetes has, and no more. Default: the latest. */
  readonly emulatedVersion?: EmulatedVersion;
  /** Where addresses and ports of Services come from. Default: 10.0.0.0/16, and ports 30000 to 32767. */
  readonly serviceRanges?: ServiceRanges;
  /** How many seconds pods stay on nodes that are not ready or not reachable, where they do not say it. Default: 300. */
  readonly tolerations?: TolerationSeconds;
  /**
   * Writes the administrator's credentials, and the authority of a certificate that the server makes, into files that only
   * their owner can read. Rejects where that cannot be done. Default: they are in `kubeconfig` of the answer only.
   */
  readonly credentials?: CredentialsOption;
  /**
   * How long a server that is told to stop goes on as before, but for `/readyz`, which says that it stops; milliseconds.
   * Default: 0.
   */
  readonly shutdownDelayMs?: number;
  /** How long after its start `/livez` answers that all is well, whatever it finds; milliseconds. Default: 0. */
  readonly livezGraceMs?: number;
  /**
   * The time that the API, tokens, watches, history and controllers go by. What protects the server (timeouts of requests,
   * fairness), certificates, metrics and logs go by the machine's. Default: the machine's.
   */
  readonly clock?: Clock | undefined;
  /** Stands before the server: hands requests on, or answers them itself. Default: nothing does. */
  readonly door?: Door | undefined;
  /**
   * Whether the store holds what a server with the same options has made at its start, so that nothing is looked at again.
   * Default: false.
   */
  readonly bootstrapped?: boolean;
  /** The version that the server says it has. Default: that of the package. */
  readonly productVersion?: string;
  /** Told of what parts of the server note for the audit of requests. Default: nobody is. */
  readonly onAuditNote?: OnAuditNote;
  /** Told of each request to a deprecated version. Default: nobody is. */
  readonly onDeprecatedUse?: OnDeprecatedUse;
  /**
   * Shows deprecated metrics that are hidden in this release and were not in the one before, which it names. Default:
   * none.
   */
  readonly showHiddenMetricsFor?: string;
  /** Told of each request when it has been answered, without its secrets. Default: nobody is. */
  readonly onRequest?: OnRequest;
  /** Told how far the reading of stored data is, from half a second after the start on. Default: nobody is. */
  readonly onLoading?: OnLoading | undefined;
  /** Told of what goes wrong while the server goes on. Default: standard error gets a line that begins with `kindforge:`. */
  readonly onProblem?: OnProblem;
}

export type { LoadProgress, OnLoading } from '../runtime/contract/index.js';
export type { OnRequest, RequestRecord } from '../runtime/server/index.js';
export type { AdmissionOptions } from './parts/open-admission.js';

/** `error` is what was thrown, where it is not part of the problem's text. */
export type OnProblem = (problem: string, error?: unknown) => void;

/** Text as flags have it, with commas between, or an object. */
export type Switches = string | Readonly<Record<string, boolean>>;

/** The options of a server that listens. */
export type ListeningOptions = StartOptions &
  ({ readonly http?: HttpOption } | { readonly http: false; readonly tls: TlsOption });

export interface HttpOption {
  /** A loopback address. Default: 127.0.0.1. */
  readonly host?: string;
  /** 1 to 65535, or `auto` for a free one. Default: `auto`. */
  readonly port?: number | 'auto';
  /** A socket that listens already, by its file descriptor, in place of address and port. Default: none. */
  readonly fd?: number;
}

/** How users are recognized. Each authenticator is asked in turn, own ones last. */
export interface AuthenticationOptions {
  /**
   * The user of requests without credentials: `refused` for nobody, `anonymous` for `system:anonymous`, which only rules
   * about everyone concern, `administrator` to allow everybody everything. Default: `refused`.
   */
  readonly anonymous?: 'refused' | 'anonymous' | 'administrator' | UserInfo;
  /** Whether there is an administrator, whose token belongs to the data. Default: true. */
  readonly administrator?: boolean;
  /**
   * File of authorities in PEM, whose certificates for clients are recognized: the common name is the user,
   * organizations are groups. It is read again when it changes. Default: an authority of the server's own, which
   * certifies the administrator.
   */
  readonly clientCaFile?: string;
  /** File of bearer tokens in CSV: `token,user,uid,"group,group"`. Default: none. */
  readonly tokenFile?: string;
  /** Whether bootstrap tokens, which are secrets of the system, are recognized. Default: false. */
  readonly bootstrapTokens?: boolean;
  readonly serviceAccounts?: ServiceAccountOptions;
  /** A provider of identities (OpenID Connect), whose tokens are recognized. Default: none. */
  readonly oidc?: OidcOption;
  /** A webhook that is asked about tokens that nobody else knows. Default: none. */
  readonly tokenWebhook?: TokenWebhookOption;
  /** Proxies that say by headers who makes a request; only for servers with TLS. Default: none. */
  readonly requestHeader?: RequestHeaderOption;
  readonly authenticators?: readonly Authenticator[];
}

/** A provider of identities, which is asked for its keys at the first of its tokens. */
export interface OidcOption extends OidcOptions {
  /** File of authorities in PEM that the provider's certificate must come from. Default: those that Node trusts. */
  readonly caFile?: string | undefined;
}

export interface TokenWebhookOption {
  /** A file in the kubeconfig format: the cluster is the webhook, the user is who the server is to it. */
  readonly configFile: string;
  /** How long an answer is relied on, milliseconds. Default: 120000. */
  readonly cacheTtlMs?: number;
  /** The version of the reviews. Default: `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
}

/** The headers of proxies, which count only behind a certificate that an authority of `clientCaFile` vouches for. */
export interface RequestHeaderOption extends RequestHeaders {
  /** File of authorities in PEM. It is read again when it changes. */
  readonly clientCaFile: string;
}

/** How tokens of service accounts are made and checked. */
export interface ServiceAccountOptions {
  /**
   * The issuer that tokens name; of several, new tokens name the first and all are accepted. Default:
   * `https://platform.local`.
   */
  readonly issuer?: string | readonly string[];
  /** The audiences of tokens for this server. Default: the issuers. */
  readonly audiences?: readonly string[];
  /** Private key in PEM that signs them. Default: a key that follows from the data, or is made up where it is in memory. */
  readonly signingKeyFile?: string;
  /** Keys in PEM that they are checked with besides. Default: none. */
  readonly keyFiles?: readonly string[];
  /** Where others find the keys, an HTTPS URL. Default: the server's own address. */
  readonly jwksUri?: string;
  /** Whether tokens that secrets hold count only as long as the secret and the account are there. Default: true. */
  readonly lookup?: boolean;
  /** Longest life of a token, in seconds, from 3600 up. Default: no limit but that of the API. */
  readonly maxSeconds?: number;
}

/** How requests are authorized. Members of `system:masters` may do everything. */
export interface AuthorizationOptions {
  /** In the order in which they are asked. Default: `['RBAC']`, or none where there is an `authorizer`. */
  readonly modes?: readonly AuthorizationMode[];
  /** File of policies for the mode `ABAC`, a JSON object in each line. */
  readonly policyFile?: string;
  /** The webhook of the mode `Webhook`. */
  readonly webhook?: AuthorizationWebhookOption;
  /** Asked after the modes. Default: none. */
  readonly authorizer?: Authorizer;
}

/** A webhook that decides about requests. */
export interface AuthorizationWebhookOption {
  /**
   * A file in the kubeconfig format: the cluster is the webhook, the user is who the server is to it. It is read again when
   * it changes.
   */
  readonly configFile: string;
  /** How long an admission is relied on, milliseconds. Default: 300000. */
  readonly authorizedTtlMs?: number;
  /** How long all else that it decides is relied on, milliseconds. Default: 30000. */
  readonly unauthorizedTtlMs?: number;
  /** The version of the reviews. Default: `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
}

export interface CredentialsOption {
  /** Made where it is not there. Default: a temporary folder, which goes when the server stops. */
  readonly folder?: string;
}
