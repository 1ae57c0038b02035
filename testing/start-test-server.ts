/** Starts a server for tests. */

import type { Project } from '../bin/project/index.js';
import { configFileAt, findConfigFile } from '../bin/project/load/find-file.js';
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  type ResourceDescriptor,
} from '../client/index.js';
import { type ListeningServer, startServer } from '../server/index.js';
import { atRest } from './at-rest.js';
import { takeBaseline } from './baseline.js';
import { checkOptions } from './check-options.js';
import { defineUntil } from './define-until.js';
import { defineFaults } from './faults/faults.js';
import { findResource, resourceOfObject } from './find-resource.js';
import { importAsRunner } from './import-as-runner.js';
import { testServerOptions } from './known-options.js';
import type { TestServerOptions } from './options.js';
import { defineOwnControllers, type OwnControllers } from './own-controllers.js';
import { startOptionsOf } from './start-options.js';
import { defineTemporaryFiles } from './temporary-files.js';
import { TestClock } from './test-clock.js';
import type { TestServer } from './test-server.js';
import { connectBy, testUserOf } from './test-users.js';
import { untilObjects } from './until.js';
import { defineTestUsers, userOf } from './users.js';

/**
 * Starts a server in this process. It keeps its objects in memory, and has the built-in kinds and the kinds of the
 * options. Any number of test servers can run side by side. Rejects as `startServer` does, if the server refuses
 * definitions or objects, and with an `OptionError` for an unknown option. If it rejects, it leaves nothing behind.
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
  /** Faults do not apply to the requests of the test server itself. */
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
    // Node closes sockets at the end of the turn.
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

/** How long there must be no write before the start is complete, if controllers may write, milliseconds. */
const settledMs = 20;

/** Creates the objects of the options. */
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

/** Returns a function that runs once. All calls wait for the first one. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

/** Creates objects one after the other, because each may need earlier ones. Resolves to the stored objects. */
async function createObjects(
  client: ClientOptions,
  registry: ListeningServer['registry'],
  objects: readonly ApiObjectLike[],
): Promise<readonly ApiObjectLike[]> {
  const stored: ApiObjectLike[] = [];
  for (const object of objects) {
    const resource = createResourceClient(untyped(resourceOfObject(registry, object)), client);
    const { namespace } = object.metadata;
    stored.push(await (namespace === undefined ? resource : resource.in(namespace)).create(object));
  }
  return stored;
}

type Untyped = ResourceDescriptor<ApiObjectLike, ApiObjectLike>;

const untyped = ({ types: _types, ...resource }: ResourceDescriptor): Untyped => resource;

interface Definition extends ApiObjectLike {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Applies definitions. Rejects if the server refuses one, or does not serve it within five seconds. */
async function applyDefinitions(
  client: ClientOptions,
  registry: ListeningServer['registry'],
  definitions: readonly object[],
): Promise<void> {
  const resource = defineResource<Definition, object>()(findResource(registry, 'customresourcedefinitions'));
  const { group } = resource;
  const known = createResourceClient(resource, client);
  const applied = await Promise.all(
    definitions.map((one) =>
      known.apply({ ...one, apiVersion: `${group}/v1`, kind: resource.kind }, { fieldManager: 'kindforge-test' }),
    ),
  );
  const names = new Set(applied.map(({ metadata }) => metadata.name));
  const areServed = (objects: readonly ApiObjectLike[]): boolean =>
    objects.filter((one) => names.has(one.metadata.name) && isEstablished(one)).length === names.size;
  await untilObjects(client, resource, { resource }, areServed, {});
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') ?? false;
}

/** The projects by their file. A process reads each file once. */
const projects = new Map<string, Promise<Project | undefined>>();

/** Returns the options, completed by the project, if there is one. Rejects if its configuration has mistakes. */
async function withProject(options: TestServerOptions): Promise<TestServerOptions> {
  const project = await projectOf(options.project);
  if (!project) return options;
  const { servedOptions, withoutUnbuiltPages, withProject: added } = await import('../bin/project/start-options.js');
  const served = servedOptions(project);
  const { naming, authentication, kinds = [] } = options;
  const admission = { ...served.admission, ...options.admission };
  const authorization = options.authorization ?? served.authorization;
  const given = { naming, admission, authentication, authorization, kinds, controllers: [] };
  const { controllers: _controllers, schemas: _schemas, ...rest } = added(given, withoutUnbuiltPages(project));
  const definitions = options.definitions ?? project.schemas;
  return {
    ...served,
    ...options,
    ...rest,
    ...(definitions === undefined ? {} : { definitions }),
    controllers: controllersOf(options.controllers, project),
  };
}

function projectOf(named: TestServerOptions['project']): Promise<Project | undefined> {
  if (named === false) return Promise.resolve(undefined);
  const file = named === undefined ? findConfigFile('.') : configFileAt(named);
  if (file === undefined) return Promise.resolve(undefined);
  const project = projects.get(file) ?? readProject(file);
  projects.set(file, project);
  return project;
}

async function readProject(file: string): Promise<Project | undefined> {
  const { loadProject } = await import('../bin/project/index.js');
  return loadProject('.', { file, importModule: importAsRunner });
}

/** Returns the controllers to run, with the project's ones: all of these, or by name. */
function controllersOf(
  controllers: TestServerOptions['controllers'] = false,
  { controllers: own }: Project,
): TestServerOptions['controllers'] {
  if (controllers === false) return false;
  if (controllers === true) return ['*', ...own];
  return controllers.map((one) => own.find(({ name }) => name === one) ?? one);
}
