/** Loads the project in the working directory: finds its configuration, runs or reads it, and checks it. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseYaml } from '../../../generator/load/parse-yaml.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import type { ServerHook, StartOptions } from '../../../server/options.js';
import {
  type BundledProject,
  bundledPages,
  bundledSchemas,
  type Project,
  ProjectError,
  projectSettings,
} from '../project.js';
import { type SettingValue, serveSettingKinds } from '../serve-settings.js';
import { configFileAt, findConfigFile } from './find-file.js';
import { foreignProblem } from './foreign-file.js';
import { defineImporter, explainImport, type Importer, type ImportModule } from './import-file.js';
import { type PartContext, readParts, wordFor } from './read-parts.js';
import { errorOf, type Mistake, placeAt } from './source-place.js';

export interface LoadOptions {
  /** The configuration file, or its folder. Default: the nearest one. */
  readonly file?: string | undefined;
  /**
   * Imports a module by its absolute path, as a test runner does. If it rejects, Kindforge's own loader imports the
   * module, and explains what is wrong.
   */
  readonly importModule?: ImportModule;
}

/**
 * Finds the configuration in the folder, or in the nearest folder above it within the repository or package. Resolves
 * to its project, or to `undefined` if there is none. Rejects with a `ProjectError` if the configuration has mistakes.
 */
export async function loadProject(directory = '.', options: LoadOptions = {}): Promise<Project | undefined> {
  const file = options.file === undefined ? findConfigFile(directory) : configFileAt(options.file);
  return file === undefined ? undefined : loadFile(file, options);
}

/**
 * Loads the project of a bundle. Rejects with a `ProjectError` if its definitions are missing, or if its configuration
 * fails or has mistakes.
 */
export async function loadBundled({
  directory,
  config,
  modules,
  hasSchemas,
  hasPages,
}: BundledProject): Promise<Project> {
  const file = join(directory, 'kindforge.config.ts');
  const importer: Importer = {
    importDefault: async (path) => (await modules[relative(directory, path)]?.())?.default,
    sources: () => [],
  };
  const value = await config().catch((error: unknown) => {
    throw new ProjectError(`the configuration of the bundle fails: ${String(error)}`, { cause: error });
  });
  const schemas = join(directory, bundledSchemas);
  if (hasSchemas && usualFolder(schemas) === undefined) {
    throw new ProjectError(`${schemas} is not there: must hold the definitions; copy the whole folder of the bundle`);
  }
  const folders = { ...(hasSchemas ? { schemas: bundledSchemas } : {}), ...(hasPages ? { static: bundledPages } : {}) };
  const given = value.default;
  const placed = typeof given === 'object' && given !== null ? { ...given, ...folders } : given;
  const { project, mistakes } = await readConfig(placed, { file, directory, importer });
  if (mistakes.length === 0) return { ...project, sources: [] };
  const lines = mistakes.map(({ path, problem }) => `${path.join('.')} ${problem}`);
  throw new ProjectError(['the configuration of the bundle has mistakes', ...lines].join('\n'));
}

