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

/** How a pod connects to its server. */
export interface InClusterOptions extends ConnectionOptions {
  /** The folder with the token, the authority and the namespace. Default: where pods have it. */
  readonly folder?: string;
  /** Environment variables with the server's address. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The folders of service accounts, by the names of Kubernetes and of the definitions. */
const folders = ['kubernetes.io', 'platform.io'].map((name) => `/var/run/secrets/${name}/serviceaccount`);

/** Returns whether this program runs in a pod. */
export const isInCluster = ({ folder, environment = process.env }: InClusterOptions = {}): boolean =>
  Boolean(environment.KUBERNETES_SERVICE_HOST) && existsSync(join(folder ?? folderThere(), 'token'));

const folderThere = (): string => folders.find((folder) => existsSync(folder)) ?? folders[0] ?? '';

/** Connects a pod to its server. The token is read again when it changes. Throws an Error outside of a pod. */
export function loadInCluster({
  folder,
  environment = process.env,
  ...options
}: InClusterOptions = {}): LoadedConnection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host) throw new Error('this is not a pod: KUBERNETES_SERVICE_HOST is not set');
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
 * Connects a program wherever it runs: by the kubeconfig in the options or in `$KUBECONFIG`, else as a pod, else by
 * `~/.kube/config`. Throws if none of these exists.
 */
export const loadConnection = (options: KubeconfigOptions = {}): LoadedConnection => {
  const isNamed = options.path !== undefined || Boolean(process.env.KUBECONFIG);
  return !isNamed && isInCluster() ? loadInCluster(options) : loadKubeconfig(options);
};

/**
 * How to reach a server. Certificates and keys are PEM, `{ pem }`, or files, `{ path }`, which are read again when they
 * change.
 */
export interface ConnectionSettings extends ConnectionOptions {
  /** As in `https://127.0.0.1:6443`. */
  readonly baseUrl: string;
  readonly token?: string;
  /** Path of a file with the token, which is read again when it changes. */
  readonly tokenFile?: string;
  /** The authorities that may sign the server's certificate. Default: the authorities that Node trusts. */
  readonly ca?: PemSource;
  readonly certificate?: PemSource;
  readonly key?: PemSource;
  /** The name that must be in the server's certificate. Default: the host of the address. */
  readonly serverName?: string;
  /** Whether to accept any certificate. */
  readonly insecure?: boolean;
  /** The namespace of objects that do not name one. */
  readonly namespace?: string;
}

/**
 * Makes a connection for `createClient({ kubeconfig })`. Throws if a file cannot be read, or if the address is not a
 * URL.
 */
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
