/** The server: puts registry, store, plugins and transport together from what it is handed. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { defineAuditNotes, type OnAuditNote } from '../access/audit-notes.js';
import { authenticateToken } from '../access/authentication.js';
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  JsonObject,
  NamedConversion,
  ResourceIndex,
  ResourceModule,
  Store,
  Strategy,
  UserInfo,
  VirtualHandler,
} from '../contract/index.js';
import { defineDocuments } from '../discovery/documents.js';
import { type HealthCheck, ping, storageCheck } from '../discovery/health.js';
import { OpenApiDocuments } from '../discovery/openapi.js';
import { type Listening, type ListenOptions, listen } from '../http/listen.js';
import { defineApp, listenerOf } from '../http/node-listener.js';
import { defineWebSockets } from '../http/websocket.js';
import type { Naming } from '../objects/naming.js';
import type { EmulatedVersion } from '../pipeline/served-resource.js';
import { byName } from '../registry/by-name.js';
import { conversionWebhook } from '../registry/definitions/conversion-webhook.js';
import type { CompileDefinition } from '../registry/definitions/known-definition.js';
import { serveDefinitions } from '../registry/definitions/serve-definitions.js';
import { deprecatedUse, type OnDeprecatedUse } from '../registry/deprecated-requests.js';
import { enabledByDefault } from '../registry/feature-gates.js';
import { defineLiveRegistry } from '../registry/live-registry.js';
import { underNaming } from '../registry/named-modules.js';
import { buildRegistry, type Registry, type RegistrySources } from '../registry/registry.js';
import type { RuntimeConfig } from '../registry/runtime-config.js';
import { kubernetesNaming, platformNaming } from '../schema/openapi/index.js';
import type { ApiRequest, Handle } from '../verbs/api-request.js';
import { defineContinueTokens } from '../verbs/list/continue-token.js';
import type { VerbServices } from '../verbs/verb-request.js';
import { defineAdmissionHost, defineConversion } from './admission-host.js';
import { defineHandler } from './handler.js';

export type { OnAuditNote } from '../access/audit-notes.js';
export { encodeJson } from '../codec/json.js';
export type { HealthCheck } from '../discovery/health.js';
export type { Listening, ListenOptions, ServerCertificate } from '../http/listen.js';
export type { EmulatedVersion } from '../pipeline/served-resource.js';
export { attributeReader } from '../registry/attribute-reader.js';
export type { CompileDefinition } from '../registry/definitions/known-definition.js';
export type { OnDeprecatedUse } from '../registry/deprecated-requests.js';
export { type FeatureGates, readFeatureGates } from '../registry/feature-gates.js';
export { gatesOf } from '../registry/gates-of-definitions.js';
export { underNaming } from '../registry/named-modules.js';
export type { Registry } from '../registry/registry.js';
export { applyRuntimeConfig, type RuntimeConfig, readRuntimeConfig } from '../registry/runtime-config.js';
export { type Convert, type Converted, defineConverter } from './converter.js';

/** What a server is made of. All names in modules are platform names; `naming` says how they are served. */
export interface ServerOptions {
  readonly modules: readonly ResourceModule[];
  readonly naming: Naming;
  readonly store: Store;
  readonly strategies?: readonly Strategy[];
  readonly plugins?: readonly AdmissionPlugin[];
  /** Conversions that definitions name. */
  readonly conversions?: readonly NamedConversion[];
  /** What answers for virtual kinds, and for subresources with kinds of their own. */
  readonly handlers?: readonly VirtualHandler[];
  readonly authenticators?: readonly Authenticator[];
  /** Whom tokens for this server are for; their issuers' own choice where absent. */
  readonly audiences?: readonly string[];
  /** Who may do what, and act as whom; everyone everything where absent. */
  readonly authorizer?: Authorizer;
  /** Who requests without credentials come from; absent to refuse them. */
  readonly anonymous?: UserInfo;
  /** Which optional parts of the API are on; those that are by default where absent. */
  readonly featureEnabled?: (gate: string) => boolean;
  /** Which versions and resources are on and off, under the names that are served; as they are by default where absent. */
  readonly runtimeConfig?: RuntimeConfig;
  /** Whose expressions the rules of definitions may use; those of the latest release where absent. */
  readonly emulatedVersion?: EmulatedVersion;
  /** Origins, as in `https://console.example.com`, whose pages may open WebSockets besides the server's own. */
  readonly allowedOrigins?: readonly string[];
  readonly productVersion: string;
  /** Makes modules of the definitions that the store holds; absent to serve none of them. */
  readonly compileDefinition?: CompileDefinition;
  /** Told of definitions that could not be served, or whose status could not be written; both are tried again. */
  readonly onDefinitionProblem?: (name: string, problem: unknown) => void;
  /** Checks of health besides the server's own. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Told of defects: errors that no failure describes, each answered with a 500. */
  readonly onDefect?: (error: unknown, request: ApiRequest) => void;
  /** Told of what parts of the server note for the audit of requests. */
  readonly onAuditNote?: OnAuditNote;
  /** Told of each request to a deprecated version, for a metric or an audit log. */
  readonly onDeprecatedUse?: OnDeprecatedUse;
}

/** A server that answers requests, in process or over HTTP. */
export interface ApiServer {
  readonly registry: Registry;
  /** The same as plugins see it. */
  readonly resources: ResourceIndex;
  readonly handle: Handle;
  /** Starts to listen. */
  listen(options: ListenOptions): Promise<Listening>;
}

