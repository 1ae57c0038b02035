/** Keeps cluster roles for the kinds of definitions, so that aggregated roles have rights on them. */
import { isDeepStrictEqual } from 'node:util';
import { type ApiObjectLike, createResourceClient, defineResource, isAlreadyExists } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';
import type { ClusterRole } from './role-aggregation.js';

/** The fields of a CustomResourceDefinition about rights on its kind. */
export interface KindDefinition extends ApiObjectLike {
  status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
  };
}

/** A role as it should be. */
export interface WantedRole {
  readonly metadata: { readonly name: string; readonly labels: { [key: string]: string } };
  readonly rules: readonly object[];
}

export interface KindRolesOptions {
  /** The group of definitions, as it is served. */
  readonly definitions: string;
  /** The group of roles, as it is served. */
  readonly roles: string;
  /** Selects the roles that this controller owns. */
  readonly labelSelector: string;
  /** Returns the roles of the kind of a definition; none if it is not served. */
  readonly rolesOf: (definition: KindDefinition) => readonly WantedRole[];
  /** Returns the name of the definition that a role belongs to. */
  readonly definitionOf: (role: string) => string;
}

const cluster = { version: 'v1', scope: 'Cluster', subresources: [] } as const;

/** Defines the controller. A key is the name of a definition. */
export function defineKindRoles(options: KindRolesOptions): Controller {
  const definitions = defineResource<KindDefinition>()({
    ...cluster,
    group: options.definitions,
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  } as const);
  const roles = defineResource<ClusterRole>()({
    ...cluster,
    group: options.roles,
    plural: 'clusterroles',
    kind: 'ClusterRole',
  } as const);
  return defineController({
    name: 'kind-roles',
    watches: [
      watch(definitions),
      watch(roles, {
        labelSelector: options.labelSelector,
        keysOf: ({ metadata }) => [options.definitionOf(metadata.name ?? '')],
      }),
    ],
    async reconcile(key, { client, cacheOf, signal }) {
      const definition = cacheOf(definitions).get(key);
      const wanted = definition ? options.rolesOf(definition) : [];
      const all = createResourceClient(roles, client);
      const held = [...cacheOf(roles).values()].filter(
        ({ metadata: { name = '' } }) => options.definitionOf(name) === key,
      );
      for (const role of wanted) {
        const found = held.find(({ metadata }) => metadata.name === role.metadata.name);
        // Does not change a role that another client has created under this name.
        if (!found) await all.create({ ...role }, { signal }).catch(ignoreTaken);
        else if (!isDeepStrictEqual(found.rules, role.rules)) {
          await all.update({ ...found, rules: role.rules }, { signal }).catch(ignoreNotFound);
        }
      }
      for (const { metadata } of held) {
        const { name = '', uid } = metadata;
        if (wanted.some((role) => role.metadata.name === name) || uid === undefined) continue;
        await all.delete(name, { preconditions: { uid }, signal }).catch(ignoreNotFound);
      }
    },
  });
}

function ignoreTaken(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
