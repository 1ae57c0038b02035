/** The options that a server is created with, and the server that comes of them. */
import type { H3 } from 'h3';
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
import type { Followers } from '../follow.js';
import type { ExtendApp } from '../http/app.js';
import type { SizeLimits } from '../http/limits.js';
import type { Listening, ListenOptions } from '../http/listen.js';
import type { NodeListener } from '../http/node-listener.js';
import type { Metrics } from '../metrics/index.js';
import type { Naming } from '../objects/naming.js';
import type { CompileDefinition } from '../registry/definitions/known-definition.js';
import type { Registry } from '../registry/registry.js';
import type { OnDeprecatedUse } from '../registry/route.js';
import type { RuntimeConfig } from '../registry/settings/runtime-config.js';
import type { ApiRequest, Handle } from '../request/api-request.js';
import type { EmulatedVersion } from '../resource/served-resource.js';
import type { Door } from './door.js';
import type { RequestLimits } from './limit-requests.js';
import type { OnRequest } from './record-requests.js';
import type { MakeSnapshot } from './snapshot.js';

/** The options of a server. All names in modules are platform names; `naming` says how they are served. */
export interface ServerOptions {
  readonly modules: readonly ResourceModule[];
  readonly naming: Naming;
  readonly store: Store;
  /** Keeps the parts of the server up with the store, authorizers included. Default: those of the server alone, without a log. */
  readonly followers?: Followers;
  /** Handlers of kinds; at most one for a kind. */
  readonly handlers?: readonly KindHandlers[];
  readonly plugins?: readonly AdmissionPlugin[];
  /** The configurations of plugins, checked, by their names. Default: none has one. */
  readonly pluginConfigurations?: ReadonlyMap<string, unknown>;
  /** Conversions that definitions name. */
  readonly conversions?: readonly NamedConversion[];
  /** Handlers of virtual kinds, and of subresources with kinds of their own. */
  readonly virtualHandlers?: readonly VirtualHandler[];
  readonly authenticators?: readonly Authenticator[];
  /** The audiences of tokens for this server; the choice of their issuers where absent. */
  readonly audiences?: readonly string[];
  /** Decides who may do what, impersonation included; everyone may do everything where absent. */
  readonly authorizer?: Authorizer;
  /** The user that requests without credentials come from; absent to refuse them. */
  readonly anonymous?: UserInfo;
  /** Which optional parts of the API are on; those that are by default where absent. */
  readonly featureEnabled?: (gate: string) => boolean;
  /** Which versions and resources are on and off, under the names that are served; as they are by default where absent. */
  readonly runtimeConfig?: RuntimeConfig;
  /** The release whose expressions the rules of definitions may use; the latest where absent. */
  readonly emulatedVersion?: EmulatedVersion;
  /** Origins, as in `https://console.example.com`, whose pages may write and open WebSockets besides the server's own. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Regular expressions (RE2) of further origins, whose pages may also read. An origin is one of them where a part of it
   * matches; `originPatternProblem` tells which expressions to refuse.
   */
  readonly corsAllowedOrigins?: readonly string[];
  /**
   * Names that the server goes by where requests without credentials are let in, besides those of this machine for itself
   * and those of its certificate.
   */
  readonly allowedHosts?: readonly string[];
  /** The limits on requests in progress; the usual ones where absent. */
  readonly requestLimits?: RequestLimits;
  /** The most bytes of bodies, and of changes that wait for a watcher; the usual ones where absent. */
  readonly requestSizes?: { readonly bodyBytes?: number; readonly watchBufferBytes?: number };
  /** The limits on headers, URLs and connections; the usual ones where absent. */
  readonly sizeLimits?: Partial<SizeLimits>;
  /** Open connections of one user; any number where absent. */
  readonly connectionsPerUser?: number;
  readonly productVersion: string;
  /** Makes modules of the definitions that the store holds; absent to serve none of them. */
  readonly compileDefinition?: CompileDefinition;
  /** Opens the way to a webhook that converts objects of definitions; absent where none is called. */
  readonly openConversion?: (address: WebhookAddress) => WebhookLine;
  /** Told of definitions that could not be served, or whose status could not be written; both are tried again. */
  readonly onDefinitionProblem?: (name: string, problem: unknown) => void;
  /** Where the server counts its work, and what `/metrics` shows; metrics of its own where absent. */
  readonly metrics?: Metrics;
  /** Stands before the server; nothing does where absent. */
  readonly door?: Door | undefined;
  /** The time of the API, and of watches; the machine's where absent. */
  readonly clock?: Clock | undefined;
  /** Makes spans of requests and of what is done for them; none are made where absent. */
  readonly tracer?: Tracer | undefined;
  /** Told of each request once it is answered, for a log. */
  readonly onRequest?: OnRequest;
  /** Checks of health besides the server's own. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Checks at `/healthz/<name>` that are no part of the whole. */
  readonly healthOf?: HealthOf | undefined;
  /**
   * How long after its start the server counts as alive, whatever its checks of liveness find, milliseconds; 0 where
   * absent.
   */
  readonly livezGraceMs?: number;
  /**
   * Makes snapshots of the store, for those who may list everything, at `/storage/snapshot`; none are to be had where
   * absent.
   */
  readonly snapshot?: MakeSnapshot;
  /** Whether middleware and routes of users do not get to see a header, by its name in lower case, as it is for authenticators only. */
  readonly isHiddenHeader?: (name: string) => boolean;
  /** Documents at paths of their own, for those who may read the paths. */
  readonly pathDocuments?: readonly PathDocument[];
  /** Paths that answer in ways of their own, to those who may ask them. */
  readonly ownPaths?: readonly OwnPath[];
  /** Told of defects: errors that no failure describes, each answered with a 500. */
  readonly onDefect?: (error: unknown, request: ApiRequest) => void;
  /** The audit of requests; none where absent. The caller keeps the sinks and closes them. */
  readonly audit?: AuditOptions;
  /** Told of what parts of the server note for the audit of requests. */
  readonly onAuditNote?: OnAuditNote;
  /** Told of each request to a deprecated version, for a metric or an audit log. */
  readonly onDeprecatedUse?: OnDeprecatedUse;
  /**
   * Adds middleware and routes to the server's app before it is used. Routes are behind the same authentication and
   * authorization. Paths of the API stay the API's:
   * `/`, and all below `/api`, `/apis`, `/openapi`, `/version`, `/healthz`, `/livez` and `/readyz`, and `/storage/snapshot`.
   */
  readonly routes?: ExtendApp;
}

