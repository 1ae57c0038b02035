/** The job of `kindforge serve`: opens the store, puts the server together, fills in what must exist, and listens. */
import { modulesOfCustomResource } from '../../generator/model/custom-resource-modules.js';
import { admissionPlugins, anonymousUser, defineBootstrapTokens } from '../../plugins/index.js';
import type { Authenticator, ResourceModule, UserInfo } from '../../runtime/contract/index.js';
import { type ApiServer, attributeReader, createServer, type Listening } from '../../runtime/server/index.js';
import { DamagedStoreError } from '../../runtime/storage/index.js';
import { conversions } from '../../strategies/conversions.js';
import { strategies, virtualHandlers } from '../../strategies/index.js';
import type { ServeFlags } from '../commands/serve.js';
import type { Ending } from '../exit-codes.js';
import { defineAdministrator } from './administrator.js';
import { openAuthorization } from './authorization.js';
import { banner } from './banner.js';
import { startControllers } from './controllers.js';
import { type CredentialsFolder, writeCredentials } from './credentials-folder.js';
import { readEnablement } from './enablement.js';
import { explaining, explainListening } from './explain.js';
import { giveBackWhenQuiet } from './idle-gc.js';
import { loadModules } from './load-modules.js';
import { defineLoopback } from './loopback.js';
import { openCertificate } from './open-certificate.js';
import { openStorage, type Storage } from './open-storage.js';
import { openTokenFile } from './open-token-file.js';
import { keepPolicyStatus } from './policy-status.js';
import { openServiceAccounts } from './service-accounts.js';
import { readSettings, type Settings } from './settings.js';
import { defineStartHooks, firstHooks, laterHooks } from './start-hooks/index.js';
import { boundYoungGeneration, withSmallYoungGeneration } from './young-generation.js';

/** A server that runs, for tests and for other commands. */
export interface Running {
  readonly server: ApiServer;
  readonly listening: Listening;
  readonly storage: Storage;
  /** The administrator's, where the server made one. */
  readonly credentials?: CredentialsFolder;
  /** Ends the controllers, stops listening, and closes the store; what was accepted is answered before. */
  stop(): Promise<void>;
}

/** Serves until the process is asked to stop. Mistakes are printed with what to do about them. */
export async function runServe(flags: ServeFlags): Promise<Ending> {
  const settings = readSettings(flags);
  if (!settings.ok) return complain(settings.failure.message, 'failed');
  const modules = await loadModules(settings.value.schemas);
  if (!modules.ok) return complain(modules.failure.message, 'refused');
  // From here on a signal is heard, and obeyed as soon as there is something to stop; a second one ends the process.
  const asked = untilAskedToStop();
  try {
    const running = await withSmallYoungGeneration(() => startServer(settings.value, modules.value));
    try {
      if (!flags.quiet) process.stdout.write(banner(settings.value, running, running.server.registry.resources.length));
      const savings = [giveBackWhenQuiet(), boundYoungGeneration()];
      await asked;
      for (const end of savings) end();
    } finally {
      await running.stop();
    }
    return 'done';
  } catch (error) {
    if (error instanceof DamagedStoreError) return complain(`${error.message}\n${damageHelp}`, 'refused');
    return complain(error instanceof Error ? error.message : String(error), 'failed');
  }
}

const damageHelp =
  'Start with --on-damage serve-rest to go on without these and write them again, or with --on-damage discard to ' +
  'remove them for good with the next write.';

