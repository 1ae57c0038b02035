/** Puts the API server together: kinds, store, authentication and authorization. */
import { modulesOfCustomResource } from '../generator/modules/custom-resource-modules.js';
import type { Administrator, Loopback } from '../plugins/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import {
  type ApiServer,
  createServer,
  type HealthCheck,
  type Metrics,
  type ServerCertificate,
} from '../runtime/server/index.js';
import { openAuthenticators, userWithoutCredentials } from './authentication.js';
import { openAuthorization } from './authorization.js';
import type { DeferredSettings } from './deferred-settings.js';
import type { Features } from './features.js';
import type { Kinds } from './kinds.js';
import type { OnProblem, StartOptions } from './options.js';
import { readProductVersion } from './product-version.js';
import { audiencesOf, openServiceAccounts } from './service-accounts.js';
import type { Storage } from './storage/opening.js';

/** The parts of a server, once its options are read and its store is open. */
export interface ServerParts {
  readonly options: StartOptions;
  readonly naming: Naming;
  readonly kinds: Kinds;
  readonly deferred: DeferredSettings;
  readonly tls: ServerCertificate | undefined;
  readonly features: Features;
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
  own: OwnUsers,
  healthChecks: readonly HealthCheck[],
): Promise<ApiServer> {
  const { options, naming, kinds, deferred, features, storage, metrics, onProblem } = parts;
  const { authentication, admission: { plugins = [] } = {}, http } = options;
  const { store } = storage;
  const serviceAccounts = await openServiceAccounts(authentication?.serviceAccounts, naming, store.secret);
  const { authorizer, rules } = await openAuthorization(options.authorization, store, naming, onProblem);
  deferred.complete({ store, issuer: serviceAccounts.issuer, rules });
  return createServer({
    ...kinds,
    plugins: [...kinds.plugins, ...plugins],
    naming,
    store,
    authenticators: await openAuthenticators(
      authentication,
      {
        loopback: own.loopback.authenticator,
        administrator: own.administrator?.authenticator,
        serviceAccounts: serviceAccounts.authenticator,
      },
      naming,
      onProblem,
    ),
    audiences: audiencesOf(authentication?.serviceAccounts),
    authorizer,
    anonymous: userWithoutCredentials(authentication),
    featureEnabled: features.featureEnabled,
    runtimeConfig: features.runtimeConfig,
    emulatedVersion: options.emulatedVersion,
    allowedOrigins: http === false ? [] : http?.allowedOrigins,
    allowedHosts: options.allowedHosts,
    productVersion: options.productVersion ?? readProductVersion(),
    compileDefinition: modulesOfCustomResource,
    onDefinitionProblem: (name, problem) => onProblem(`definition ${name}: ${problemText(problem)}`),
    healthChecks,
    metrics,
    onRequest: options.onRequest,
    onDefect: (error, { method, path }) => onProblem(`${method} ${path} failed`, error),
    routes: options.routes,
    onAuditNote: options.onAuditNote,
    onDeprecatedUse: options.onDeprecatedUse,
  });
}

/** The message of a failure or an error. */
function problemText(problem: unknown): string {
  const hasMessage = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(hasMessage ? problem.message : problem);
}
