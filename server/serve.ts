/** Serves what is stored: makes a server of its parts, fills in what must exist, listens, and runs controllers. */
import { type BootstrapParts, firstHooks, laterHooks, OtherNamingError } from '../bootstrap/index.js';
import { modulesOfCustomResource } from '../generator/modules/custom-resource-modules.js';
import { type Administrator, defineAdministrator, defineLoopback, type Loopback } from '../plugins/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { type ApiServer, createServer, type HealthCheck, type ServerCertificate } from '../runtime/server/index.js';
import { defaultServiceRanges } from '../strategies/index.js';
import { openAuthenticators, userWithoutCredentials } from './authentication.js';
import { openAuthorization } from './authorization.js';
import { connect, connectAs } from './connect.js';
import { chooseControllers, startControllers } from './controllers.js';
import type { Features } from './features.js';
import { flowSchemaStatus } from './flow-schema-status.js';
import type { Kinds } from './kinds.js';
import type { LateSettings } from './late-settings.js';
import { startListening } from './listen.js';
import { OptionError } from './option-error.js';
import type { OnProblem, StartOptions } from './options.js';
import { policyStatus } from './policy-status.js';
import { readProductVersion } from './product-version.js';
import { defineHooks } from './run-hooks.js';
import type { RunningServer } from './running-server.js';
import { audiencesOf, openServiceAccounts } from './service-accounts.js';
import type { Storage } from './storage/opening.js';

/** What a server is made of, once its options are read and its store is open. */
export interface ServerParts {
  readonly options: StartOptions;
  readonly naming: Naming;
  readonly kinds: Kinds;
  readonly late: LateSettings;
  readonly tls: ServerCertificate | undefined;
  readonly features: Features;
  readonly storage: Storage;
  readonly onProblem: OnProblem;
}

/** Who the server itself recognizes. */
interface OwnUsers {
  readonly loopback: Loopback;
  readonly administrator: Administrator | undefined;
}

export async function serve(parts: ServerParts): Promise<RunningServer> {
  const { options, naming, features, storage, onProblem } = parts;
  const { store } = storage;
  const { administrator: wanted = true } = options.authentication ?? {};
  const own = {
    loopback: defineLoopback(),
    administrator: wanted ? defineAdministrator(store.secret) : undefined,
  };
  const hooks = [firstHooks, laterHooks].map(defineHooks);
  const server = await assemble(
    parts,
    own,
    hooks.flatMap(({ checks }) => checks),
  );
  const { serviceRanges = defaultServiceRanges, http } = options;
  const { featureEnabled } = features;
  const client = connect(server, own.loopback, 'kindforge');
  const port = http === false ? 0 : (http?.port ?? 0);
  const host = http === false ? '' : (http?.host ?? '127.0.0.1');
  const bootstrap: BootstrapParts = { client, naming, serviceRanges, port, host, featureEnabled };
  const isNew = store.revision === 0;
  for (const { run } of hooks) await run(bootstrap).catch(rejectInOptions);
  // No client can have seen a revision from before the server listened; asking for one is answered with 410.
  if (isNew) storage.forgetHistory();
  const listening =
    http === false
      ? undefined
      : await startListening(server, {
          http: http ?? {},
          tls: parts.tls,
          credentials: options.credentials,
          token: own.administrator?.token,
        });
  const controllers = chooseControllers(options.controllers, { resources: server.resources, naming }).map(
    (controller) => ({
      controller,
      client: connect(server, own.loopback, `${controller.name}-controller`),
    }),
  );
  const writers = [
    ...policyStatus(server.resources, naming, featureEnabled),
    ...flowSchemaStatus(server.resources, naming),
  ];
  const statusWriters = writers.map((controller) => ({
    controller,
    client,
  }));
  const stopControllers = startControllers([...controllers, ...statusWriters], onProblem);
  const stopHooks = hooks.map(({ repeat }) => repeat(bootstrap, onProblem));
  const { listen: _listen, ...mountable } = server;
  return {
    ...mountable,
    client: (user) => connectAs(server, own.loopback, user),
    store,
    place: storage.place,
    ...listening?.told,
    async stop() {
      for (const stopHook of stopHooks) stopHook();
      await stopControllers();
      await (listening ? listening.close(() => store.close()) : store.close());
    },
  };
}

async function assemble(parts: ServerParts, own: OwnUsers, healthChecks: readonly HealthCheck[]): Promise<ApiServer> {
  const { options, naming, kinds, late, features, storage, onProblem } = parts;
  const { authentication, admission: { plugins = [] } = {}, http } = options;
  const { store } = storage;
  const serviceAccounts = await openServiceAccounts(authentication?.serviceAccounts, naming, store.secret);
  const { authorizer, rules } = openAuthorization(options.authorization, store, naming);
  late.complete({ store, issuer: serviceAccounts.issuer, rules });
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
    onDefect: (error, { method, path }) => onProblem(`${method} ${path} failed`, error),
    routes: options.routes,
    onAuditNote: options.onAuditNote,
    onDeprecatedUse: options.onDeprecatedUse,
  });
}

/** What a failure or an error says. */
function problemText(problem: unknown): string {
  const hasMessage = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(hasMessage ? problem.message : problem);
}

function rejectInOptions(error: unknown): never {
  if (!(error instanceof OtherNamingError)) throw error;
  const { naming } = error;
  throw new OptionError(
    (nameOf) =>
      `the data was written under ${nameOf('naming')} ${naming}; serve it so, or choose another ${nameOf('storage')}`,
    { cause: error },
  );
}
