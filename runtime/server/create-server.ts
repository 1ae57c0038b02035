/** Creates a server from its registry, store, plugins and transport. */

import { defineImpersonation, type Impersonate } from '../access/authentication.js';
import { defineConstrainedImpersonation } from '../access/constrained-impersonation.js';
import { defineHostNames, type HostNames, originsOf, withCors } from '../access/pages.js';
import type { Authorizer, WebhookCall } from '../contract/index.js';
import { aboutPages } from '../discovery/about-pages.js';
import { listedPaths } from '../discovery/answer-document.js';
import { defineDocuments, type OwnPath } from '../discovery/documents.js';
import { followersCheck, ping, storageCheck } from '../discovery/health.js';
import { OpenApiDocuments } from '../discovery/openapi.js';
import type { RemoteApis } from '../discovery/remote-apis.js';
import { defineApp } from '../http/app.js';
import { usualSizes } from '../http/limits.js';
import { type Listening, listen } from '../http/listen.js';
import { defineInProgress, nodeListener, nodeListenerUnder } from '../http/node-listener.js';
import { Connections } from '../http/refusals.js';
import type { TlsSettings } from '../http/secure-server.js';
import { defineWebSockets } from '../http/websocket.js';
import { Metrics, minorOf, observerOf, watchProcess } from '../metrics/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { Naming } from '../objects/names/naming.js';
import { emulate } from '../objects/release.js';
import { conversionWebhook } from '../registry/definitions/conversion-webhook.js';
import { serveDefinitions } from '../registry/definitions/serve-definitions.js';
import { enabledByDefault } from '../registry/feature-gates.js';
import { underNaming } from '../registry/module-naming.js';
import { buildRegistry, defineLiveRegistry, type LiveRegistry, type RegistrySources } from '../registry/registry.js';
import { readPath } from '../registry/route.js';
import { byUniqueName } from '../registry/served-versions.js';
import type { ApiRequest, ApiResponse, Handle } from '../request/api-request.js';
import { readObject } from '../request/object-access.js';
import { pour } from '../request/pour.js';
import type { VerbServices } from '../request/verb-request.js';
import { kubernetesNaming, platformNaming } from '../schema/openapi/index.js';
import { defineAdmissionHost, explainPath, startPlugin, withExplanations } from './admission.js';
import { behindDoor } from './door.js';
import { defineEventHandlers } from './event-handlers.js';
import { withAuditIds, withBlankTokenWarnings } from './finish-answers.js';
import { Followers } from './followers.js';
import { defineHandler } from './handler.js';
import { chooseLimit, limitConnections, usualRequestLimits } from './limit-requests.js';
import {
  impersonationObserverOf,
  observeAuthentication,
  observeAuthorizer,
  observeOwnRequests,
  observeRequests,
  WaitingRequests,
} from './observe-requests.js';
import { type AskedFor, type OnRequest, recordRequests, shownTarget } from './record-requests.js';
import type { ApiServer, ServerOptions } from './server-options.js';
import { auditOf, defineServices, describeServer } from './services.js';
import { collectFollowers, collectSizes, collectStorage } from './storage-metrics.js';
import { traceAdmission, traceAuthorizer, traceRequests, traceUser } from './trace-requests.js';

/**
 * Creates a server: an app of h3. The caller keeps the store and closes it after the server. Throws if two resources,
 * handlers, plugins or authenticators have the same name, or if the runtime config names something unknown.
 */
