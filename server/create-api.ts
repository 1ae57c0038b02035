/** The second step of a start: assembles the API, with authentication, authorization and TLS. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningControllers } from '../controllers/kit/index.js';
import { modulesOfCustomResource } from '../generator/emit/modules.js';
import {
  configuredProvider,
  type PublishedProvider,
  providerOf,
  resourceMetadata,
} from '../plugins/authentication/resource-metadata.js';
import {
  type Administrator,
  defineAdministrator,
  defineClientCertificates,
  defineLoopback,
  defineRequestHeaders,
  defineUsers,
  identifiesUser,
  type Loopback,
} from '../plugins/index.js';
import { emulate } from '../runtime/objects/release.js';
import {
  type ApiServer,
  authenticationObserverOf,
  authorizationObserverOf,
  createServer,
  Followers,
  type HealthCheck,
  type HealthOf,
  metricTable,
  tokenCounterOf,
} from '../runtime/server/index.js';
import { snapshotBytes, stateOf } from '../runtime/storage/index.js';
import { Aggregator } from './aggregation/aggregator.js';
import { openProxyCertificate, type ProxyCertificate } from './aggregation/proxy-certificate.js';
import { openAuthenticators, userWithoutCredentials } from './authentication.js';
import { type AuthorizationParts, openAuthorization } from './authorization.js';
import { firstHooks, laterHooks } from './bootstrap/index.js';
import { comparing } from './console/compare.js';
import { type Console, defineConsole } from './console/console.js';
import { openOwnParts } from './controllers/own-parts.js';
import { healthOfControllers } from './controllers/start.js';
import { readProductVersion } from './kinds.js';
import { runtimeLimitsOf } from './parts/check-limits.js';
import type { ConfiguredAuthentication } from './parts/configured-authentication.js';
import { type BootstrapHooks, defineHooks } from './run-hooks.js';
import type { ServerParts } from './server-parts.js';
import { audiencesOf, issuersOf, openServiceAccounts, type ServiceAccounts } from './service-accounts.js';
import type { OpenTls } from './transport/open-tls.js';
import { constant, type Follow, type Reloaded } from './transport/reloaded.js';
import { eachAtMostEvery } from './webhooks/line.js';
import { readServiceAddresses } from './webhooks/webhook-calls.js';

/** An API that does not listen yet, with the parts for the next step. */
export interface Api {
  readonly server: ApiServer;
  readonly loopback: Loopback;
  readonly administrator: Administrator | undefined;
  /** Absent if the server does not serve it. */
  readonly console: Console | undefined;
  readonly tls: OpenTls | undefined;
  /** The hooks that create the objects that must exist. */
  readonly hooks: readonly BootstrapHooks[];
  readonly shutdown: Shutdown;
  /** The parts that controllers of this process use. */
  readonly own: ReturnType<typeof openOwnParts>;
  readonly aggregator: Aggregator;
  /** The certificate for the servers behind this one. */
  readonly proxyCertificate: ProxyCertificate;
  /** Values to read again when their files change. */
  readonly followed: readonly Reloaded<unknown>[];
  /** Set once the controllers run. */
  controllers: RunningControllers | undefined;
}

/** The shortest time between two reports of the same refusal, milliseconds. */
const refusedEveryMs = 60_000;

/** Rejects if a file of the options cannot be used. */
export async function createApi(parts: ServerParts): Promise<Api> {
  const { options, naming, secret, encryption } = parts;
  const { administrator: wanted = true, serviceAccounts: accounts } = options.authentication ?? {};
  const loopback = defineLoopback();
  const administrator = wanted ? defineAdministrator(secret) : undefined;
  const hooks = [firstHooks, laterHooks].map(defineHooks);
  const shutdown = defineShutdown(options.shutdownDelayMs);
  const keyChecks = encryption ? [encryption.check] : [];
  const healthChecks = [...keyChecks, ...hooks.flatMap(({ checks }) => checks), shutdown.check];
  const tls = parts.tls && (await import('./transport/open-tls.js')).openTlsOfServer(parts, parts.tls);
  const followed: Reloaded<unknown>[] = encryption ? [encryption.file] : [];
  const follow: Follow = (value) => void followed.push(value);
  const configured = await openConfigured(parts, follow);
  const consoleApp = options.console
    ? defineConsole({
        provider: originOf(publishedProviders(options, configured)()[0]?.issuerUrl),
        clock: options.clock?.wallMs,
      })
    : undefined;
  const serviceAccounts = await openServiceAccounts(accounts, naming, {
    secret,
    servingKey: tls?.givenKey(),
    clock: options.clock,
    featureEnabled: parts.features.featureEnabled,
    onUse: tokenCounterOf(parts.metrics),
    onProblem: parts.onProblem,
    onEnd: (end) => follow({ ...constant(undefined), subscribe: () => end }),
  });
  const own = openOwnParts(parts, { tls, issuer: serviceAccounts.secretIssuer }, follow);
  const healthOf = healthOfControllers(() => api.controllers?.states);
  const proxyCertificate = await openProxyCertificate(options.aggregation?.proxyCertificate, secret, follow);
  const { server, aggregator } = await createApiServer(
    parts,
    {
      loopback,
      administrator,
      console: consoleApp,
      tls,
      follow,
      serviceAccounts,
      healthOf,
      proxyCertificate,
      configured,
    },
    healthChecks,
  );
  const api: Api = {
    server,
    loopback,
    administrator,
    console: consoleApp,
    tls,
    hooks,
    shutdown,
    own,
    aggregator,
    proxyCertificate,
    followed,
    controllers: undefined,
  };
  return api;
}

