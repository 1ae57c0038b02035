/** Adds what the project says in its `kindforge.config` to the options of a test server. */
import type { Project } from '../bin/project/index.js';
import { configFileAt, findConfigFile } from '../bin/project/load/find-file.js';
import type { TestServerOptions } from './options.js';

/** Configurations are read once in a process. */
const projects = new Map<string, Promise<Project | undefined>>();

/** The options with what the project adds, where there is one. Rejects where its configuration has mistakes. */
export async function withProject(options: TestServerOptions): Promise<TestServerOptions> {
  const project = await projectOf(options.project);
  if (!project) return options;
  const { withProject: added } = await import('../bin/project/start-options.js');
  const { servedOptions } = await import('../bin/project/start-options.js');
  const served = servedOptions(project);
  const { naming, authentication, kinds = [] } = options;
  const admission = { ...served.admission, ...options.admission };
  const authorization = options.authorization ?? served.authorization;
  const given = { naming, admission, authentication, authorization, kinds, controllers: [] };
  const { controllers: _controllers, schemas: _schemas, ...rest } = added(given, project);
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
  return loadProject('.', { file });
}

/** Those of the project run where all do, or by their names. */
function controllersOf(
  controllers: TestServerOptions['controllers'] = false,
  { controllers: own }: Project,
): TestServerOptions['controllers'] {
  if (controllers === false) return false;
  if (controllers === true) return ['*', ...own];
  return controllers.map((one) => own.find(({ name }) => name === one) ?? one);
}
