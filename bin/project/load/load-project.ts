/** Loads the project that one stands in: finds its configuration, runs or reads it, and checks it. */
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parseYaml } from '../../../generator/load/parse-yaml.js';
import type { Project } from '../project.js';
import { ProjectError } from '../project-error.js';
import { explainImport } from './explain-import.js';
import { configFileAt, findConfigFile } from './find-file.js';
import { defineImporter, type Importer } from './import-file.js';
import { errorOf, placeAt } from './places.js';
import { readConfig } from './read-config.js';

export interface LoadOptions {
  /** The configuration file, or the folder that it is in, in place of looking for it. */
  readonly file?: string | undefined;
}

/**
 * The project whose configuration is in the folder or in the nearest one above it; `undefined` where there is none. Rejects
 * with a `ProjectError` where the configuration has mistakes.
 */
export async function loadProject(directory = '.', options: LoadOptions = {}): Promise<Project | undefined> {
  const file = options.file === undefined ? findConfigFile(directory) : configFileAt(options.file);
  return file === undefined ? undefined : loadFile(file);
}

async function loadFile(file: string): Promise<Project> {
  const directory = dirname(file);
  const shown = relative('', file);
  const importer = defineImporter(directory);
  const value = await (file.endsWith('.yaml') ? readYaml(file, shown) : runModule(file, directory, importer));
  const { project, mistakes } = await readConfig(value, { file, directory, importer });
  if (mistakes.length > 0) throw await errorOf(file, shown, mistakes);
  return { ...project, sources: [...new Set([file, ...importer.sources()])] };
}

async function runModule(file: string, directory: string, importer: Importer): Promise<unknown> {
  try {
    return await importer.importDefault(file);
  } catch (error) {
    throw new ProjectError(await explainImport(file, directory, error), { cause: error });
  }
}

async function readYaml(file: string, shown: string): Promise<unknown> {
  const text = readFileSync(file, 'utf8');
  const { documents, problems } = parseYaml(text);
  if (problems.length === 0) return documents[0] ?? {};
  throw new ProjectError(
    problems.map(({ offset, message }) => `${shown}${placeAt(text, offset)}: ${message}`).join('\n'),
  );
}