export function createServer(options: ServerOptions): ApiServer {
  byUniqueName('authenticators called', options.authenticators ?? [], ({ name }) => name);
  const sources = registrySources(options, (namespace, name) =>
    readObject(services, { group: '', resource: 'services', namespace, name }),
  );
  const registry = defineLiveRegistry(buildRegistry(sources));
  let own = sources.modules;
  const { audit, idOf, noted } = auditOf(options);
  const metrics = options.metrics ?? defaultMetrics(options);
  const { tracer } = options;
  const observer = tracer ? traceAdmission(observerOf(metrics)) : observerOf(metrics);
  const followers = options.followers ?? new Followers({ store: options.store, onError: () => {} });
  const services = defineServices(noted, followers.follow, registry, sources.featureEnabled, observer, audit?.bodies);
  followDefinitions(options, sources, registry, services, () => own);
  const { resources, hostOf } = defineAdmissionHost(registry, services);
  for (const plugin of options.plugins ?? []) {
    startPlugin(plugin, hostOf(plugin.name), options.pluginConfigurations?.get(plugin.name));
  }
  const { naming, onDefect = () => {}, onRequest } = options;
  const askedFor: AskedFor = new WeakMap();
  collectStorage(metrics, options.store, registry);
  collectSizes(metrics, options.store, registry);
  collectFollowers(metrics, followers);
  watchProcess(metrics);
  describeServer(metrics, options, sources.featureEnabled, sources.release);
  const discoveryGroup = naming.rename('apidiscovery.platform.io');
  const observeUser = observeAuthentication(metrics);
  const measured = observeAuthorizer(services.authorizer, metrics);
  const authorizer = tracer ? traceAuthorizer(measured) : measured;
  const names = defineHostNames(options.allowedHosts ?? []);
  const shares = options.corsAllowedOrigins?.length ? originsOf(options.corsAllowedOrigins) : undefined;
  let address = '';
  const sizes = { ...usualSizes, ...options.sizeLimits };
  const connections = new Connections(sizes.connections);
  const requestLimits = options.requestLimits ?? usualRequestLimits;
  const { limit, turns, paths } = chooseLimit(requestLimits, services, naming, metrics);
  const listed = {
    registry,
    remote: options.remoteApis,
    healthChecks: [ping, storageCheck(options.store), followersCheck(followers), ...(options.healthChecks ?? [])],
    pathDocuments: new Map((options.pathDocuments ?? []).map((document) => [document.path, document])),
    ownPaths: new Map<string, OwnPath>(),
  };
  const about = pagesAbout(options, services, () => listedPaths(listed));
  for (const own of [...paths, explainPath, ...about, ...(options.ownPaths ?? [])]) listed.ownPaths.set(own.path, own);
  const answer = defineHandler({
    ...listed,
    services,
    openApi: openApiOf(options, registry),
    pages: { allowedOrigins: options.allowedOrigins ?? [], shares, ...(options.anonymous ? { names } : {}) },
    authentication: {
      methods: options.authenticators ?? [],
      anonymous: options.anonymous,
      anonymousPaths: options.anonymousPaths ?? [],
      services,
    },
    observeUser: tracer ? traceUser(observeUser) : observeUser,
    countOwn: observeOwnRequests(metrics),
    askedFor: onRequest || tracer ? askedFor : undefined,
    authorizer,
    selecting: services.featureEnabled('AuthorizeWithSelectors'),
    impersonate: impersonationBy(authorizer, services.featureEnabled, naming, metrics),
    limitRequests: limit,
    refuseConnection: limitConnections(options.connectionsPerUser ?? Number.POSITIVE_INFINITY),
    timeoutMs: requestLimits.timeoutMs,
    snapshot: options.snapshot,
    audit,
    healthOf: options.healthOf,
    isStarting: startingFor(options.livezGraceMs ?? 0),
    publicPaths: publicPathsOf(options.pathDocuments),
    documents: defineDocuments(services.protobufMediaType, discoveryGroup, discoveryVersions(services)),
    release: services.release,
    discoveryGroup,
    // Clients look for the gate in the version before they ask for a state in a watch.
    productVersion: options.productVersion + (services.featureEnabled('WatchList') ? '.WatchList' : ''),
    serverAddress: () => address,
    showMetrics: (request) => answerMetrics(metrics, request, services),
    onDefect,
  });
  const waiting = new WaitingRequests();
  const observed = observeRequests(answer, metrics, registry, waiting);
  const handle = shares ? withCors(observed, shares) : observed;
  const handleRecorded = recorded(withAuditIds(withBlankTokenWarnings(handle), idOf), onRequest, askedFor);
  const handleTraced = tracer ? traceRequests(handleRecorded, tracer, askedFor) : handleRecorded;
  const handleNamed = behindDoor(withExplanations(handleTraced), options.door);
  const handleInProcess = behindDoor(handle, options.door);
  const { app, respond, enter, handlerFor } = defineApp({
    handle: handleNamed,
    handleInProcess,
    maxBodyBytes: services.maxBodyBytes,
    isHiddenHeader: options.isHiddenHeader,
    open: options.open,
    pages: options.pages,
    onDefect,
  });
  options.routes?.(app);
  return Object.assign<typeof app, Omit<ApiServer, keyof typeof app>>(app, {
    registry,
    resources,
    replaceModules(modules) {
      const next = { ...sources, modules: underNames(modules, naming) };
      registry.rebase(buildRegistry(next));
      own = next.modules;
      const there = new Set(own);
      for (const [module, { remote }] of sources.known) {
        if (there.has(module)) continue;
        remote?.close();
        sources.known.delete(module);
      }
    },
    handle,
    requestsInProgress: () => waiting.list().map((request) => `${request.method} ${shownTarget(request)}`),
    enter,
    eventHandlers: defineEventHandlers(handlerFor, naming),
    listener: nodeListener(respond, { turns, sizes, onDefect }),
    listenerUnder: (basePath) => nodeListenerUnder(basePath, respond, { turns, sizes, onDefect }),
    async listen(where) {
      const inProgress = defineInProgress(respond);
      const webSockets = defineWebSockets({
        respond: inProgress.handle,
        isPassedOn: (path) => isPassedOn(registry, options.remoteApis, path),
        tokenProtocol: `base64url.bearer.${naming.rename('authorization.platform.io')}.`,
      });
      const listening = await listen(inProgress, webSockets, where, { turns, sizes, connections, onDefect });
      address = listening.advertised;
      const ending = breakingOff(listening, services);
      return where.tls ? following(ending, where.tls, names) : ending;
    },
  });
}