async function createApiServer(
  parts: ServerParts,
  own: Pick<Api, 'loopback' | 'administrator' | 'console' | 'tls'> & {
    readonly follow: Follow;
    readonly serviceAccounts: ServiceAccounts;
    readonly healthOf: HealthOf;
    readonly proxyCertificate: ProxyCertificate;
    readonly configured: Configured;
  },
  healthChecks: readonly HealthCheck[],
): Promise<Pick<Api, 'server' | 'aggregator'>> {
  const { options, naming, kinds, admission, deferred, features, storage, metrics, calls, cluster, onProblem } = parts;
  const { authentication } = options;
  const { store } = storage;
  const { requestHeader: proxies } = authentication ?? {};
  const isHiddenHeader = cluster?.proxies.identifiesUser ?? (proxies && identifiesUser(proxies));
  const { serviceAccounts, configured } = own;
  const { clock } = options;
  const followers = new Followers({
    store,
    onError: onProblem,
    ...(clock ? { now: () => clock.monotonicMs() } : {}),
  });
  const { authorizer, rules } = await openAuthorization(options.authorization, {
    follow: followers.follow,
    names: naming,
    onProblem,
    calls,
    console: own.console && comparing,
    release: emulate(options.emulatedVersion),
    featureEnabled: features.featureEnabled,
    configure: configured.authorize,
  });
  deferred.complete({ store, issuer: serviceAccounts.issuer, rules });
  const users = defineUsers({
    follow: followers.follow,
    names: naming,
    ...(clock ? { clock: () => clock.wallMs() } : {}),
    onRefused: eachAtMostEvery(refusedEveryMs, (reason) => onProblem(`a request was refused: ${reason}`)),
  });
  const clientCertificates = own.tls && defineClientCertificates(own.tls.clientAuthorities, undefined, users);
  if (own.administrator) {
    own.console?.recognizeBy([own.administrator.authenticator, ...(clientCertificates ? [clientCertificates] : [])]);
  }
  const aggregator = new Aggregator({
    follow: followers.follow,
    store,
    naming,
    certificate: own.proxyCertificate,
    serviceAddress: readServiceAddresses(options.admission?.serviceAddresses),
    toEndpoints: options.aggregation?.toEndpoints ?? false,
    isHiddenHeader: isHiddenHeader ?? (() => false),
    onProblem,
  });
  metrics.sample(metricTable.server.metrics.unavailable, () => aggregator.samples());
  const server = createServer({
    ...kinds,
    plugins: admission.plugins,
    pluginConfigurations: admission.configurations,
    naming,
    store,
    followers,
    authenticators: await openAuthenticators(
      authentication,
      {
        loopback: own.loopback.authenticator,
        requestHeader:
          cluster?.proxies.authenticator ??
          (proxies && own.tls && defineRequestHeaders(proxies, own.tls.proxyAuthorities)),
        clientCertificates,
        administrator: own.administrator?.authenticator,
        console: own.administrator && own.console?.sessions.authenticator,
        serviceAccounts: serviceAccounts.authenticator,
        users: users.authenticator,
      },
      naming,
      onProblem,
      own.follow,
      calls,
      options.clock,
      configured.authentication?.authenticator,
    ),
    audiences: audiencesOf(authentication?.serviceAccounts),
    pathDocuments: [
      ...serviceAccounts.documents,
      ...(authentication?.oidc || configured.authentication
        ? [resourceMetadata(publishedProviders(options, configured))]
        : []),
    ],
    ...(isHiddenHeader ? { isHiddenHeader } : {}),
    remoteApis: aggregator,
    proxyLoopback: options.proxyLoopback,
    authorizer,
    anonymous: userWithoutCredentials(authentication),
    anonymousPaths: configured.authentication?.anonymousPaths,
    featureEnabled: features.featureEnabled,
    runtimeConfig: features.runtimeConfig,
    release: emulate(options.emulatedVersion),
    allowedOrigins: options.allowedOrigins,
    corsAllowedOrigins: options.corsAllowedOrigins,
    allowedHosts: options.allowedHosts,
    productVersion: options.productVersion ?? readProductVersion(),
    compileDefinition: modulesOfCustomResource,
    shownFlags: options.shownFlags,
    openConversion: deferred.openConversion,
    onDefinitionProblem: (name, problem) => onProblem(`definition ${name}: ${problemText(problem)}`),
    clock: options.clock,
    door: options.door,
    healthChecks,
    healthOf: own.healthOf,
    livezGraceMs: options.livezGraceMs,
    metrics,
    snapshot: () => snapshotBytes(stateOf(store), undefined, parts.encryption?.encryption),
    onRequest: options.onRequest,
    onDefect: (error, { method, path }) => onProblem(`${method} ${path} failed`, error),
    routes: options.routes,
    open: own.console && [own.console.middleware],
    pages: options.pages,
    ...runtimeLimitsOf(options.limits),
    audit: parts.audit,
    tracer: parts.tracing?.tracer,
    ownPaths: [...(parts.profiles?.paths ?? []), ...(own.console ? [own.console.comparison] : [])],
    onAuditNote: options.onAuditNote,
    onDeprecatedUse: options.onDeprecatedUse,
  });
  return { server, aggregator };
}

