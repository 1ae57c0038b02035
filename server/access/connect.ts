/** Connects `kindforge access` to the server that its flags name. */
import { type ClientOptions, discoverResources } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { type AskedServer, readPolicy } from './answer-questions.js';

/** How users name a server: by a kubeconfig (the usual one by default), or by its address. */
export interface ServerChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

interface AccessConnection {
  readonly client: ClientOptions;
  /** The namespace of commands without one. */
  readonly namespace: string;
}

/** Throws if the kubeconfig cannot be used. */
export function connectTo({ kubeconfig, context, server }: ServerChoice): AccessConnection {
  if (server !== undefined) return { client: { baseUrl: server }, namespace: 'default' };
  const loaded = loadKubeconfig({
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  return { client: { kubeconfig: loaded }, namespace: loaded.namespace ?? 'default' };
}

/**
 * Returns the server in the form that questions need. Rejects if the kubeconfig cannot be used, or if the server cannot
 * be reached.
 */
export async function askedServer(choice: ServerChoice): Promise<AskedServer> {
  const { client, namespace } = connectTo(choice);
  const resources = await discoverResources(client);
  return { client, namespace, resources, policy: () => readPolicy(client, resources) };
}
