/** Writes the user of a login into a kubeconfig, and changes nothing else in it. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Document, isAlias, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { connectionOf } from '../../client/connection/kubeconfig.js';
import { kubeconfigPaths, readKubeconfigs, replaceKubeconfig } from '../../client/node/kubeconfig-files.js';
import { type LoadedConnection, loaded } from '../../client/node/loaded.js';
import { messageFor } from '../flags/project.js';
import { NoServer, Refusal, WrongFlag } from '../objects/failure.js';
import { fieldsOf, listOf } from '../objects/printing.js';
import { type ExecCommand, type LoginFlags, readPem } from './settings.js';

/** A kubeconfig in memory, and the cluster to log in to. */
export interface OpenKubeconfig {
  readonly path: string;
  readonly document: Document;
  readonly cluster: string;
  /** The namespace of the context with the cluster. */
  readonly namespace?: string;
}

/**
 * Reads the kubeconfig, and finds or adds the cluster. Throws a `NoServer` if no server is known, or a `Refusal` if the
 * file cannot be used.
 */
export function openKubeconfig(flags: LoginFlags): OpenKubeconfig {
  const [path = '', ...others] = kubeconfigPaths(flags.kubeconfig);
  if (others.length > 0) {
    throw new WrongFlag('$KUBECONFIG names several files', 'Name the file to write with --kubeconfig FILE');
  }
  const document = read(path);
  if (flags.server === undefined) return { path, document, ...clusterOfContext(document, path, flags.context) };
  if (!URL.canParse(flags.server) || !/^https?:$/.test(new URL(flags.server).protocol)) {
    throw new WrongFlag(`--server ${flags.server}: must be a URL, such as https://127.0.0.1:6443`);
  }
  const pem = flags.certificateAuthority && readPem('--certificate-authority', flags.certificateAuthority);
  return { path, document, cluster: addCluster(document, flags.server.replace(/\/$/, ''), pem) };
}

function read(path: string): Document {
  const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : 'apiVersion: v1\nkind: Config\n');
  const [problem] = document.errors;
  if (!problem && (document.contents === null || isMap(document.contents))) return document;
  throw new Refusal(
    `the kubeconfig ${path} is not valid, so nothing was changed: ${problem?.message ?? 'it is not a mapping'}`,
    'Correct it, or name another file with --kubeconfig FILE',
  );
}

function clusterOfContext(
  document: Document,
  path: string,
  named: string | undefined,
): Pick<OpenKubeconfig, 'cluster' | 'namespace'> {
  const config = fieldsOf(document.toJS());
  const wanted = named ?? config['current-context'];
  const found = listOf(config.contexts).find((one) => fieldsOf(one).name === wanted);
  const { cluster, namespace } = fieldsOf(fieldsOf(found).context);
  if (typeof cluster === 'string' && isMap(entryOf(document, 'clusters', cluster))) {
    return { cluster, ...(typeof namespace === 'string' ? { namespace } : {}) };
  }
  throw new NoServer(
    named === undefined
      ? `no server is known: --server is not given, and ${path} has no current context with a cluster`
      : `${path} has no context ${JSON.stringify(named)} with a cluster`,
    'Give --server URL, and --certificate-authority FILE if its authority is its own',
  );
}

/** Finds the cluster of a server, or adds it. A given authority replaces the earlier one. */
function addCluster(document: Document, server: string, pem: string | undefined): string {
  const same = listOf(fieldsOf(document.toJS()).clusters).find(
    (one) => fieldsOf(fieldsOf(one).cluster).server === server,
  );
  const name = same ? String(fieldsOf(same).name) : freeName(document, new URL(server).host.replaceAll(/[^\w]+/g, '-'));
  const {
    'certificate-authority': _path,
    'insecure-skip-tls-verify': _insecure,
    ...others
  } = fieldsOf(fieldsOf(same).cluster);
  if (same && pem === undefined) return name;
  const authority = pem === undefined ? {} : { 'certificate-authority-data': Buffer.from(pem).toString('base64') };
  put(document, 'clusters', name, { cluster: { ...others, server, ...authority } });
  return name;
}

function freeName(document: Document, name: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (!entryOf(document, 'clusters', tried)) return tried;
  }
}

/** Returns a connection to the cluster, with a token or without credentials. Throws a `NoServer` if it is not valid. */
export function connectTo({ document, path, cluster }: OpenKubeconfig, token?: string): LoadedConnection {
  const { clusters } = fieldsOf(document.toJS());
  const config = { clusters, contexts: [{ name: 'login', context: { cluster } }] };
  try {
    return loaded({ ...connectionOf(config, 'login'), ...(token === undefined ? {} : { token }) }, dirname(path), {});
  } catch (error) {
    throw new NoServer(`the kubeconfig ${path} cannot be used: ${messageFor(error)}`);
  }
}

/**
 * Adds the user and a context, makes this context the current one, and writes the file. Returns the name of the
 * context. Throws a `Refusal` if a user with this name exists and is not from a login.
 */
export function writeLogin(
  { document, path, cluster, namespace }: OpenKubeconfig,
  user: string,
  exec: ExecCommand,
): string {
  const name = `${user}@${cluster}`;
  const before = entryOf(document, 'users', name);
  if (before && !JSON.stringify(before.toJSON()).includes('--exec-credential')) {
    throw new Refusal(
      `the kubeconfig ${path} has another user ${JSON.stringify(name)}, so nothing was changed`,
      'Choose another name with --user NAME',
    );
  }
  const plugin = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
    command: exec.command,
    args: exec.args,
    ...(exec.env.length === 0 ? {} : { env: exec.env }),
    installHint: 'Run kindforge login again: it writes where the command is now',
  };
  put(document, 'users', name, { user: { exec: plugin } });
  put(document, 'contexts', name, {
    context: { cluster, ...(namespace === undefined ? {} : { namespace }), user: name },
  });
  document.set('current-context', name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceKubeconfig(path, document);
  // Checks the result: reads it as clients do.
  readKubeconfigs([path]);
  return name;
}

type Lists = 'clusters' | 'users' | 'contexts';

/** Replaces the entry with this name, or adds it. */
function put(document: Document, list: Lists, name: string, content: object): void {
  const all = listIn(document, list) ?? document.createNode([]);
  if (!listIn(document, list)) document.set(list, all);
  if (!isSeq(all)) return;
  const entry = document.createNode({ name, ...content });
  const index = all.items.findIndex((one) => isMap(one) && one.get('name') === name);
  if (index < 0) all.items.push(entry);
  else all.items[index] = entry;
}

function listIn(document: Document, list: Lists): YAMLSeq | undefined {
  const node: unknown = document.get(list, true);
  const found = isAlias(node) ? node.resolve(document) : node;
  return isSeq(found) ? found : undefined;
}

const entryOf = (document: Document, list: Lists, name: string): YAMLMap | undefined =>
  listIn(document, list)
    ?.items.filter(isMap)
    .find((one) => one.get('name') === name);