/** The ways into a server besides those of its app. */
export interface ServerDoors extends EventServer {
  readonly registry: Registry;
  /** The registry as plugins see it. */
  readonly resources: ResourceIndex;
  /** Answers requests of the server itself, in process. They pass through no middleware. */
  readonly handle: Handle;
  /** The requests that wait for their answers at present, as logs show them: `POST /api/v1/namespaces`. */
  requestsInProgress(): readonly string[];
  /** Answers requests of clients in the same process; they come by the door, where there is one, and through the app. */
  readonly enter: Handle;
  /** Answers requests of a Node server, or of Express, where it may be mounted under a path. */
  readonly listener: NodeListener;
  /** The same for a Node server that is mounted under a path, such as `/kindforge`. What is not below it is a 404. */
  listenerUnder(basePath: string): NodeListener;
}

/**
 * A server that answers requests, in process or over HTTP: an app of h3. All requests of clients pass through the app. Its
 * middleware runs once the user is known (`event.context.user`), its routes once the request is authorized.
 */
export interface ApiServer extends H3, ServerDoors {
  /**
   * Serves other modules from now on; requests and watches that are under way go on. What is stored has to be of the same
   * stored versions and selectable fields as before. Throws as `createServer` does, and leaves everything as it is then.
   */
  replaceModules(modules: readonly ResourceModule[]): void;
  /** Starts to listen. Rejects where the address cannot be had. */
  listen(options: ListenOptions): Promise<Listening>;
}