/** Returns a function that is true until this time has passed. */
function startingFor(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() < until;
}

/** Returns whether requests for a path go on to programs behind objects, or to other servers. */
function isPassedOn(registry: LiveRegistry, remote: RemoteApis | undefined, path: string): boolean {
  const { resource: at } = readPath(path);
  if (at === undefined) return false;
  if (!registry.hasVersion(at.group, at.version)) return remote?.find(at.group, at.version) !== undefined;
  return registry.find(at.group, at.version, at.plural)?.subresources.get(at.subresource)?.proxy === true;
}

/** Breaks off passed-on requests when the server closes, because either side could keep them open forever. */
const breakingOff = (listening: Listening, { forwarder }: VerbServices): Listening => ({
  ...listening,
  close: (settle) =>
    listening.close(async () => {
      forwarder.close();
      await settle?.();
    }),
});

/** Makes a server accept the names of the certificates that it shows. */
function following(listening: Listening, tls: TlsSettings, names: HostNames): Listening {
  const follow = ({ cert, named }: TlsSettings): void =>
    names.useCertificates([cert, ...[...(named ?? new Map()).values()].map((one) => one.cert)]);
  follow(tls);
  return {
    ...listening,
    useTls(settings) {
      listening.useTls?.(settings);
      follow(settings);
    },
  };
}

/** Returns the sources of the registry of the server's own resources. */
function registrySources(
  options: ServerOptions,
  service: WebhookCall['service'],
): RegistrySources & Required<Pick<RegistrySources, 'known'>> {
  const { rename } = options.naming;
  const reviewGroup = rename('apiextensions.platform.io');
  return {
    known: new Map(),
    modules: underNames(options.modules, options.naming),
    handlers: options.handlers ?? [],
    plugins: options.plugins ?? [],
    virtualHandlers: (options.virtualHandlers ?? []).map((handler) => ({ ...handler, group: rename(handler.group) })),
    conversions: options.conversions ?? [],
    featureEnabled: options.featureEnabled ?? ((gate) => enabledByDefault(gate, options.release)),
    runtimeConfig: options.runtimeConfig,
    release: options.release,
    rename,
    remote: (webhook, definition) =>
      conversionWebhook(webhook, reviewGroup, { open: options.openConversion, service }, definition),
  };
}

