/** The job of `kindforge serve`: opens the store, puts the server together, fills in what must exist, and listens. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
} from '../../client/index.js';
import { admissionPlugins, anonymousUser } from '../../plugins/index.js';
import type { Authenticator, ResourceModule, UserInfo } from '../../runtime/contract/index.js';
import { type ApiServer, attributeReader, createServer, type Listening } from '../../runtime/server/index.js';
import { strategies } from '../../strategies/index.js';
import type { ServeFlags } from '../commands/serve.js';
import type { Ending } from '../exit-codes.js';
import { banner } from './banner.js';
import { startControllers } from './controllers.js';
import { loadModules } from './load-modules.js';
import { defineLoopback } from './loopback.js';
import { openStorage, type Storage } from './open-storage.js';
import { openTokenFile } from './open-token-file.js';
import { readSettings, type Settings } from './settings.js';

/** A server that runs, for tests and for other commands. */
export interface Running {
  readonly server: ApiServer;
  readonly listening: Listening;
  readonly storage: Storage;
  /** Ends the controllers, stops listening, then closes the store. */
  stop(): Promise<void>;
}

/** Serves until the process is asked to stop. Mistakes are printed with what to do about them. */
export async function runServe(flags: ServeFlags): Promise<Ending> {
  const settings = readSettings(flags);
  if (!settings.ok) return complain(settings.failure.message, 'failed');
  const modules = await loadModules(settings.value.schemas);
  if (!modules.ok) return complain(modules.failure.message, 'refused');
  try {
    const running = await startServer(settings.value, modules.value);
    if (!flags.quiet) process.stdout.write(banner(settings.value, running, modules.value.length));
    await untilAskedToStop();
    await running.stop();
    return 'done';
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error), 'failed');
  }
}

/** Opens the store and starts to listen. Rejects when either cannot be done. */
export async function startServer(settings: Settings, modules: readonly ResourceModule[]): Promise<Running> {
  const kinds = strategies(settings.naming);
  const storage = await openStorage(settings.storage, attributeReader(modules, settings.naming, kinds));
  const loopback = defineLoopback();
  try {
    const server = createServer({
      modules,
      naming: settings.naming,
      store: storage.store,
      strategies: kinds,
      plugins: admissionPlugins(settings.naming),
      authenticators: [loopback.authenticator, ...tokenFile(settings)],
      anonymous: settings.tokenAuthFile === undefined ? administrator : anonymousUser,
      featureEnabled: settings.featureEnabled,
      productVersion: settings.productVersion,
      onDefect: (error, request) => console.error(`kindforge: ${request.method} ${request.path} failed:`, error),
    });
    const isNew = storage.store.revision === 0;
    await createNamespaces(loopback.connect(server, 'kindforge'), Object.values(settings.naming.namespaces));
    // No client can have seen a revision from before the server listened; asking for one is answered with 410.
    if (isNew) storage.forgetHistory();
    const listening = await server.listen({ host: settings.host, port: settings.port });
    const stopControllers = startControllers(settings.controllers, (agent) => loopback.connect(server, agent));
    const stop = async (): Promise<void> => {
      await stopControllers();
      await listening.close();
      await storage.store.close();
    };
    return { server, listening, storage, stop };
  } catch (error) {
    await storage.store.close();
    throw error;
  }
}

/** Who everyone is while there is no authentication. */
const administrator: UserInfo = {
  name: 'system:admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

const tokenFile = ({ tokenAuthFile }: Settings): readonly Authenticator[] =>
  tokenAuthFile === undefined ? [] : [openTokenFile(tokenAuthFile)];

const namespaces = defineResource<ApiObjectLike>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: [],
});

/** The namespaces that exist from the start, made through the API itself. */
async function createNamespaces(client: ClientOptions, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await createResourceClient(namespaces, client)
      .create({ metadata: { name } })
      .catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
  }
}

function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function complain(message: string, ending: Ending): Ending {
  console.error(`kindforge: ${message}`);
  return ending;
}
