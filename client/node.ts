/** The Node part of the SDK: connections by kubeconfigs, in pods, with certificates, plugins, proxies and HTTP/2. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PemSource } from './connection/kubeconfig.js';
import type { ConnectionOptions } from './node/dispatcher.js';
import { type KubeconfigOptions, loadKubeconfig } from './node/load-kubeconfig.js';
import { type LoadedConnection, loaded } from './node/loaded.js';

export type { PemSource } from './connection/kubeconfig.js';
export * from './index.js';
export type { ConnectionOptions } from './node/dispatcher.js';
export { type KubeconfigOptions, loadKubeconfig } from './node/load-kubeconfig.js';
export type { LoadedConnection } from './node/loaded.js';

/** Options of `loadInCluster`. */
export interface InClusterOptions extends ConnectionOptions {
  /** Where the token, the authority and the namespace lie; where pods have them where not given. */
  readonly folder?: string;
  /** Variables with the server's address; those of the process where not given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** By the names of Kubernetes, and by those of definitions. */
const folders = ['kubernetes.io', 'platform.io'].map((name) => `/var/run/secrets/${name}/serviceaccount`);

/** Whether this is a pod. */
export const isInCluster = ({ folder, environment = process.env }: InClusterOptions = {}): boolean =>
  Boolean(environment.KUBERNETES_SERVICE_HOST) && existsSync(join(folder ?? folderThere(), 'token'));

const folderThere = (): string => folders.find((folder) => existsSync(folder)) ?? folders[0] ?? '';

/** The token is read again as it changes. Throws where this is no pod. */
export function loadInCluster({
  folder,
  environment = process.env,
  ...options
}: InClusterOptions = {}): LoadedConnection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host) throw new Error('this is no pod: KUBERNETES_SERVICE_HOST is not set');
  const place = folder ?? folderThere();
  const namespaceFile = join(place, 'namespace');
  return loaded(
    {
      baseUrl: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tls: { insecure: false, ca: { path: join(place, 'ca.crt') } },
      tokenFile: join(place, 'token'),
      ...(existsSync(namespaceFile) ? { namespace: readFileSync(namespaceFile, 'utf8').trim() } : {}),
    },
    place,
    options,
  );
}

/**
 * The connection that a program has where it runs: by the kubeconfig that is named, here or in `$KUBECONFIG`, else as a
 * pod, else by `~/.kube/config`. Throws where it is none of these.
 */
export const loadConnection = (options: KubeconfigOptions = {}): LoadedConnection => {
  const isNamed = options.path !== undefined || Boolean(process.env.KUBECONFIG);
  return !isNamed && isInCluster() ? loadInCluster(options) : loadKubeconfig(options);
};

/**
 * How to reach a server. Certificates and keys are PEM, `{ pem }`, or in files, `{ path }`, which are read again as
 * they change.
 */
export interface ConnectionSettings extends ConnectionOptions {
  /** As in `https://127.0.0.1:6443`. */
  readonly baseUrl: string;
  readonly token?: string;
  /** Path of a file with the token, which is read again as it changes. */
  readonly tokenFile?: string;
  /** The authorities that the server's certificate must come from; those that Node trusts where not given. */
  readonly ca?: PemSource;
  readonly certificate?: PemSource;
  readonly key?: PemSource;
  /** The name that the server's certificate has to be for, where that is not the address's. */
  readonly serverName?: string;
  /** Whether any certificate will do. */
  readonly insecure?: boolean;
  /** For objects of namespaced kinds that name none. */
  readonly namespace?: string;
}

/** A connection for `createClient({ kubeconfig })`. Throws where a file cannot be read, or the address is none. */
export function openConnection({
  baseUrl,
  token,
  tokenFile,
  ca,
  certificate,
  key,
  serverName,
  insecure = false,
  namespace,
  ...options
}: ConnectionSettings): LoadedConnection {
  const tls = {
    insecure,
    ...(serverName === undefined ? {} : { serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
  };
  const credentials = {
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return loaded({ baseUrl, tls, ...credentials }, process.cwd(), options);
}
