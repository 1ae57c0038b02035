/** Reads one or more kubeconfig files as one, and writes renewed tokens into them. */
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Document, isAlias, isMap, isSeq, parseDocument } from 'yaml';
import { field } from '../connection/kubeconfig-fields.js';

/** Returns the paths of the given kubeconfig, else of `$KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigPaths(named?: string): string[] {
  if (named !== undefined) return [named];
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
}

/** The content of kubeconfig files. Its paths are absolute. */
export interface KubeconfigFiles {
  readonly config: object;
  /** Returns the file with a user. */
  fileOf(user: string): string;
}

const lists = ['clusters', 'users', 'contexts'] as const;

/**
 * Reads files, and joins them. Of entries with the same name, uses the first, and also the first `current-context`.
 * Some of several files may be missing. Throws if all are missing, or if one cannot be read.
 */
export function readKubeconfigs(paths: readonly string[]): KubeconfigFiles {
  const there = paths.filter((path) => existsSync(path));
  if (there.length === 0) throw new MissingKubeconfig(paths);
  const files = there.map((path) => ({ path, config: readConfig(path) }));
  const merged = lists.map((list): [string, unknown[]] => [
    list,
    files.flatMap(({ path, config }) => entries(config, list, dirname(path))),
  ]);
  const current = files.map(({ config }) => field(config, 'current-context')).find((name) => name);
  return {
    config: { ...Object.fromEntries(merged), 'current-context': current },
    fileOf: (user) =>
      files.find(({ config }) => entries(config, 'users').some((one) => field(one, 'name') === user))?.path ?? '',
  };
}

/** No kubeconfig exists at the paths. */
export class MissingKubeconfig extends Error {
  constructor(readonly paths: readonly string[]) {
    super(`no kubeconfig at ${paths.join(', ')}; name one by path, or in $KUBECONFIG`);
  }
}

/** Reads a file. Throws with its path if it is not YAML. */
function readConfig(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return load(text);
  } catch (error) {
    throw new Error(`the kubeconfig ${path} is not YAML: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function entries(config: unknown, list: (typeof lists)[number], folder?: string): unknown[] {
  const found = field(config, list);
  if (!Array.isArray(found)) return [];
  return folder === undefined ? found : found.map((entry: unknown) => absolute(entry, folder));
}

/** Fields that hold paths, anywhere in the file. */
const pathFields = [
  ...['certificate-authority', 'client-certificate', 'client-key', 'tokenFile', 'idp-certificate-authority'],
];

/**
 * Makes paths absolute: they are relative to the folder of their file. A command without a slash is a name, not a path.
 */
function absolute(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolute(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]): [string, unknown] => {
    // Extensions belong to other programs.
    if (name === 'extensions') return [name, one];
    const isPath = pathFields.includes(name) || (name === 'command' && String(one).includes('/'));
    return [name, isPath && typeof one === 'string' && one !== '' ? resolve(folder, one) : absolute(one, folder)];
  });
  return Object.fromEntries(fields);
}

/** Returns the configuration of the OpenID provider of a user, as the file has it now. */
export const providerConfig = (path: string, user: string): unknown =>
  field(field(field(userOf(readConfig(path), user), 'user'), 'auth-provider'), 'config');

/**
 * Writes fields of that configuration, for the next process. Keeps everything else in the file, comments included.
 * Replaces the file as a whole, and lets only its owner read it.
 */
export function writeProviderConfig(path: string, user: string, fields: Readonly<Record<string, string>>): void {
  const document = parseDocument(readFileSync(path, 'utf8'));
  const users = childOf(document, document.contents, 'users');
  const named = (isSeq(users) ? users.items : []).find((one) => isMap(one) && one.get('name') === user);
  const config = ['user', 'auth-provider', 'config'].reduce<unknown>(
    (node, key) => childOf(document, node, key),
    named,
  );
  if (document.errors.length > 0 || !isMap(config)) return;
  for (const [name, value] of Object.entries(fields)) config.set(name, value);
  replaceKubeconfig(path, document);
}

/** Replaces a kubeconfig as a whole, also behind symbolic links. Lets only its owner read it. */
export function replaceKubeconfig(path: string, document: Document): void {
  const place = existsSync(path) ? realpathSync(path) : path;
  const fresh = `${place}.${process.pid}.new`;
  writeFileSync(fresh, document.toString({ lineWidth: 0 }), { mode: 0o600 });
  renameSync(fresh, place);
}

/** Returns the node at a key of a mapping. Resolves an alias. */
function childOf(document: Document, parent: unknown, key: string): unknown {
  const child: unknown = isMap(parent) ? parent.get(key, true) : undefined;
  return isAlias(child) ? child.resolve(document) : child;
}

const userOf = (config: unknown, user: string): unknown =>
  entries(config, 'users').find((one) => field(one, 'name') === user);
