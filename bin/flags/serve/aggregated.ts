/** Flags of `kindforge serve`: the cluster in front of the server. */
import type { AggregatedOption } from '../../../server/aggregated/cluster-client.js';
import { FlagError, type FlagGroup, type ReadValues } from '../flag.js';
import { readTime } from './values.js';

export const behindCluster = {
  heading: 'Behind a cluster',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'aggregated',
      about: 'serve behind the aggregation layer of a cluster, which decides about users, rights and namespaces',
      sets: ['aggregated'],
    },
    {
      name: 'kubeconfig',
      value: '<file>',
      about: 'kubeconfig by which the server calls that cluster',
      otherwise: '$KUBECONFIG, else the service account of the pod, else ~/.kube/config',
      sets: ['aggregated.kubeconfig'],
    },
    {
      name: 'aggregated-cache-ttl',
      value: '<duration>',
      about: 'how long to cache answers of that cluster about tokens and rights',
      byDefault: '10s',
      read: readTime,
      sets: ['aggregated.cacheTtlMs'],
    },
  ],
} as const satisfies FlagGroup;

/** Makes the options. Throws a `FlagError` if a kubeconfig is given without --aggregated. */
export function aggregatedOf(flags: ReadValues<typeof behindCluster.flags>): AggregatedOption | undefined {
  const { aggregated, kubeconfig, aggregatedCacheTtl: cacheTtlMs } = flags;
  if (aggregated === true) return { kubeconfig, cacheTtlMs };
  if (kubeconfig === undefined) return undefined;
  throw new FlagError('--kubeconfig is the way to the cluster in front of the server; add --aggregated');
}
