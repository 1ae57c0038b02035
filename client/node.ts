/** The Node part of the SDK: kubeconfig files, and TLS with certificates of one's own. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { Agent, fetch as undiciFetch } from 'undici';
import { type Connection, connectionOf, credentialHeaders, type PemSource } from './kubeconfig.js';
import type { FetchTransportOptions } from './transport.js';

export * from './index.js';
export type { Connection } from './kubeconfig.js';

/** A kubeconfig as `createClient({ kubeconfig })` takes it. */
export interface LoadedKubeconfig extends FetchTransportOptions {
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** Options of `loadKubeconfig`. */
export interface KubeconfigOptions {
  /** The file; `$KUBECONFIG` or `~/.kube/config` where not given. */
  readonly path?: string;
  /** The context; the file's current one where not given. */
  readonly context?: string;
}

/** The named kubeconfig, or else `$KUBECONFIG`, or `~/.kube/config`. */
export const kubeconfigPath = (named?: string): string =>
  named ?? process.env.KUBECONFIG ?? join(homedir(), '.kube', 'config');

/** Reads a kubeconfig file. Throws when it cannot be read or names something that it does not hold. */
export function loadKubeconfig(options: KubeconfigOptions = {}): LoadedKubeconfig {
  const path = kubeconfigPath(options.path);
  const read = connectionOf(load(readFileSync(path, 'utf8')), options.context);
  const connection = withToken(read, dirname(path));
  const { namespace } = connection;
  return {
    baseUrl: connection.baseUrl,
    headers: credentialHeaders(connection),
    ...(connection.baseUrl.startsWith('https:') ? { fetch: tlsFetch(connection, dirname(path)) } : {}),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The token of a token file goes before one that stands in the kubeconfig. */
function withToken(connection: Connection, folder: string): Connection {
  if (connection.tokenFile === undefined) return connection;
  return { ...connection, token: readFileSync(resolve(folder, connection.tokenFile), 'utf8').trim() };
}

/** A fetch that trusts and shows what the connection says. */
function tlsFetch({ tls }: Connection, folder: string): typeof fetch {
  const read = (source: PemSource): string =>
    'pem' in source ? source.pem : readFileSync(resolve(folder, source.path), 'utf8');
  const dispatcher = new Agent({
    connect: {
      rejectUnauthorized: !tls.insecure,
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
      ...(tls.ca === undefined ? {} : { ca: read(tls.ca) }),
      ...(tls.certificate === undefined ? {} : { cert: read(tls.certificate) }),
      ...(tls.key === undefined ? {} : { key: read(tls.key) }),
    },
  });
  const send: unknown = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher });
  return isFetch(send) ? send : fetch;
}

/** undici's fetch is the global one but for the identity of its types. */
const isFetch = (value: unknown): value is typeof fetch => typeof value === 'function';
