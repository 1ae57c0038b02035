/** Reads the configuration file: a mapping of flags to their values, in YAML. */
import { readFileSync } from 'node:fs';
import { load, YAMLException } from 'js-yaml';
import { didYouMean } from '../../runtime/objects/suggest.js';
import type { Flag, FlagValue } from './flag.js';
import { FlagError } from './flag.js';

export const configApiVersion = 'kindforge.dev/v1';
export const configKind = 'ServerConfiguration';

/** Throws a `FlagError` that says what is wrong at which key. */
export function readConfigFile(file: string, flags: readonly Flag[]): readonly (readonly [Flag, FlagValue])[] {
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
      throw new FlagError(`${file}: ${key} is no flag; ${suggestion}`);
    }
    return [flag, settingOf(file, flag, value)] as const;
  });
}

function readMapping(file: string): Readonly<Record<string, unknown>> {
  const value = parse(file, readText(file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new FlagError(`${file} is no mapping of flags to values; write lines such as http-port: 8080`);
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

/** Returns the value of a key. Lists and mappings stand for texts with commas between. Throws a `FlagError`. */
export function settingOf(file: string, flag: Flag, value: unknown): FlagValue {
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
