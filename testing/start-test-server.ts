/** Starts a server for tests. */
import type { ClientOptions } from '../client/index.js';
import { type ListeningServer, startServer } from '../server/index.js';
import { takeBaseline } from './baseline.js';
import { checkOptions } from './check-options.js';
import { TestClock } from './clock/test-clock.js';
import { createObjects } from './create-objects.js';
import { defineUntil } from './define-until.js';
import { applyDefinitions } from './definitions/apply-definitions.js';
import { defineFaults } from './faults/faults.js';
import { atRest } from './image/at-rest.js';
import { testServerOptions } from './known-options.js';
import { once } from './once.js';
import type { TestServerOptions } from './options.js';
import { defineOwnControllers, type OwnControllers } from './own-controllers.js';
import { startOptionsOf } from './start-options.js';
import { defineTemporaryFiles } from './temporary-files.js';
import type { TestServer } from './test-server.js';
import { connectBy, testUserOf } from './test-users.js';
import { defineTestUsers, userOf } from './users.js';
import { withProject } from './with-project.js';

/**
 * Starts a server in this process that keeps its objects in memory, with the built-in kinds and those of the options. Any
 * number of them run side by side. Rejects as `startServer` does, where definitions or objects are refused, and with an
 * `OptionError` for an option that it does not have; nothing is left behind then.
 */
export async function startTestServer(given: TestServerOptions = {}): Promise<TestServer> {
  checkOptions('startTestServer', given, testServerOptions);
  const options = await withProject(given);
  const clock = new TestClock(options.frozenAt);
  const users = defineTestUsers();
  const files = defineTemporaryFiles();
  const { faults, door, restart, breakOff } = defineFaults(clock, options.faults);
  const authenticators = [...(options.authentication?.authenticators ?? []), users.authenticator];
  const own = { clock, door, authentication: { ...options.authentication, authenticators } };
  const server = await started(options, own);
  const ending = new AbortController();
  const connection = { users, naming: options.naming ?? 'platform', ended: ending.signal };
  const connect = connectBy({ ...connection, handle: server.enter });
  const administrator = userOf('system:admin', ['system:masters']);
  /** No fault meets the requests of the test server itself. */
  const client = connectBy({ ...connection, handle: server.handle })(administrator);
  const controllers = defineOwnControllers({
    connect: (agent) => connect(administrator, agent),
    clock,
    onProblem: options.onProblem ?? ((problem) => console.error(`kindforge: ${problem}`)),
  });
  const end = async (): Promise<void> => {
    breakOff();
    await controllers.stop();
    ending.abort();
    await server.stop();
    clock.close();
    files.remove();
    // Node closes sockets when the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
  };
  await prepare(server, client, controllers, options).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const baseline = takeBaseline(server.store);
  restart();
  const dispose = once(() => {
    baseline.close();
    return end();
  });
  const surroundings = { server, users, files, connect };
  return {
    ...testUserOf(surroundings, administrator),
    url: server.url,
    clock,
    faults,
    server,
    asUser: (name, groups, extra) => testUserOf(surroundings, userOf(name, groups, extra)),
    create: (...objects) => createObjects(client, server.registry, objects),
    run: controllers.run,
    until: defineUntil(client, server.registry),
    async reset() {
      if (ending.signal.aborted) throw new Error('the test server has been disposed of');
      restart();
      await controllers.stopOthers();
      clock.reset();
      await baseline.restore();
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

async function started(
  options: TestServerOptions,
  own: Parameters<typeof startOptionsOf>[1],
): Promise<ListeningServer> {
  try {
    return await startServer(await startOptionsOf(options, own));
  } catch (error) {
    own.clock.close();
    throw error;
  }
}

/** How long nothing is written before the state after the start counts as settled, milliseconds; where anybody may write. */
const settledMs = 20;

/** Makes what the options say is there from the start. */
async function prepare(
  { registry, store }: ListeningServer,
  client: ClientOptions,
  own: OwnControllers,
  { customResources = [], objects = [], controllers = false }: TestServerOptions,
): Promise<void> {
  if (customResources.length > 0) await applyDefinitions(client, registry, customResources);
  await createObjects(client, registry, objects);
  const list = typeof controllers === 'boolean' ? [] : controllers;
  for (const one of list) if (typeof one === 'object') await own.run(one);
  if (customResources.length > 0 || controllers === true || list.length > 0) await atRest(store, settledMs);
  own.keep();
}
