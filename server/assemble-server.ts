/** Puts the API server together: kinds, store, authentication and authorization. */
import { modulesOfCustomResource } from '../generator/modules/custom-resource-modules.js';
import {
  type Administrator,
  defineClientCertificates,
  defineRequestHeaders,
  type Loopback,
  tellsUser,
} from '../plugins/index.js';
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import {
  type ApiServer,
  createServer,
  Followers,
  type HealthCheck,
  type HealthOf,
  type Metrics,
} from '../runtime/server/index.js';
import { snapshotBytes, stateOf } from '../runtime/storage/index.js';
import { openAuthenticators, userWithoutCredentials } from './authentication.js';
import { openAuthorization } from './authorization.js';
import type { DeferredSettings } from './deferred-settings.js';
import type { Features } from './features.js';
import { type Kinds, readProductVersion } from './kinds.js';
import type { OnProblem, StartOptions } from './options.js';
import { runtimeLimitsOf } from './parts/check-limits.js';
import type { OpenedAdmission } from './parts/open-admission.js';
import type { OpenedAudit } from './parts/open-audit.js';
import type { Storage } from './parts/open-storage.js';
import type { OpenedTracing } from './parts/open-tracing.js';
import type { Profiles } from './profiles.js';
import { audiencesOf, type ServiceAccounts } from './service-accounts.js';
import type { GivenTls } from './transport/given-tls.js';
import type { OpenTls } from './transport/open-tls.js';
import type { Follow } from './transport/reloaded.js';

/** The parts of a server, once its options are read and its store is open. */
export interface ServerParts {
  readonly options: StartOptions;
  readonly naming: Naming;
  readonly kinds: Kinds;
  /** Those of the modules that the option `schemas` has brought. */
  readonly definitions: readonly ResourceModule[];
  readonly admission: OpenedAdmission;
  readonly deferred: DeferredSettings;
  /** The settings of TLS; absent without it. */
  readonly tls: GivenTls | undefined;
  readonly features: Features;
  readonly audit: OpenedAudit | undefined;
  readonly tracing: OpenedTracing | undefined;
  readonly profiles: Profiles | undefined;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly onProblem: OnProblem;
}

/** The users that the server itself makes up. */
export interface OwnUsers {
  readonly loopback: Loopback;
  readonly administrator: Administrator | undefined;
}

/** Rejects where a file of the options cannot be used. */
export async function assembleServer(
  parts: ServerParts,
  own: OwnUsers & {
    readonly tls: OpenTls | undefined;
    readonly follow: Follow;
    readonly serviceAccounts: ServiceAccounts;
    readonly healthOf: HealthOf;
  },
  healthChecks: readonly HealthCheck[],
): Promise<ApiServer> {
  const { options, naming, kinds, admission, deferred, features, storage, metrics, onProblem } = parts;
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
  const { authorizer, rules } = await openAuthorization(options.authorization, followers.follow, naming, onProblem);
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
      options.clock,
    ),
    audiences: audiencesOf(authentication?.serviceAccounts),
    pathDocuments: serviceAccounts.documents,
    ...(proxies ? { isHiddenHeader: tellsUser(proxies) } : {}),
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
    snapshot: () => snapshotBytes(stateOf(store)),
    onRequest: options.onRequest,
    onDefect: (error, { method, path }) => onProblem(`${method} ${path} failed`, error),
    routes: options.routes,
    ...runtimeLimitsOf(options.limits),
    audit: parts.audit,
    tracer: parts.tracing?.tracer,
    ...(parts.profiles ? { ownPaths: parts.profiles.paths } : {}),
    onAuditNote: options.onAuditNote,
    onDeprecatedUse: options.onDeprecatedUse,
  });
}

/** The message of a failure or an error. */
function problemText(problem: unknown): string {
  const hasMessage = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(hasMessage ? problem.message : problem);
}
