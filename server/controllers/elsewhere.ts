/** Runs controllers in their own process, as clients of another server. */
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClientOptions, discoverResources } from '../../client/index.js';
import type { Controller, RunningControllers } from '../../controllers/kit/index.js';
import { type Naming, namingOf } from '../../runtime/objects/names/naming.js';
import type { Metrics } from '../../runtime/server/index.js';
import { importModule } from '../../runtime/storage/unstorage/import-factory.js';
import { connectTo, type ServerChoice } from '../access/connect.js';
import { openMetrics } from '../open-parts.js';
import { runChosen, runChosenAsLeader, type StartParts } from './as-leader.js';
import { checkControllers, chooseControllers } from './choose.js';
import type { Served } from './controller-rows.js';
import { showStates } from './queue-metrics.js';

export interface ElsewhereOptions {
  readonly server: ServerChoice;
  /** Names of built-in controllers, as in the option of a server. */
  readonly controllers: readonly string[];
  /** A JavaScript module with a controller, or a list of controllers, as its default export. */
  readonly module?: string | undefined;
  /** Additional controllers. */
  readonly own?: readonly Controller[] | undefined;
  readonly leaderElection?: boolean | undefined;
  /** The loopback port for `/healthz` and `/metrics`, or 0 for a free one. Default: none. */
  readonly port?: number | undefined;
  readonly onProblem: (problem: string) => void;
}

export interface RunningElsewhere {
  readonly names: readonly string[];
  /** As in `http://127.0.0.1:9090`. */
  readonly url?: string;
  stop(): Promise<void>;
}

/** Rejects if the resources of the server cannot be read, or the module has no controllers. */
export async function runElsewhere(options: ElsewhereOptions): Promise<RunningElsewhere> {
  checkControllers(options.controllers);
  const { client } = connectTo(options.server);
  const served = await servedBy(client);
  const named = options.module === undefined ? [] : await controllersOf(options.module);
  const chosen = chooseControllers([...options.controllers, ...(options.own ?? []), ...named], served);
  const metrics = openMetrics({}, served.naming);
  const connect: StartParts['connect'] = (agent = 'kindforge-controllers') => ({
    ...client,
    naming: served.naming.id,
    headers: { ...client.headers, 'user-agent': agent },
  });
  const parts = { naming: served.naming, metrics, onProblem: options.onProblem, connect };
  const running = options.leaderElection ? runChosenAsLeader(chosen, parts) : runChosen(chosen, parts);
  showStates(metrics, running);
  const answering = options.port === undefined ? undefined : await answer(options.port, running, metrics);
  return {
    names: chosen.map(({ name }) => name),
    ...(answering && { url: answering.url }),
    stop: async () => {
      await running.stop();
      answering?.server.close();
    },
  };
}

/** Reads the resources of the server. Its naming is `kubernetes` if it has the groups of Kubernetes. */
async function servedBy(client: ClientOptions): Promise<Served> {
  const resources = await discoverResources(client);
  const kubernetes = resources.some(({ group }) => group.endsWith('.k8s.io'));
  return {
    naming: namingFor(kubernetes ? 'kubernetes' : 'platform'),
    serves: (group, version, plural) =>
      resources.some((one) => one.group === group && one.version === version && one.plural === plural),
  };
}

function namingFor(id: string): Naming {
  const naming = namingOf(id);
  if (naming === undefined) throw new TypeError(`unknown naming ${id}`);
  return naming;
}

async function controllersOf(module: string): Promise<readonly Controller[]> {
  const loaded = await importModule(pathToFileURL(resolve(module)).href);
  const exported: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded && loaded.default;
  const found: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (found.length > 0 && found.every(isController)) return found;
  throw new Error(`${module}: must export a controller, or a list of controllers, as its default`);
}

const isController = (value: unknown): value is Controller =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'run' in value &&
  typeof value.run === 'function';

/** Answers `/healthz`, which fails while a controller cannot continue, `/healthz/<name>`, and `/metrics`. */
async function answer(
  port: number,
  running: RunningControllers,
  metrics: Metrics,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(async ({ url = '', headers }, response) => {
    if (url === '/metrics') {
      const { contentType, pieces } = await metrics.show(headers.accept ?? '');
      response.setHeader('content-type', contentType).end([...pieces].join(''));
      return;
    }
    const states = [...running.states].filter(([name]) => url === '/healthz' || url === `/healthz/${name}`);
    if (url !== '/healthz' && states.length === 0) response.writeHead(404).end('not found\n');
    else {
      const failed = states.filter(([, state]) => state === 'failed').map(([name]) => name);
      response
        .writeHead(failed.length > 0 ? 500 : 200)
        .end(failed.length > 0 ? `failed: ${failed.join(', ')}\n` : 'ok');
    }
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', listening);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { server, url: `http://127.0.0.1:${bound}` };
}