/** Serves stored definitions beside the server's own resources, if the options say how to compile them. */
function followDefinitions(
  { naming, compileDefinition: compile, onDefinitionProblem: onProblem = () => {} }: ServerOptions,
  sources: RegistrySources,
  registry: LiveRegistry,
  services: VerbServices,
  own: () => RegistrySources['modules'],
): void {
  if (!compile) return;
  const { plugins, featureEnabled, release, rename, remote } = sources;
  const shared = { handlers: [], plugins, featureEnabled, release, rename, remote };
  const build: Parameters<typeof serveDefinitions>[0]['build'] = (modules, defined) =>
    buildRegistry({ ...shared, modules, defined });
  serveDefinitions({ services, registry, builtIn: own, naming, compile, build, onProblem });
}

/** Renames modules as the served naming does. The same module gives the same result each time. */
const underNames = (modules: RegistrySources['modules'], naming: ServerOptions['naming']): RegistrySources['modules'] =>
  modules.map(renamed(naming));

const renamed = memoizeByObject((naming: ServerOptions['naming']) =>
  memoizeByObject((module: RegistrySources['modules'][number]) => underNaming(module, naming)),
);

const openApiOf = (
  { naming, productVersion, release = emulate(), remoteApis }: ServerOptions,
  registry: LiveRegistry,
): OpenApiDocuments =>
  new OpenApiDocuments(
    registry,
    {
      title: 'Kindforge',
      version: `v${productVersion}`,
      naming: naming.id === 'kubernetes' ? kubernetesNaming : platformNaming,
      release: release.machinery,
    },
    remoteApis,
  );

/** Returns the versions of discovery in one document, the best first. */
const discoveryVersions = ({ release, featureEnabled }: VerbServices): readonly string[] => [
  ...(release.does('discoveryV2') ? ['v2'] : []),
  ...(featureEnabled('AggregatedDiscoveryRemoveBetaType') ? [] : ['v2beta1']),
];

const pagesAbout = (
  { naming, productVersion, shownFlags: flags = {} }: ServerOptions,
  { release, featureEnabled, clock: now }: VerbServices,
  listed: () => readonly string[],
): readonly OwnPath[] => {
  const group = naming.rename('config.platform.io');
  return aboutPages({ release, featureEnabled, group, productVersion, flags, paths: listed, now });
};

function impersonationBy(
  authorizer: Authorizer,
  featureEnabled: VerbServices['featureEnabled'],
  { rename, wellKnown: { nodeNameExtra, nodeKeysExtra } }: Naming,
  metrics: Metrics,
): Impersonate {
  const observer = impersonationObserverOf(metrics);
  const group = rename('authentication.platform.io');
  return featureEnabled('ConstrainedImpersonation')
    ? defineConstrainedImpersonation({ authorizer, group, nodeNameExtra, nodeKeysExtra, ...(observer && { observer }) })
    : defineImpersonation(authorizer, group);
}

function publicPathsOf(documents: ServerOptions['pathDocuments'] = []): ReadonlySet<string> | undefined {
  const paths = documents.flatMap(({ path, isPublic }) => (isPublic ? [path] : []));
  return paths.length === 0 ? undefined : new Set(paths);
}

const recorded = (handle: Handle, onRequest: OnRequest | undefined, askedFor: AskedFor): Handle =>
  onRequest ? recordRequests(handle, onRequest, askedFor) : handle;

const defaultMetrics = ({ naming, productVersion, release }: ServerOptions): Metrics =>
  new Metrics({ release: minorOf(productVersion), api: release, prefix: naming.id });

/** Answers with metrics, and makes them while it sends them. With many kinds, they take as long as a long list. */
async function answerMetrics(metrics: Metrics, request: ApiRequest, services: VerbServices): Promise<ApiResponse> {
  const { contentType, pieces } = await metrics.show([request.headers.accept ?? ''].flat().join(','));
  const stream = pour(encoded(pieces), services.listsInMaking, (error) => services.onDefect(error, request));
  // No name needs to be escaped.
  const escaping = services.release.does('metricNamesEscaped') ? '; escaping=underscores' : '';
  return { code: 200, contentType: contentType + escaping, body: { stream, ends: true } };
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