/** Largest request body, as the reference has it. */
const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Puts a server together. The caller keeps the store and closes it after the server. Throws where two resources,
 * strategies, plugins or authenticators go by the same name, and where the runtime config names what there is not.
 */
export function createServer(options: ServerOptions): ApiServer {
  const featureEnabled = options.featureEnabled ?? enabledByDefault;
  const modules = options.modules.map((module) => underNaming(module, options.naming));
  const reviewGroup = options.naming.rename('apiextensions.platform.io');
  const shared = {
    plugins: options.plugins ?? [],
    featureEnabled,
    emulatedVersion: options.emulatedVersion,
    rename: options.naming.rename,
    remote: (webhook: JsonObject) => conversionWebhook(webhook, reviewGroup),
  };
  const builtIn = buildRegistry({
    ...shared,
    modules,
    strategies: options.strategies ?? [],
    handlers: (options.handlers ?? []).map((handler) => ({ ...handler, group: options.naming.rename(handler.group) })),
    ...(options.runtimeConfig === undefined ? {} : { runtimeConfig: options.runtimeConfig }),
    conversions: options.conversions ?? [],
  });
  const registry = defineLiveRegistry(builtIn);
  byName('authenticators called', options.authenticators ?? [], ({ name }) => name);
  const services = defineServices(options, registry, featureEnabled);
  const { compileDefinition: compile, onDefinitionProblem: onProblem = () => {} } = options;
  if (compile) {
    const build = (defined: RegistrySources['modules'], by: RegistrySources['defined']): Registry =>
      buildRegistry({ ...shared, modules: defined, strategies: [], defined: by });
    const { naming } = options;
    serveDefinitions({ services, registry, builtIn: modules, naming, compile, build, onProblem });
  }
  const host = defineAdmissionHost(registry, services);
  for (const plugin of options.plugins ?? []) plugin.start?.(host);
  const authentication = { methods: options.authenticators ?? [], anonymous: options.anonymous, services };
  let address = '';
  const discoveryGroup = options.naming.rename('apidiscovery.platform.io');
  const handle = defineHandler({
    registry,
    services,
    openApi: new OpenApiDocuments(registry, {
      title: 'Kindforge',
      version: `v${options.productVersion}`,
      naming: options.naming.id === 'kubernetes' ? kubernetesNaming : platformNaming,
      ...(options.emulatedVersion === undefined ? {} : { release: options.emulatedVersion }),
    }),
    authentication,
    authorization: {
      authorizer: services.authorizer,
      authenticationGroup: options.naming.rename('authentication.platform.io'),
    },
    healthChecks: [ping, storageCheck(options.store), ...(options.healthChecks ?? [])],
    documents: defineDocuments(services.protobufMediaType, discoveryGroup),
    discoveryGroup,
    productVersion: options.productVersion,
    serverAddress: () => address,
    onDefect: options.onDefect ?? (() => {}),
  });
  return {
    registry,
    resources: host.resources,
    handle,
    async listen(where) {
      const webSockets = defineWebSockets({
        handle,
        tokenProtocol: `base64url.bearer.${options.naming.rename('authorization.platform.io')}.`,
        allowedOrigins: options.allowedOrigins ?? [],
      });
      const listening = await listen(listenerOf(defineApp(handle)), webSockets, where);
      address = listening.url.replace(/^https?:\/\//, '');
      return listening;
    },
  };
}

const everyone: Authorizer = { name: 'everyone', decide: () => ({ decision: 'allow' }) };

function defineServices(
  {
    store,
    naming,
    onAuditNote,
    onDeprecatedUse,
    authorizer = everyone,
    authenticators = [],
    audiences = [],
  }: ServerOptions,
  registry: Registry,
  featureEnabled: (gate: string) => boolean,
): VerbServices {
  const services: VerbServices = {
    store,
    resource: registry.stored,
    authorizer,
    authorize: async (attributes) => (await authorizer.decide(attributes)).decision === 'allow',
    authenticate: (token, wanted) => authenticateToken(authenticators, services, token, wanted),
    audiences,
    featureEnabled,
    newUid: randomUUID,
    nameSuffix,
    metaGroup: naming.rename('meta.platform.io'),
    protobufMediaType: naming.mediaTypes.protobuf,
    endOfInitialEvents: naming.wellKnown.initialEventsEnd,
    clientSideApply: { manager: 'kubectl', annotation: naming.wellKnown.lastAppliedAnnotation },
    maxBodyBytes,
    continueTokens: defineContinueTokens(store.secret ?? randomBytes(32)),
    clock: Date.now,
    knowsKind: registry.knowsKind,
    convert: defineConversion(registry),
    ...(onAuditNote === undefined ? {} : { annotate: defineAuditNotes(onAuditNote) }),
    ...(onDeprecatedUse === undefined
      ? {}
      : {
          noteDeprecated: (request, resource, subresource, deprecation) =>
            onDeprecatedUse(deprecatedUse(resource, subresource, deprecation, naming), request),
        }),
  };
  return services;
}

/** Characters of generated names: no vowels, and nothing that is easily mistaken for something else. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

function nameSuffix(): string {
  let suffix = '';
  for (let i = 0; i < 5; i++) suffix += suffixAlphabet.charAt(randomInt(suffixAlphabet.length));
  return suffix;
}
