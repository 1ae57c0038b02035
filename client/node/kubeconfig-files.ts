/** Reads kubeconfig files, several as if they were one, and keeps renewed tokens in them. */
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Document, isAlias, isMap, isSeq, parseDocument } from 'yaml';
import { field } from '../connection/kubeconfig-fields.js';

/** The named kubeconfig, or else those of `$KUBECONFIG`, or `~/.kube/config`. */
export function kubeconfigPaths(named?: string): string[] {
  if (named !== undefined) return [named];
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
}

/** The content of kubeconfig files. Paths in it are absolute. */
export interface KubeconfigFiles {
  readonly config: object;
  /** The file that a user stands in. */
  fileOf(user: string): string;
}

const lists = ['clusters', 'users', 'contexts'] as const;

/**
 * Of things with the same name the first counts, and so does the first `current-context`. Of several files some may be
 * missing; throws where all of them are, or one cannot be read.
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

/** There is no kubeconfig where one is looked for. */
export class MissingKubeconfig extends Error {
  constructor(readonly paths: readonly string[]) {
    super(`there is no kubeconfig at ${paths.join(', ')}; name one by path, or in $KUBECONFIG`);
  }
}

/** The content of a file. Throws with its path where it is no YAML. */
function readConfig(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return load(text);
  } catch (error) {
    throw new Error(`the kubeconfig ${path} is no YAML: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function entries(config: unknown, list: (typeof lists)[number], folder?: string): unknown[] {
  const found = field(config, list);
  if (!Array.isArray(found)) return [];
  return folder === undefined ? found : found.map((entry: unknown) => absolute(entry, folder));
}

/** Fields that hold paths, wherever they stand. */
const pathFields = [
  ...['certificate-authority', 'client-certificate', 'client-key', 'tokenFile', 'idp-certificate-authority'],
];

/** The same with absolute paths, which are relative to the folder of their file; a command without a slash is none. */
function absolute(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => absolute(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]): [string, unknown] => {
    // Extensions are others' own.
    if (name === 'extensions') return [name, one];
    const isPath = pathFields.includes(name) || (name === 'command' && String(one).includes('/'));
    return [name, isPath && typeof one === 'string' && one !== '' ? resolve(folder, one) : absolute(one, folder)];
  });
  return Object.fromEntries(fields);
}

/** The configuration of the OpenID provider of a user, as the file has it now. */
export const providerConfig = (path: string, user: string): unknown =>
  field(field(field(userOf(readConfig(path), user), 'user'), 'auth-provider'), 'config');

/**
 * Writes fields of that configuration, for the next process. Everything else in the file stays as people wrote it, comments
 * too. The file is replaced as a whole, and only its owner can read it.
 */
export function writeProviderConfig(path: string, user: string, fields: Readonly<Record<string, string>>): void {
  const place = realpathSync(path);
  const document = parseDocument(readFileSync(place, 'utf8'));
  const users = childOf(document, document.contents, 'users');
  const named = (isSeq(users) ? users.items : []).find((one) => isMap(one) && one.get('name') === user);
  const config = ['user', 'auth-provider', 'config'].reduce<unknown>(
    (node, key) => childOf(document, node, key),
    named,
  );
  if (document.errors.length > 0 || !isMap(config)) return;
  for (const [name, value] of Object.entries(fields)) config.set(name, value);
  const fresh = `${place}.${process.pid}.new`;
  writeFileSync(fresh, document.toString({ lineWidth: 0 }), { mode: 0o600 });
  renameSync(fresh, place);
}

/** The node at a key of a mapping, or what an alias there stands for. */
function childOf(document: Document, parent: unknown, key: string): unknown {
  const child: unknown = isMap(parent) ? parent.get(key, true) : undefined;
  return isAlias(child) ? child.resolve(document) : child;
}

const userOf = (config: unknown, user: string): unknown =>
  entries(config, 'users').find((one) => field(one, 'name') === user);
