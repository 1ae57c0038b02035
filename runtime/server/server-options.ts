/** The options of `createServer`, and the server that it returns. */

import type { H3, Middleware } from 'h3';
import type { AuditOptions } from '../access/audit.js';
import type { OnAuditNote } from '../access/audit-event.js';
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  Clock,
  EventServer,
  KindHandlers,
  NamedConversion,
  ResourceIndex,
  ResourceModule,
  Store,
  Tracer,
  UserInfo,
  VirtualHandler,
  WebhookAddress,
  WebhookLine,
} from '../contract/index.js';
import type { OwnPath, PathDocument } from '../discovery/documents.js';
import type { HealthCheck, HealthOf } from '../discovery/health.js';
import type { RemoteApis } from '../discovery/remote-apis.js';
import type { ExtendApp } from '../http/app.js';
import type { SizeLimits } from '../http/limits.js';
import type { Listening, ListenOptions } from '../http/listen.js';
import type { NodeListener } from '../http/node-listener.js';
import type { Metrics } from '../metrics/index.js';
import type { Naming } from '../objects/names/naming.js';
import type { Release } from '../objects/release.js';
import type { CompileDefinition } from '../registry/definitions/known-definition.js';
import type { Registry } from '../registry/registry.js';
import type { OnDeprecatedUse } from '../registry/route.js';
import type { RuntimeConfig } from '../registry/runtime-config.js';
import type { ApiRequest, Handle } from '../request/api-request.js';
import type { Door } from './door.js';
import type { Followers } from './followers.js';
import type { RequestLimits } from './limit-requests.js';
import type { OnRequest } from './record-requests.js';
import type { MakeSnapshot } from './snapshot.js';