/** Loads a project. If the user named its file, trusts the modules that it names. */
async function loadFile(file: string, { file: named, importModule }: LoadOptions): Promise<Project> {
  const directory = dirname(file);
  const shown = relative('', file);
  const importer = defineImporter(directory, named === undefined ? foreignProblem : () => undefined, importModule);
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

/** The place of a configuration, and the importer of its modules. */
interface ConfigPlace {
  readonly file: string;
  readonly directory: string;
  readonly importer: Importer;
}

/** The project. Use it only if `mistakes` is empty. */
interface ReadConfig {
  readonly project: Omit<Project, 'sources'>;
  readonly mistakes: readonly Mistake[];
}

async function readConfig(value: unknown, { file, directory, importer }: ConfigPlace): Promise<ReadConfig> {
  const mistakes: Mistake[] = [];
  const refuse = (mistake: Mistake): void => void mistakes.push(mistake);
  const context: PartContext = { directory, importer, refuse };
  const config = mappingOf(value, refuse);
  for (const key of Object.keys(config)) {
    if (Object.hasOwn(projectSettings, key)) continue;
    const keys = Object.keys(projectSettings);
    const hint = didYouMean(key, keys) ?? `the keys are ${keys.join(', ')}`;
    refuse({ path: [key], problem: `is not a key of the configuration; ${hint}`, at: 'key' });
  }
  const folder = (key: 'schemas' | 'out' | 'static'): string | undefined => {
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
    static: folder('static'),
    routes: readFunction('routes', config.routes, isRoutes, refuse),
    onStart: readFunction('onStart', config.onStart, isHook, refuse),
    onStop: readFunction('onStop', config.onStop, isHook, refuse),
    serve: readServe(config.serve, directory, refuse),
  };
  return { project, mistakes };
}

/** Reads a function. Only a configuration in code can have functions. */
function readFunction<T>(
  key: string,
  value: unknown,
  isRight: (value: unknown) => value is T,
  refuse: (mistake: Mistake) => void,
): T | undefined {
  if (value === undefined || isRight(value)) return value;
  refuse({ path: [key], problem: `is ${wordFor(value)}; expected a function` });
  return undefined;
}

const isRoutes = (value: unknown): value is NonNullable<StartOptions['routes']> => typeof value === 'function';
const isHook = (value: unknown): value is ServerHook => typeof value === 'function';

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

const kinds: ReadonlyMap<string, 'switch' | 'text' | 'path' | 'store'> = new Map(Object.entries(serveSettingKinds));

/** Settings at the top of the configuration, for all commands. */
const atTheTop: readonly string[] = ['schemas', 'naming'];

/** Reads the settings by their names. Resolves relative paths against the folder of the configuration. */
function readServe(
  value: unknown,
  directory: string,
  refuse: (mistake: Mistake) => void,
): Readonly<Record<string, SettingValue>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse({ path: ['serve'], problem: `is ${wordFor(value)}; expected settings, as in { 'http-port': 8080 }` });
    return {};
  }
  const settings: Record<string, SettingValue> = {};
  for (const [name, given] of Object.entries(value)) {
    const path = ['serve', name];
    const kind = kinds.get(name);
    if (kind === undefined)
      refuse({ path, problem: `is not a setting of kindforge serve; ${hintFor(name)}`, at: 'key' });
    else if (!isSetting(given, kind)) {
      const expected = kind === 'switch' ? 'true or false' : 'text, a number, a list of these, or names with values';
      refuse({ path, problem: `is ${wordFor(given)}; expected ${expected}` });
    } else settings[name] = kind === 'path' || kind === 'store' ? placed(given, kind, directory) : given;
  }
  return settings;
}

function hintFor(name: string): string {
  if (atTheTop.includes(name)) return `set ${name} beside serve`;
  return didYouMean(name, kinds.keys()) ?? 'they are the flags of kindforge serve --help, without dashes';
}

function isSetting(value: unknown, kind: string): value is SettingValue {
  if (kind === 'switch') return typeof value === 'boolean';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isScalar);
  return isScalar(value);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function placed(value: SettingValue, kind: 'path' | 'store', directory: string): SettingValue {
  const place = (text: string | number | boolean): string | number | boolean => {
    if (typeof text !== 'string') return text;
    return kind === 'path' ? resolve(directory, text) : placedStore(text, directory);
  };
  if (typeof value !== 'object') return place(value);
  return Array.isArray(value) ? value.map(place) : value;
}

/** Resolves the folder of a store, `lmdb:<folder>` or `fs:<folder>`. */
export function placedStore(text: string, directory: string): string {
  const [, driver, folder = ''] = /^(lmdb|fs):(.*)$/s.exec(text) ?? [];
  return driver === undefined ? text : `${driver}:${resolve(directory, folder)}`;
}
