/** The second step of a start: assembles the API, with authentication, authorization and TLS. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningControllers } from '../controllers/kit/index.js';
import { modulesOfCustomResource } from '../generator/emit/modules.js';
import {
  type Administrator,
  defineAdministrator,
  defineClientCertificates,
  defineLoopback,
  defineRequestHeaders,
  identifiesUser,
  type Loopback,
} from '../plugins/index.js';
import { type ApiServer, createServer, Followers, type HealthCheck, type HealthOf } from '../runtime/server/index.js';
import { snapshotBytes, stateOf } from '../runtime/storage/index.js';
import { defaultServiceRanges } from '../strategies/index.js';
import { openAuthenticators, userWithoutCredentials } from './authentication.js';
import { openAuthorization } from './authorization.js';
import { firstHooks, laterHooks } from './bootstrap/index.js';
import { openOwnParts } from './controllers/own-parts.js';
import { healthOfControllers } from './controllers/start.js';
import { readProductVersion } from './kinds.js';
import { runtimeLimitsOf } from './parts/check-limits.js';
import { type BootstrapHooks, defineHooks } from './run-hooks.js';
import type { ServerParts } from './server-parts.js';
import { audiencesOf, openServiceAccounts, type ServiceAccounts } from './service-accounts.js';
import { writtenAuthority } from './transport/credentials-folder.js';
import type { OpenTls } from './transport/open-tls.js';
import type { Follow, Reloaded } from './transport/reloaded.js';

/** An API that does not listen yet, with the parts for the next step. */
export interface Api {
  readonly server: ApiServer;
  readonly loopback: Loopback;
  readonly administrator: Administrator | undefined;
  readonly tls: OpenTls | undefined;
  /** The hooks that create the objects that must exist. */
  readonly hooks: readonly BootstrapHooks[];
  readonly shutdown: Shutdown;
  /** The parts that controllers of this process use. */
  readonly own: ReturnType<typeof openOwnParts>;
  /** Values that are read again when their files change. */
  readonly followed: readonly Reloaded<unknown>[];
  /** Set once they run. */
  controllers: RunningControllers | undefined;
}

/** Rejects if a file of the options cannot be used. */
export async function createApi(parts: ServerParts): Promise<Api> {
  const { options, naming, storage, encryption } = parts;
  const { secret } = storage.store;
  const { administrator: wanted = true, serviceAccounts: accounts } = options.authentication ?? {};
  const loopback = defineLoopback();
  const administrator = wanted ? defineAdministrator(secret) : undefined;
  const hooks = [firstHooks, laterHooks].map(defineHooks);
  const shutdown = defineShutdown(options.shutdownDelayMs);
  const keyChecks = encryption ? [encryption.check] : [];
  const healthChecks = [...keyChecks, ...hooks.flatMap(({ checks }) => checks), shutdown.check];
  const tls = await openTlsFor(parts);
  const followed: Reloaded<unknown>[] = encryption ? [encryption.file] : [];
  const follow: Follow = (value) => void followed.push(value);
  const serviceAccounts = await openServiceAccounts(accounts, naming, {
    secret,
    servingKey: tls?.givenKey(),
    clock: options.clock,
  });
  const own = openOwnParts(parts, { tls, issuer: serviceAccounts.secretIssuer }, follow);
  const healthOf = healthOfControllers(() => api.controllers?.states);
  const server = await createApiServer(
    parts,
    { loopback, administrator, tls, follow, serviceAccounts, healthOf },
    healthChecks,
  );
  const api: Api = { server, loopback, administrator, tls, hooks, shutdown, own, followed, controllers: undefined };
  return api;
}

async function createApiServer(
  parts: ServerParts,
  own: Pick<Api, 'loopback' | 'administrator' | 'tls'> & {
    readonly follow: Follow;
    readonly serviceAccounts: ServiceAccounts;
    readonly healthOf: HealthOf;
  },
  healthChecks: readonly HealthCheck[],
): Promise<ApiServer> {
  const { options, naming, kinds, admission, deferred, features, storage, metrics, calls, onProblem } = parts;
  const { authentication } = options;
  const { store } = storage;
  const { requestHeader: proxies } = authentication ?? {};
  const { serviceAccounts } = own;
  const { clock } = options;
  const followers = new Followers({
    store,
    onError: onProblem,
    ...(clock ? { now: () => clock.monotonicMs() } : {}),
  });
  const { authorizer, rules } = await openAuthorization(
    options.authorization,
    followers.follow,
    naming,
    onProblem,
    calls,
  );
  deferred.complete({ store, issuer: serviceAccounts.issuer, rules });
  return createServer({
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
        requestHeader: proxies && own.tls && defineRequestHeaders(proxies, own.tls.proxyAuthorities),
        clientCertificates: own.tls && defineClientCertificates(own.tls.clientAuthorities),
        administrator: own.administrator?.authenticator,
        serviceAccounts: serviceAccounts.authenticator,
      },
      naming,
      onProblem,
      own.follow,
      calls,
      options.clock,
    ),
    audiences: audiencesOf(authentication?.serviceAccounts),
    pathDocuments: serviceAccounts.documents,
    ...(proxies ? { isHiddenHeader: identifiesUser(proxies) } : {}),
    proxyLoopback: options.proxyLoopback,
    authorizer,
    anonymous: userWithoutCredentials(authentication),
    featureEnabled: features.featureEnabled,
    runtimeConfig: features.runtimeConfig,
    emulatedVersion: options.emulatedVersion,
    allowedOrigins: options.allowedOrigins,
    corsAllowedOrigins: options.corsAllowedOrigins,
    allowedHosts: options.allowedHosts,
    productVersion: options.productVersion ?? readProductVersion(),
    compileDefinition: modulesOfCustomResource,
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
    pages: options.pages,
    ...runtimeLimitsOf(options.limits),
    audit: parts.audit,
    tracer: parts.tracing?.tracer,
    ...(parts.profiles ? { ownPaths: parts.profiles.paths } : {}),
    onAuditNote: options.onAuditNote,
    onDeprecatedUse: options.onDeprecatedUse,
  });
}

/** Returns the message of a failure or an error. */
function problemText(problem: unknown): string {
  const hasMessage = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(hasMessage ? problem.message : problem);
}

/** Opens TLS with the given certificates and the server's own ones; returns `undefined` without TLS. */
async function openTlsFor({ options, tls: given, storage }: ServerParts): Promise<OpenTls | undefined> {
  const { tls: option, serviceRanges = defaultServiceRanges, credentials, advertiseAddress } = options;
  if (!option || !given) return undefined;
  const { openTls } = await import('./transport/open-tls.js');
  const { serverNames } = await import('./transport/own-certificates.js');
  return openTls({
    given,
    option,
    secret: storage.store.secret,
    kept: writtenAuthority(credentials?.folder),
    // The address of a passed socket is not known yet.
    names: serverNames({
      host: option.fd === undefined ? (option.host ?? '127.0.0.1') : '0.0.0.0',
      names: [...(advertiseAddress === undefined ? [] : [advertiseAddress]), ...(option.names ?? [])],
      addresses: serviceRanges.addresses,
    }),
  });
}

/** The shutdown of a server. */
interface Shutdown {
  /** The readiness check that fails once the shutdown begins, by its name in the reference. */
  readonly check: HealthCheck;
  /** Makes the server unready. Resolves once load balancers have had time to notice. */
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
