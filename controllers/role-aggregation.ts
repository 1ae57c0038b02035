/** Writes into aggregated cluster roles the rules of those that their selectors select. */
import { type ApiObjectLike, type Cache, createResourceClient, defineResource, keyOf } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** A ClusterRole, as far as aggregation goes. */
export interface ClusterRole extends ApiObjectLike {
  rules?: readonly object[] | null;
  aggregationRule?: { readonly clusterRoleSelectors?: readonly object[] };
}

export interface RoleAggregationOptions {
  /** The group of roles, as it is served. */
  readonly group: string;
  /** Returns the rules that a role is to hold, given all roles; `undefined` for roles that are not aggregated. */
  readonly gather: (role: ClusterRole, roles: readonly ClusterRole[]) => readonly object[] | undefined;
}

const manager = 'clusterrole-aggregation-controller';

/** For servers that serve cluster roles. */
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

/** Any role may be part of any that is aggregated. */
function* aggregatedBeside(role: ClusterRole, roles: Cache<ClusterRole>): Generator<string> {
  for (const one of [role, ...roles.values()]) if (one.aggregationRule !== undefined) yield keyOf(one);
}

/** Rules come from the server and are written in its order of fields. */
const isSame = (a: readonly object[], b: readonly object[]): boolean => JSON.stringify(a) === JSON.stringify(b);