/** The parts that the files about authentication and authorization configure. */
interface Configured {
  readonly authentication: ConfiguredAuthentication | undefined;
  readonly authorize: AuthorizationParts['configure'];
}

/** Opens the files about authentication and authorization. Only servers with such a file load their readers. */
async function openConfigured(
  { options, features: { featureEnabled }, naming: names, metrics, calls, onProblem }: ServerParts,
  follow: Follow,
): Promise<Configured> {
  const { authentication = {}, authorization = {} } = options;
  const shared = { release: emulate(options.emulatedVersion), featureEnabled, calls, onProblem };
  const files = { authentication: authentication.configFile, authorization: authorization.configFile };
  let opened: ConfiguredAuthentication | undefined;
  let authorize: Configured['authorize'];
  if (files.authentication !== undefined) {
    const { openConfiguredAuthentication } = await import('./parts/configured-authentication.js');
    const ownIssuers = issuersOf(authentication.serviceAccounts);
    const observer = authenticationObserverOf(metrics);
    opened = openConfiguredAuthentication(files.authentication, { ...shared, follow, ownIssuers, observer });
    follow(opened.file);
  }
  const { authorization: file } = files;
  if (file !== undefined) {
    const { openConfiguredAuthorization } = await import('./parts/configured-authorization.js');
    authorize = (authorizerOf) => {
      const observer = authorizationObserverOf(metrics);
      const chain = openConfiguredAuthorization(file, { ...shared, names, authorizerOf, observer });
      follow(chain.file);
      return chain.authorizer;
    };
  }
  return { authentication: opened, authorize };
}

/** Returns the identity providers that the server trusts now. They come from its options or from a file. */
function publishedProviders(
  { authentication: { oidc } = {} }: ServerParts['options'],
  { authentication }: Configured,
): () => readonly PublishedProvider[] {
  return () => [...(oidc ? [providerOf(oidc)] : []), ...(authentication?.issuers() ?? []).map(configuredProvider)];
}

/** Returns the origin of a URL; `undefined` if there is none. */
const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

/** Returns the message of a failure or an error. */
function problemText(problem: unknown): string {
  const hasMessage = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(hasMessage ? problem.message : problem);
}

/** The shutdown of a server. */
interface Shutdown {
  /** The readiness check that fails once the shutdown begins, with its name in the reference. */
  readonly check: HealthCheck;
  /** Makes the server unready. Resolves when load balancers have had time to notice. */
  begin(): Promise<void>;
}

function defineShutdown(delayMs = 0): Shutdown {
  let hasBegun = false;
  return {
    check: { name: 'shutdown', problem: () => (hasBegun ? 'process is shutting down' : ''), readinessOnly: true },
    async begin() {
      hasBegun = true;
      if (delayMs > 0) await sleep(delayMs);
    },
  };
}
