/** Writes into aggregated cluster roles the rules of those that their selectors select. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  follow,
  isConflict,
  isNotFound,
  type ResourceClient,
} from '../client/index.js';
import type { Controller, ControllerParts } from './controller.js';
import { sleep } from './sleep.js';

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

/** How long changes are gathered before roles are looked at, milliseconds. */
const gatherMs = 20;

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
  return {
    name: 'clusterrole-aggregation',
    run: ({ client, ...parts }) => new RoleAggregation(createResourceClient(resource, client), gather, parts).run(),
  };
}

type Roles = ResourceClient<ClusterRole, unknown, never>;

class RoleAggregation {
  readonly #known = new Map<string, ClusterRole>();
  #pass: Promise<void> | undefined;
  #isOutdated = false;

  constructor(
    private readonly roles: Roles,
    private readonly gather: RoleAggregationOptions['gather'],
    private readonly parts: Pick<ControllerParts, 'signal' | 'onError'>,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.parts;
    let isSynced = false;
    for await (const change of follow(this.roles, { signal })) {
      if (change.type === 'synced') isSynced = true;
      else {
        const { name = '' } = change.object.metadata;
        if (change.type === 'removed') this.#known.delete(name);
        else this.#known.set(name, change.object);
      }
      if (isSynced) this.#outdate();
    }
    await this.#pass;
  }

  /** Looks at all roles soon; changes that come until then are seen by the same pass. */
  #outdate(): void {
    this.#isOutdated = true;
    this.#pass ??= this.#passes().finally(() => {
      this.#pass = undefined;
    });
  }

  async #passes(): Promise<void> {
    const { signal } = this.parts;
    while (this.#isOutdated && !signal.aborted) {
      await sleep(gatherMs, signal);
      this.#isOutdated = false;
      const roles = [...this.#known.values()];
      for (const role of roles.filter(({ aggregationRule }) => aggregationRule !== undefined)) {
        const rules = this.gather(role, roles);
        if (rules !== undefined && !signal.aborted && !isSame(rules, role.rules ?? [])) await this.#write(role, rules);
      }
    }
  }

  async #write(role: ClusterRole, rules: readonly object[]): Promise<void> {
    const { signal, onError } = this.parts;
    try {
      await this.roles.update({ ...role, rules }, { signal, fieldManager: manager });
    } catch (error) {
      // A role that has changed or gone meanwhile is looked at again when its change is told.
      if (!signal.aborted && !isConflict(error) && !isNotFound(error)) onError(`role ${role.metadata.name}`, error);
    }
  }
}

/** Rules come from the server and are written in its order of fields. */
const isSame = (a: readonly object[], b: readonly object[]): boolean => JSON.stringify(a) === JSON.stringify(b);
