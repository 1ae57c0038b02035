/** The option of a server behind a cluster's aggregation layer, and its effect on other options. */
import { defineInOrder } from '../../plugins/index.js';
import { OptionError } from '../option-error.js';
import type { StartOptions } from '../options.js';
import type { Cluster } from './cluster.js';

/** Throws an `OptionError` if another option contradicts the cluster. */
export function checkAggregated(options: StartOptions): void {
  const { aggregated, naming, tls, authentication = {}, authorization = {} } = options;
  if (!aggregated) return;
  if (naming !== 'kubernetes') {
    throw new OptionError(
      (nameOf) => `${nameOf('aggregated')} needs the names of Kubernetes; set ${nameOf('naming')} to kubernetes`,
    );
  }
  if (!tls) {
    throw new OptionError(
      (nameOf) => `${nameOf('aggregated')}: clusters connect over TLS only; set ${nameOf('tls.port')}`,
    );
  }
  const { cacheTtlMs = 0 } = aggregated;
  if (!(cacheTtlMs >= 0)) {
    throw new OptionError(
      (nameOf) => `${nameOf('aggregated.cacheTtlMs')} ${cacheTtlMs}: must be 0 or more milliseconds`,
    );
  }
  const decided = (
    [
      ['authentication.clientCaFile', authentication.clientCaFile !== undefined],
      ['authentication.requestHeader', authentication.requestHeader !== undefined],
      ['authentication.tokenWebhook.configFile', authentication.tokenWebhook !== undefined],
      ['authentication.anonymous', authentication.anonymous === 'administrator'],
      ['authorization.configFile', authorization.configFile !== undefined],
      // RBAC is the default of the command.
      ['authorization.modes', (authorization.modes ?? []).some((mode) => mode !== 'RBAC')],
    ] as const
  ).find(([, isGiven]) => isGiven);
  if (!decided) return;
  const [option] = decided;
  throw new OptionError(
    (nameOf) => `${nameOf(option)} has no effect, because the cluster of ${nameOf('aggregated')} decides; leave it out`,
  );
}

/** Returns the options with the cluster as the source of users, rights and namespaces. */
export function withCluster(options: StartOptions, cluster: Cluster): StartOptions {
  const { kinds = [], authentication, authorization: { authorizer } = {}, controllers = ['*'] } = options;
  return {
    ...options,
    kinds: [...kinds, { plugins: [cluster.namespaceLifecycle] }],
    authentication: {
      ...authentication,
      anonymous: authentication?.anonymous ?? 'anonymous',
      administrator: false,
      authenticators: [...(authentication?.authenticators ?? []), cluster.tokens],
    },
    authorization: {
      authorizer: authorizer ? defineInOrder([authorizer, cluster.authorizer]) : cluster.authorizer,
    },
    // Owners may be objects of the cluster. The cluster's own collector reaches the objects here.
    controllers: [...controllers, '-garbagecollector'],
  };
}
