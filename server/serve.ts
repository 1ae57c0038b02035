/** Serves the stored objects: assembles the server, makes what must exist, listens, and starts the controllers. */
import { type BootstrapParts, firstHooks, laterHooks } from '../bootstrap/index.js';
import { defineAdministrator, defineLoopback, type Loopback } from '../plugins/index.js';
import type { ApiServer } from '../runtime/server/index.js';
import { defaultServiceRanges } from '../strategies/index.js';
import { assembleServer, type ServerParts } from './assemble-server.js';
import { connect, connectAs } from './connect.js';
import { chooseControllers, type StartedController, startControllers } from './controllers.js';
import { flowSchemaStatus } from './flow-schema-status.js';
import { type StartedListening, startListening } from './listen.js';
import { countControllerProblem } from './open-metrics.js';
import { policyStatus } from './policy-status.js';
import { type BootstrapHooks, defineHooks } from './run-hooks.js';
import type { RunningServer } from './running-server.js';
import { webhookNotices } from './webhook-notice.js';

/** Rejects where an option cannot be used, or an object that must exist cannot be made. */
export async function serve(parts: ServerParts): Promise<RunningServer> {
  const { options, storage, onProblem } = parts;
  const { store } = storage;
  const { administrator: wanted = true } = options.authentication ?? {};
  const loopback = defineLoopback();
  const administrator = wanted ? defineAdministrator(store.secret) : undefined;
  const hooks = [firstHooks, laterHooks].map(defineHooks);
  const healthChecks = hooks.flatMap(({ checks }) => checks);
  const server = await assembleServer(parts, { loopback, administrator }, healthChecks);
  const bootstrap = bootstrapParts(parts, server, loopback);
  await runAll(hooks, bootstrap, parts);
  for (const notice of webhookNotices(store, parts.naming)) onProblem(notice);
  const listening = await listen(parts, server, administrator?.token);
  const stopControllers = startControllers(controllersOf(parts, server, loopback), onProblem, (name) =>
    countControllerProblem(parts.metrics, name),
  );
  const stopHooks = hooks.map(({ repeat }) => repeat(bootstrap, onProblem));
  const { listen: _listen, ...mountable } = server;
  return {
    ...mountable,
    client: (user) => connectAs(server, loopback, user),
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

/** The name that the server's own writes are recorded under. */
const ownAgent = 'kindforge';

function bootstrapParts(
  { options, naming, features }: ServerParts,
  server: ApiServer,
  loopback: Loopback,
): BootstrapParts {
  const { serviceRanges = defaultServiceRanges, http } = options;
  const port = http === false ? 0 : (http?.port ?? 0);
  const host = http === false ? '' : (http?.host ?? '127.0.0.1');
  const client = connect(server, loopback, ownAgent);
  return { client, naming, serviceRanges, port, host, featureEnabled: features.featureEnabled };
}

/** Runs all hooks, one list after the other. */
async function runAll(
  hooks: readonly BootstrapHooks[],
  bootstrap: BootstrapParts,
  { storage }: ServerParts,
): Promise<void> {
  const isNew = storage.store.revision === 0;
  for (const { run } of hooks) await run(bootstrap);
  // No client can have seen a revision from before the server listened; asking for one is answered with 410.
  if (isNew) storage.forgetHistory();
}

/** Listens, unless the options say that the server is only mounted. */
async function listen(
  { options: { http, credentials }, tls }: ServerParts,
  server: ApiServer,
  token: string | undefined,
): Promise<StartedListening | undefined> {
  return http === false ? undefined : startListening(server, { http: http ?? {}, tls, credentials, token });
}

/** The controllers that the options name, and those that write the status of policies and of flow schemas. */
function controllersOf(
  { options, naming, features }: ServerParts,
  server: ApiServer,
  loopback: Loopback,
): readonly StartedController[] {
  const { resources } = server;
  const chosen = chooseControllers(options.controllers, { resources, naming });
  const statusWriters = [
    ...policyStatus(resources, naming, features.featureEnabled),
    ...flowSchemaStatus(resources, naming),
  ];
  return [
    ...chosen.map((controller) => ({ controller, client: connect(server, loopback, `${controller.name}-controller`) })),
    ...statusWriters.map((controller) => ({ controller, client: connect(server, loopback, ownAgent) })),
  ];
}
