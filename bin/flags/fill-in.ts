/** Sets the flags that the command line leaves out: from the environment, the configuration file, and the project. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { load, YAMLException } from 'js-yaml';
import { lineCounter } from '../../runtime/objects/lines.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { attributeOf, type Flag, FlagError, type FlagGroup, type FlagValue } from './flag.js';

/** The sources of flags that were not set on the command line, by flag, as in `KINDFORGE_HTTP_PORT`. */
export type Sources = ReadonlyMap<string, string>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The flags that the configuration of a project sets. */
export interface ProjectSettings {
  readonly file: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The values of other flags in this project. The file does not set them, so messages do not name it. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Returns the environment variable of a flag, as in `KINDFORGE_HTTP_PORT`. */
export const variableOf = ({ name }: Pick<Flag, 'name'>): string =>
  `KINDFORGE_${name.toUpperCase().replaceAll('-', '_')}`;

/**
 * Sets flags from the environment, then from the file of --config. Throws a `FlagError` if a variable or the file
 * cannot be used.
 */
export function fillIn(command: Command, groups: readonly FlagGroup[], environment: Environment): Sources {
  const flags = flagsOf(groups);
  const sources = new Map<string, string>();
  for (const flag of flags) {
    const text = environment[variableOf(flag)];
    if (text !== undefined) set(command, flag, ofVariable(flag, text), variableOf(flag), sources);
  }
  const file: unknown = command.getOptionValue('config');
  if (typeof file !== 'string') return sources;
  for (const [flag, value] of readConfigFile(file, flags)) set(command, flag, value, file, sources);
  return sources;
}

/** Sets the remaining flags from a project. Returns all sources; throws a `FlagError` if a value cannot be used. */
export function fillInProject(
  command: Command,
  groups: readonly FlagGroup[],
  { file, settings, defaults = {} }: ProjectSettings,
  before: Sources,
): Sources {
  const sources = new Map(before);
  for (const flag of flagsOf(groups)) {
    const value = settings[flag.name];
    if (value !== undefined) set(command, flag, settingOf(file, flag, value), file, sources);
    const otherwise = defaults[flag.name];
    if (otherwise !== undefined) set(command, flag, otherwise, file, new Map());
  }
  return sources;
}

const flagsOf = (groups: readonly FlagGroup[]): readonly Flag[] =>
  groups.flatMap(({ flags }): readonly Flag[] => flags);

function set(command: Command, flag: Flag, value: FlagValue, source: string, sources: Map<string, string>): void {
  const attribute = attributeOf(flag);
  if (isSet(command, attribute)) return;
  command.setOptionValueWithSource(attribute, value, source);
  sources.set(flag.name, source);
}

const isSet = (command: Command, attribute: string): boolean =>
  !['default', undefined].includes(command.getOptionValueSource(attribute));

/** Reads a variable. Splits the values of a repeatable flag at commas, or at the separator of the flag. */
function ofVariable(flag: Flag, text: string): FlagValue {
  if (flag.repeatable) return text.split(flag.separator ?? ',');
  if (flag.value !== undefined) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new FlagError(`${variableOf(flag)} is ${JSON.stringify(text)}; use true or false`);
}

/** Adds to a message the sources of the flags that it names. */
export function withSources(message: string, sources: Sources): string {
  const named = [...message.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
  const notes = [...new Set(named)].flatMap((name) => {
    const source = sources.get(name);
    return source === undefined ? [] : [`--${name} is set by ${settingPlace(source, name)}`];
  });
  return notes.length === 0 ? message : `${message} (${notes.join('; ')})`;
}

/** Returns a line for each deprecated flag that is set. */
export function deprecationNotices(command: Command, groups: readonly FlagGroup[]): readonly string[] {
  return groups.flatMap(({ flags }) =>
    (flags satisfies readonly Flag[]).flatMap((flag) =>
      flag.deprecated && isSet(command, attributeOf(flag))
        ? [`--${flag.name} is deprecated since release ${flag.deprecated.since}; ${flag.deprecated.instead}`]
        : [],
    ),
  );
}

/**
 * Returns a place as in `kindforge.config.ts:8:5`. If the source is not a file or does not name the flag, returns the
 * source itself.
 */
export function settingPlace(source: string, name: string): string {
  const text = readTextIfPresent(source);
  // The configuration of a project has its settings below `serve`; the file of --config has nothing else.
  const from = Math.max(text.search(/\bserve['"]?\s*:/), 0);
  const settings = [...text.slice(from).matchAll(/(?<![\w-])['"]?([\w-]+)['"]?\s*:/g)];
  const setting = settings.find(([, spelled]) => spelled === name);
  if (setting === undefined) return source;
  const { line, column } = lineCounter(text)(from + setting.index);
  return `${source}:${line}:${column}`;
}

function readTextIfPresent(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch {
    return '';
  }
}

export const configApiVersion = 'kindforge.dev/v1';
export const configKind = 'ServerConfiguration';

/** Reads the file. Throws a `FlagError` that names the key and the rule. */
function readConfigFile(file: string, flags: readonly Flag[]): readonly (readonly [Flag, FlagValue])[] {
  const { apiVersion, kind, ...rest } = readMapping(file);
  if (apiVersion !== configApiVersion || kind !== configKind) {
    throw new FlagError(`${file}: begin it with apiVersion: ${configApiVersion} and kind: ${configKind}`);
  }
  const known = new Map(flags.filter(({ name }) => name !== 'config').map((flag) => [flag.name, flag]));
  return Object.entries(rest).map(([key, value]) => {
    const flag = known.get(key);
    if (!flag) {
      const suggestion =
        didYouMean(key, known.keys()) ?? 'its keys are the flags of kindforge serve --help, without dashes';
      throw new FlagError(`${file}: ${key} is not a flag; ${suggestion}`);
    }
    return [flag, settingOf(file, flag, value)] as const;
  });
}

function readMapping(file: string): Readonly<Record<string, unknown>> {
  const value = parse(file, readText(file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new FlagError(`${file}: must be a mapping of flags to values; write lines such as http-port: 8080`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FlagError(`--config ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark ? `:${error.mark.line + 1}:${error.mark.column + 1}` : '';
    throw new FlagError(`${file}${line}: ${error.reason}`);
  }
}

/** Returns the value of a key; joins the parts of lists and mappings with commas. Throws a `FlagError`. */
function settingOf(file: string, flag: Flag, value: unknown): FlagValue {
  if (flag.value === undefined) {
    if (typeof value === 'boolean') return value;
    throw new FlagError(`${file}: ${flag.name} is ${JSON.stringify(value)}; use true or false`);
  }
  const texts = textsOf(value);
  if (texts === undefined) {
    throw new FlagError(`${file}: ${flag.name} is ${JSON.stringify(value)}; use text, a number, or a list of these`);
  }
  return flag.repeatable ? texts : texts.join(',');
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return all(value.map(scalarText));
  if (typeof value === 'object' && value !== null) {
    return all(
      Object.entries(value).map(([name, one]) => {
        const text = scalarText(one);
        return text === undefined ? undefined : `${name}=${text}`;
      }),
    );
  }
  const text = scalarText(value);
  return text === undefined ? undefined : [text];
}

const all = (texts: readonly (string | undefined)[]): readonly string[] | undefined => {
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? known : undefined;
};

const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
