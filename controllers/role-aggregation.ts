/** Fills aggregated cluster roles with the rules of the roles that they select. */
import { type ApiObjectLike, type Cache, createResourceClient, defineResource, keyOf } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a ClusterRole that the controller uses. */
export interface ClusterRole extends ApiObjectLike {
  rules?: readonly object[] | null;
  aggregationRule?: { readonly clusterRoleSelectors?: readonly object[] };
}

export interface RoleAggregationOptions {
  /** The group of roles, as it is served. */
  readonly group: string;
  /** Returns the rules for a role, given all roles; `undefined` for roles that are not aggregated. */
  readonly gather: (role: ClusterRole, roles: readonly ClusterRole[]) => readonly object[] | undefined;
}

const manager = 'clusterrole-aggregation-controller';

/** Defines the controller, for servers with cluster roles. */
export function defineRoleAggregation({ group, gather }: RoleAggregationOptions): Controller {
  const resource = defineResource<ClusterRole>()({
    group,
    version: 'v1',
    plural: 'clusterroles',
    kind: 'ClusterRole',
    scope: 'Cluster',
    subresources: [],
  } as const);
  return defineController({
    name: 'clusterrole-aggregation',
    watches: [watch(resource, { keysOf: (role, cacheOf) => aggregatedBeside(role, cacheOf(resource)) })],
    async reconcile(key, { client, cacheOf, signal }) {
      const roles = cacheOf(resource);
      const role = roles.get(key);
      const rules = role && gather(role, [...roles.values()]);
      if (role === undefined || rules === undefined || isSame(rules, role.rules ?? [])) return;
      const wanted = { ...role, rules };
      await createResourceClient(resource, client)
        .update(wanted, { signal, fieldManager: manager })
        .catch(ignoreNotFound);
    },
  });
}

/** Yields the aggregated roles, because any role may be part of any of them. */
function* aggregatedBeside(role: ClusterRole, roles: Cache<ClusterRole>): Generator<string> {
  for (const one of [role, ...roles.values()]) if (one.aggregationRule !== undefined) yield keyOf(one);
}

/** Returns whether rules are the same. The server keeps the order of their fields. */
const isSame = (a: readonly object[], b: readonly object[]): boolean => JSON.stringify(a) === JSON.stringify(b);
