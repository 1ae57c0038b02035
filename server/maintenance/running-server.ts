/** Reaches a server that runs, for the jobs of `kindforge storage`. */
import { partsOf } from '../../client/create-client.js';
import type { ClientOptions } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { openRequest } from '../../client/requests.js';
import { snapshotPath } from '../../runtime/server/index.js';

/** The flags that name the server, as they were given. */
export interface RunningServerFlags {
  /** Its URL, where it asks for no credentials. */
  readonly server?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Throws where the kubeconfig cannot be used. */
export function connectionTo({ server, kubeconfig, context }: RunningServerFlags): ClientOptions {
  if (server !== undefined) return { baseUrl: server };
  return {
    kubeconfig: loadKubeconfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    }),
  };
}

/** The server's URL. */
export const nameOfServer = ({ baseUrl, kubeconfig }: ClientOptions): string => baseUrl ?? kubeconfig?.baseUrl ?? '';

/** The pieces of a snapshot that the server makes. Rejects where it refuses to. */
export async function* takeSnapshot(connection: ClientOptions): AsyncGenerator<Uint8Array> {
  const response = await openRequest(partsOf(connection), { method: 'GET', path: snapshotPath });
  yield* response.chunks();
}