/** The options of a server. All names in modules are platform names; `naming` maps them to the served ones. */
export interface ServerOptions {
  readonly modules: readonly ResourceModule[];
  readonly naming: Naming;
  readonly store: Store;
  /** Keeps parts of the server up to date with the store. Default: followers of this server alone, without a log. */
  readonly followers?: Followers;
  /** Handlers of kinds, at most one per kind. */
  readonly handlers?: readonly KindHandlers[];
  readonly plugins?: readonly AdmissionPlugin[];
  /** The checked configurations of plugins, by name. Default: none. */
  readonly pluginConfigurations?: ReadonlyMap<string, unknown>;
  /** Conversions that definitions refer to by name. */
  readonly conversions?: readonly NamedConversion[];
  /** Handlers of virtual kinds, and of subresources with kinds of their own. */
  readonly virtualHandlers?: readonly VirtualHandler[];
  readonly authenticators?: readonly Authenticator[];
  /** The audiences of tokens for this server. Default: the audiences that the issuers choose. */
  readonly audiences?: readonly string[];
  /** Decides who may do what, impersonation included. Default: everyone may do everything. */
  readonly authorizer?: Authorizer;
  /** The user of requests without credentials; absent to refuse them. */
  readonly anonymous?: UserInfo;
  /** The only paths that need no credentials; empty for all. Default: all. */
  readonly anonymousPaths?: readonly string[];
  /** Whether an optional part of the API is on. Default: as its feature gate says by default. */
  readonly featureEnabled?: (gate: string) => boolean;
  /** Versions and resources to turn on or off, by their served names. Default: as the definitions say. */
  readonly runtimeConfig?: RuntimeConfig;
  /** The release of the server. Default: the specified one with the latest machinery. */
  readonly release?: Release;
  /** Other origins with pages that may write and open WebSockets, as in `https://console.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Regular expressions (RE2) of further origins, with pages that may also read. An origin matches if a part of it
   * does; `originPatternProblem` returns why an expression is refused.
   */
  readonly corsAllowedOrigins?: readonly string[];
  /**
   * Further names of the server, if requests without credentials are allowed. The names of this machine for itself and
   * the names in the certificate are known.
   */
  readonly allowedHosts?: readonly string[];
  /** The limits on requests in progress. Default: the limits of the reference. */
  readonly requestLimits?: RequestLimits;
  /** The most bytes of a body, and of changes that wait for a watcher. Default: 3 MiB and 16 MiB. */
  readonly requestSizes?: { readonly bodyBytes?: number; readonly watchBufferBytes?: number };
  /** The limits on headers, URLs and connections. Default: `usualSizes`. */
  readonly sizeLimits?: Partial<SizeLimits>;
  /** The most open connections of one user. Default: no limit. */
  readonly connectionsPerUser?: number;
  readonly productVersion: string;
  /** The flags that `/flagz` shows, by name. Default: none. */
  readonly shownFlags?: Readonly<Record<string, string>> | undefined;
  /** Makes modules of stored definitions; absent if the server serves none. */
  readonly compileDefinition?: CompileDefinition;
  /** Connects to webhooks that convert objects of definitions; absent if none is called. */
  readonly openConversion?: (address: WebhookAddress) => WebhookLine;
  /** Receives definitions that could not be served, or with a status that could not be written. Both are retried. */
  readonly onDefinitionProblem?: (name: string, problem: unknown) => void;
  /** Metrics of the server, which `/metrics` shows. Default: new ones. */
  readonly metrics?: Metrics;
  /** Gets each request of a client first, and may answer it in place of the server. Default: no door. */
  readonly door?: Door | undefined;
  /** The time of the API and of watches. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Makes spans of requests and of their steps. Default: no spans. */
  readonly tracer?: Tracer | undefined;
  /** Receives each answered request, for a log. */
  readonly onRequest?: OnRequest;
  /** Health checks besides the server's own. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Checks at `/healthz/<name>` that do not count for `/healthz`. */
  readonly healthOf?: HealthOf | undefined;
  /**
   * How long after its start the server counts as alive, whatever its liveness checks say, milliseconds. Default: 0.
   */
  readonly livezGraceMs?: number;
  /** Makes snapshots of the store at `/storage/snapshot`, for users who may list everything. Default: no snapshots. */
  readonly snapshot?: MakeSnapshot;
  /**
   * Returns whether only authenticators may see a header, by its name in lower case. The server hides such headers from
   * middleware, routes and programs behind objects.
   */
  readonly isHiddenHeader?: (name: string) => boolean;
  /**
   * Whether subresources such as `pods/proxy` connect to loopback, link-local and unspecified addresses. Default: false.
   */
  readonly proxyLoopback?: boolean | undefined;
  /** The versions of the API that other servers answer for. Default: none. */
  readonly remoteApis?: RemoteApis | undefined;
  /** Documents at paths of their own, for users who may read the paths, or for everybody. */
  readonly pathDocuments?: readonly PathDocument[];
  /** Paths with handlers of their own, for users who may access them. */
  readonly ownPaths?: readonly OwnPath[];
  /** Receives defects: unexpected errors, each answered with a 500. */
  readonly onDefect?: (error: unknown, request: ApiRequest) => void;
  /** The audit of requests. Default: none. The caller keeps the sinks and closes them. */
  readonly audit?: AuditOptions;
  /** Receives the notes of parts of the server for the audit of requests. */
  readonly onAuditNote?: OnAuditNote;
  /** Receives each request to a deprecated version, for a metric or an audit log. */
  readonly onDeprecatedUse?: OnDeprecatedUse;
  /**
   * Adds middleware and routes to the server's app before it is used. Routes are behind the same authentication and
   * authorization. They cannot replace paths of the API: `/`, and all below `/api`, `/apis`, `/openapi`, `/version`,
   * `/healthz`, `/livez` and `/readyz`, and `/storage/snapshot`.
   */
  readonly routes?: ExtendApp;
  /** Middleware that answers before the user is known. It must pass on all paths except its own. Default: none. */
  readonly open?: readonly Middleware[] | undefined;
  /** A folder of pages that everybody may read, beside the paths of the API. Default: none. */
  readonly pages?: string | undefined;
}

/** The ways into a server besides its app. */
export interface ServerDoors extends EventServer {
  readonly registry: Registry;
  /** The registry as plugins see it. */
  readonly resources: ResourceIndex;
  /** Answers requests of the server itself, in process, without middleware. */
  readonly handle: Handle;
  /** Returns the requests that wait for their answers, as logs show them: `POST /api/v1/namespaces`. */
  requestsInProgress(): readonly string[];
  /** Answers requests of clients in the same process. They pass the door, if there is one, and the app. */
  readonly enter: Handle;
  /** Answers requests of a Node server, or of Express, which may mount it under a path. */
  readonly listener: NodeListener;
  /**
   * Returns a listener for a Node server that mounts this server under a path, such as `/kindforge`. Other paths are a
   * 404.
   */
  listenerUnder(basePath: string): NodeListener;
}

/**
 * A server that answers requests, in process or over HTTP: an app of h3. All requests of clients pass through the app.
 * Its middleware runs once the user is known (`event.context.user`), its routes once the request is authorized.
 */
export interface ApiServer extends H3, ServerDoors {
  /**
   * Serves other modules from now on. Requests and watches in flight continue. The modules must store the same versions
   * and have the same selectable fields as before. Throws as `createServer` does, and then changes nothing.
   */
  replaceModules(modules: readonly ResourceModule[]): void;
  /** Starts to listen. Rejects if the address is not available. */
  listen(options: ListenOptions): Promise<Listening>;
}
