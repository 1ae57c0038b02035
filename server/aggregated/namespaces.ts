/** Finds the namespaces of the cluster, from a cache that follows them. */
import { type ApiObjectLike, createResourceClient, defineResource, isNotFound, openCache } from '../../client/index.js';
import type { FindNamespace } from '../../plugins/index.js';
import type { OnProblem } from '../option-error.js';
import { atMostEvery } from '../webhooks/line.js';
import type { ClusterClient } from './cluster-client.js';

interface Namespace extends ApiObjectLike {
  readonly status?: { readonly phase?: string };
}

/** Returns the client of the cluster's namespaces. */
export const namespacesOf = ({ options }: ClusterClient) =>
  createResourceClient(
    defineResource<Namespace>()({
      ...{ group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', scope: 'Cluster', subresources: [] },
    } as const),
    options,
  );

/**
 * Follows the namespaces until the signal is aborted. If the cache does not have a namespace, the returned function
 * asks the cluster, because the namespace may be new. It rejects if the cluster then does not answer.
 */
export function openNamespaces(client: ClusterClient, signal: AbortSignal, onProblem: OnProblem): FindNamespace {
  const namespaces = namespacesOf(client);
  const tell = atMostEvery(60_000, onProblem);
  const cache = openCache(namespaces, {
    signal,
    keep: ({ apiVersion, kind, metadata: { name = '', uid, resourceVersion }, status }) => ({
      apiVersion,
      kind,
      metadata: {
        name,
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      ...(status ? { status } : {}),
    }),
    onError: (error) => tell(`the namespaces of the cluster cannot be followed: ${String(error)}`),
  });
  const phaseOf = ({ status }: Namespace) => ({ phase: status?.phase ?? '' });
  return (name) => {
    const known = cache.get(name);
    if (known) return phaseOf(known);
    return namespaces.get(name).then(phaseOf, (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  };
}
