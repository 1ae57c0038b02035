/** Loads the connection that pods have to the server of their cluster: by their service account. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionOptions } from './dispatcher.js';
import { type KubeconfigOptions, loadKubeconfig } from './load-kubeconfig.js';
import { type LoadedConnection, loaded } from './loaded.js';

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
