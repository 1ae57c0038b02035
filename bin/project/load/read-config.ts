/** Reads what a configuration exports into a project; every mistake is told. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import type { Project } from '../project.js';
import { projectSettings } from '../settings.js';
import type { Importer } from './import-file.js';
import type { Mistake } from './mistake.js';
import { type PartContext, readParts, wordFor } from './read-parts.js';
import { readServe } from './read-serve.js';

/** The place of a configuration, and how its modules are imported. */
export interface ConfigPlace {
  readonly file: string;
  readonly directory: string;
  readonly importer: Importer;
}

/** The project as far as it could be read; it counts only where there is no mistake. */
export interface ReadConfig {
  readonly project: Omit<Project, 'sources'>;
  readonly mistakes: readonly Mistake[];
}

export async function readConfig(value: unknown, { file, directory, importer }: ConfigPlace): Promise<ReadConfig> {
  const mistakes: Mistake[] = [];
  const refuse = (mistake: Mistake): void => void mistakes.push(mistake);
  const context: PartContext = { directory, importer, refuse };
  const config = mappingOf(value, refuse);
  for (const key of Object.keys(config)) {
    if (Object.hasOwn(projectSettings, key)) continue;
    const keys = Object.keys(projectSettings);
    const hint = didYouMean(key, keys) ?? `the keys are ${keys.join(', ')}`;
    refuse({ path: [key], problem: `is no key of the configuration; ${hint}`, at: 'key' });
  }
  const folder = (key: 'schemas' | 'out'): string | undefined => {
    const given = config[key];
    if (given === undefined || (typeof given === 'string' && given !== '')) return given && resolve(directory, given);
    refuse({ path: [key], problem: `is ${wordFor(given)}; expected a folder, relative to the configuration` });
    return undefined;
  };
  const schemas = folder('schemas') ?? usualFolder(resolve(directory, 'schemas'));
  const project: ReadConfig['project'] = {
    file,
    directory,
    ...(schemas === undefined ? {} : { schemas }),
    out: folder('out') ?? resolve(directory, 'generated'),
    naming: readNaming(config.naming, refuse),
    emitters: await readParts('emitter', 'emitters', config.emitters, context),
    handlers: await readParts('handlers', 'handlers', config.handlers, context),
    admissionPlugins: await readParts('admissionPlugin', 'admissionPlugins', config.admissionPlugins, context),
    authenticators: await readParts('authenticator', 'authenticators', config.authenticators, context),
    authorizers: await readParts('authorizer', 'authorizers', config.authorizers, context),
    controllers: await readParts('controller', 'controllers', config.controllers, context),
    serve: readServe(config.serve, directory, refuse),
  };
  return { project, mistakes };
}

function mappingOf(value: unknown, refuse: (mistake: Mistake) => void): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  refuse({
    path: [],
    problem: `the configuration is ${wordFor(value)}; expected an object, as in export default defineConfig({})`,
  });
  return {};
}

function readNaming(value: unknown, refuse: (mistake: Mistake) => void): Project['naming'] {
  if (value === undefined || value === 'platform' || value === 'kubernetes') return value ?? 'platform';
  refuse({ path: ['naming'], problem: `is ${wordFor(value)}; expected platform or kubernetes` });
  return 'platform';
}

const usualFolder = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : undefined;