/** Opens certificate and store, and starts to listen. Rejects when one of these cannot be done, or a flag is wrong. */
export async function startServer(settings: Settings, modules: readonly ResourceModule[]): Promise<Running> {
  const tls = settings.tls && (await openCertificate(settings.tls));
  const enablement = readEnablement(settings, modules);
  if (!enablement.ok) throw new Error(enablement.failure.message);
  const { featureEnabled, runtimeConfig, notices } = enablement.value;
  for (const notice of notices) console.error(`kindforge: ${notice}`);
  const kinds = strategies(settings.naming, settings);
  const { onDamage, history } = settings;
  const readAttributes = attributeReader(modules, settings.naming, kinds, conversions);
  const storage = await openStorage(settings.storage, { onDamage, history, readAttributes });
  for (const { key, problem } of storage.damage) {
    console.error(`kindforge: not served: ${key === '' ? '(key unknown)' : key}: ${problem}`);
  }
  const loopback = defineLoopback();
  const administrator = settings.makesAdministrator ? defineAdministrator(storage.store.secret) : undefined;
  const first = defineStartHooks(firstHooks);
  const later = defineStartHooks(laterHooks);
  try {
    const serviceAccounts = await openServiceAccounts(settings, storage.store.secret);
    const { authorizer, ...parts } = openAuthorization(settings.authorizationModes, storage.store, settings.naming);
    const server = createServer({
      modules,
      naming: settings.naming,
      store: storage.store,
      strategies: kinds,
      conversions,
      plugins: admissionPlugins(settings.naming, parts),
      handlers: virtualHandlers(settings.naming, {
        issuer: serviceAccounts.issuer,
        components: [{ name: 'storage', problem: () => storage.store.health() }],
      }),
      authenticators: [
        loopback.authenticator,
        ...(administrator ? [administrator.authenticator] : []),
        ...(await tokenFile(settings)),
        serviceAccounts.authenticator,
        ...(settings.bootstrapTokens ? [defineBootstrapTokens(settings.naming)] : []),
      ],
      audiences: settings.serviceAccounts.audiences,
      authorizer,
      ...withoutCredentials(settings),
      featureEnabled,
      runtimeConfig,
      emulatedVersion: settings.emulatedVersion,
      productVersion: settings.productVersion,
      compileDefinition: modulesOfCustomResource,
      onDefinitionProblem: (name, problem) => console.error(`kindforge: definition ${name}: ${problemText(problem)}`),
      healthChecks: [...first.checks, ...later.checks],
      onDefect: (error, request) => console.error(`kindforge: ${request.method} ${request.path} failed:`, error),
    });
    const isNew = storage.store.revision === 0;
    const client = loopback.connect(server, 'kindforge');
    const { naming, serviceRanges } = settings;
    const circumstances = { client, naming, serviceRanges, port: settings.port, featureEnabled };
    await first.run(circumstances);
    await later.run(circumstances);
    // No client can have seen a revision from before the server listened; asking for one is answered with 410.
    if (isNew) storage.forgetHistory();
    const { host, port } = settings;
    const listening = await explaining(
      () => server.listen({ host, port, ...(tls ? { tls } : {}) }),
      (error) => explainListening(error, host, port),
    );
    const credentials = administrator && (await giveCredentials(settings, administrator.token, listening));
    const stopControllers = startControllers(settings.controllers, (agent) => loopback.connect(server, agent));
    const stopPolicies = keepPolicyStatus({
      client: loopback.connect(server, 'kindforge'),
      naming: settings.naming,
      resources: server.resources,
      featureEnabled,
    });
    const stopHooks = [first, later].map((hooks) => hooks.repeat(circumstances));
    const stop = async (): Promise<void> => {
      for (const stopHook of stopHooks) stopHook();
      await Promise.all([stopControllers(), stopPolicies()]);
      await listening.close(() => storage.store.close());
      credentials?.dispose();
    };
    return { server, listening, storage, stop, ...(credentials ? { credentials } : {}) };
  } catch (error) {
    await storage.store.close();
    throw error;
  }
}

/** Writes down the administrator's credentials; rejects, and listens no longer, where that cannot be done. */
async function giveCredentials(settings: Settings, token: string, listening: Listening): Promise<CredentialsFolder> {
  try {
    return writeCredentials(settings, { url: listening.url, token });
  } catch (error) {
    await listening.close(() => Promise.resolve());
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the administrator's credentials cannot be written: ${reason}`, { cause: error });
  }
}

/** What a definition's problem says, be it a failure or an error. */
function problemText(problem: unknown): string {
  const isTold = typeof problem === 'object' && problem !== null && 'message' in problem;
  return String(isTold ? problem.message : problem);
}

/** Whom requests without credentials come from; nobody where they are refused. */
function withoutCredentials({ anonymous }: Settings): { readonly anonymous?: UserInfo } {
  if (anonymous === 'refused') return {};
  return { anonymous: anonymous === 'administrator' ? everyone : anonymousUser };
}

/** Who everyone is where everyone is let in. */
const everyone: UserInfo = {
  name: 'system:admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

const tokenFile = async ({ tokenAuthFile }: Settings): Promise<readonly Authenticator[]> =>
  tokenAuthFile === undefined ? [] : [await openTokenFile(tokenAuthFile)];

function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function complain(message: string, ending: Ending): Ending {
  console.error(`kindforge: ${message}`);
  return ending;
}
