/** The job of `kindforge serve`: opens the store, puts the server together, fills in what must exist, and listens. */
import { admissionPlugins, anonymousUser } from '../../plugins/index.js';
import type { ResourceModule, UserInfo } from '../../runtime/contract/index.js';
import { type ApiServer, attributeReader, createServer, type Listening } from '../../runtime/server/index.js';
import { strategies } from '../../strategies/index.js';
import type { ServeFlags } from '../commands/serve.js';
import type { Ending } from '../exit-codes.js';
import { banner } from './banner.js';
import { loadModules } from './load-modules.js';
import { openStorage, type Storage } from './open-storage.js';
import { openTokenFile } from './open-token-file.js';
import { readSettings, type Settings } from './settings.js';

/** A server that runs, for tests and for other commands. */
export interface Running {
  readonly server: ApiServer;
  readonly listening: Listening;
  readonly storage: Storage;
  /** Stops listening, then closes the store. */
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
  try {
    const server = createServer({
      modules,
      naming: settings.naming,
      store: storage.store,
      strategies: kinds,
      plugins: admissionPlugins(settings.naming),
      authenticators: settings.tokenAuthFile === undefined ? [] : [openTokenFile(settings.tokenAuthFile)],
      anonymous: settings.tokenAuthFile === undefined ? administrator : anonymousUser,
      featureEnabled: settings.featureEnabled,
      productVersion: settings.productVersion,
      onDefect: (error, request) => console.error(`kindforge: ${request.method} ${request.path} failed:`, error),
    });
    await createNamespaces(server, Object.values(settings.naming.namespaces));
    const listening = await server.listen({ host: settings.host, port: settings.port });
    const stop = async (): Promise<void> => {
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

/** The namespaces that exist from the start, made through the API itself. */
async function createNamespaces(server: ApiServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    const answer = await server.handle({
      method: 'POST',
      path: '/api/v1/namespaces',
      search: '',
      headers: { 'user-agent': 'kindforge' },
      readBody: () => Promise.resolve({ ok: true, value: body }),
    });
    if (answer.code !== 201 && answer.code !== 409)
      throw new Error(`namespace ${name} could not be created: ${answer.code}`);
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
