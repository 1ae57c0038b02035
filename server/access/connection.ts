/** Reaches the server that questions about rights are about. */
import type { ClientOptions } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';

/** How users name a server: by a kubeconfig, the usual one where nothing is said, or by its address. */
export interface ServerChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

export interface AccessConnection {
  readonly client: ClientOptions;
  /** The namespace that commands are about where they name none. */
  readonly namespace: string;
}

/** Throws where the kubeconfig cannot be used. */
export function connectTo({ kubeconfig, context, server }: ServerChoice): AccessConnection {
  if (server !== undefined) return { client: { baseUrl: server }, namespace: 'default' };
  const loaded = loadKubeconfig({
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  return { client: { kubeconfig: loaded }, namespace: loaded.namespace ?? 'default' };
}
