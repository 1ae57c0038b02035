/** Finds the server that a command is about. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ClientOptions } from '../../client/index.js';
import { openUpstream, type Upstream } from '../../client/node/upstream.js';
import { loadKubeconfig } from '../../client/node.js';
import { foldersOfPackage, foreignProblem } from '../project/load/foreign-file.js';
import { NoServer } from './failure.js';
import type { ServerFlags } from './server-flags.js';

/** A server, and how it was found. */
export interface Target {
  readonly client: ClientOptions;
  /** The namespace to use if none is named. */
  readonly namespace: string;
  /** The source of the address, for messages. */
  readonly from: string;
}

/** Returns the target. Throws a `NoServer` if the kubeconfig is missing or cannot be used. */
export function targetOf(
  { kubeconfig, context, server, token, namespace }: ServerFlags,
  surroundings: Surroundings = here(),
): Target {
  if (server !== undefined) {
    checkUrl(server);
    const client = { baseUrl: server, ...(token === undefined ? {} : { token }) };
    return { client, namespace: namespace ?? 'default', from: '--server' };
  }
  const found = kubeconfig === undefined ? foundIn(surroundings) : given(kubeconfig);
  const loaded = tried(found, (path) => loadKubeconfig({ ...path, ...(context === undefined ? {} : { context }) }));
  const headers = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  return {
    client: { kubeconfig: { ...loaded, ...(token === undefined ? {} : { headers: {} }) }, ...headers },
    namespace: namespace ?? loaded.namespace ?? 'default',
    from: found.from,
  };
}

/** The server of a kubeconfig for passing requests on, and how it was found. */
export interface UpstreamTarget extends Pick<Target, 'from'> {
  readonly upstream: Upstream;
}

/** Returns the server. Throws as `targetOf` does. */
export function upstreamOf(
  { kubeconfig, context }: Pick<ServerFlags, 'kubeconfig' | 'context'>,
  surroundings: Surroundings = here(),
): UpstreamTarget {
  const found = kubeconfig === undefined ? foundIn(surroundings) : given(kubeconfig);
  return { from: found.from, upstream: tried(found, ({ path }) => openUpstream(path, context)) };
}

const given = (path: string): FoundKubeconfig => ({ path, from: `--kubeconfig ${path}` });

function checkUrl(server: string): void {
  if (URL.canParse(server) && /^https?:$/.test(new URL(server).protocol)) return;
  throw new NoServer(`--server ${server} is not the URL of a server`, 'Write it as in --server http://127.0.0.1:8080');
}

function foundIn(surroundings: Surroundings): FoundKubeconfig {
  const found = findKubeconfig(surroundings);
  if (found) return found;
  throw new NoServer(
    `no server is known: neither --server nor --kubeconfig is given, and no kubeconfig was found in $KUBECONFIG, ` +
      `in ${written} here or above, or in ${usualPath(surroundings.environment)}`,
    'Start a server with: kindforge serve',
    'Or name one with --server URL, or --kubeconfig FILE',
  );
}

/** Uses a kubeconfig. Throws a `NoServer` with the reason why that fails. */
function tried<T>({ path, from }: FoundKubeconfig, use: (found: { readonly path?: string }) => T): T {
  try {
    return use(path === undefined ? {} : { path });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new NoServer(
      `the kubeconfig ${path ?? from} cannot be used: ${problem}`,
      'Name another one with --kubeconfig FILE, or a server with --server URL',
    );
  }
}

/** The surroundings of a command. */
export interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const here = (): Surroundings => ({ folder: process.cwd(), environment: process.env });

interface FoundKubeconfig {
  /** The file; absent if `$KUBECONFIG` names several files, which are merged. */
  readonly path?: string;
  /** The source of the file, for messages. */
  readonly from: string;
}

/** The kubeconfig that `kindforge serve` writes by default. */
const written = join('.kindforge', 'data', 'credentials', 'kubeconfig');

/**
 * Finds a kubeconfig: from `$KUBECONFIG`, from `kindforge serve` in this folder or above it (within the repository or
 * package), or `~/.kube/config`. Returns `undefined` if none exists. Throws a `NoServer` if other users can change the
 * file of `kindforge serve`, because a kubeconfig may name a program to run.
 */
export function findKubeconfig({ folder, environment }: Surroundings): FoundKubeconfig | undefined {
  const { KUBECONFIG: named } = environment;
  if (named) return { ...(named.includes(delimiter) ? {} : { path: named }), from: `$KUBECONFIG, ${named}` };
  for (const above of foldersOfPackage(folder)) {
    const path = join(above, written);
    if (existsSync(path)) return trusted(path);
  }
  const path = usualPath(environment);
  return existsSync(path) ? { path, from: path } : undefined;
}

function trusted(path: string): FoundKubeconfig {
  const problem = foreignProblem(path);
  if (problem === undefined) return { path, from: path };
  throw new NoServer(
    `the kubeconfig ${path} is not used: it ${problem}`,
    'Change its owner or mode, or name it with --kubeconfig FILE if you trust it',
  );
}

/** Returns the path that kubectl reads. */
const usualPath = ({ HOME = homedir() }: Surroundings['environment']): string => join(HOME, '.kube', 'config');
