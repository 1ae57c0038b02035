/** The users of a running server: their records, and the bindings that grant them roles. */

import { partsOf } from '../../client/create-client.js';
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  discoverVersions,
  isNotFound,
  type ResourceClient,
} from '../../client/index.js';
import { readUserRecord, secretNameOf, type UserRecord, userRecordData, userSecretType } from '../../plugins/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { kubernetesNaming, type Naming, platformNaming } from '../../runtime/objects/names/naming.js';

/** A secret, with the fields that records need. */
interface Secret extends ApiObjectLike {
  type?: string;
  data?: Readonly<Record<string, string>>;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends ApiObjectLike {
  roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  subjects?: readonly Subject[];
}

/** A refused command about users. `advice` says what to do instead. */
export interface UserProblem {
  readonly reason:
    | 'OtherServer'
    | 'Exists'
    | 'NotFound'
    | 'Invalid'
    | 'UnknownRole'
    | 'UnknownNamespace'
    | 'NoTls'
    | 'NotSigned'
    | 'NotAccepted';
  readonly message: string;
  readonly advice: readonly string[];
}

export type UserResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: UserProblem };

export const refused = (
  reason: UserProblem['reason'],
  message: string,
  ...advice: readonly string[]
): { readonly ok: false; readonly problem: UserProblem } => ({ ok: false, problem: { reason, message, advice } });

/** A record, and its secret. */
export interface StoredUser {
  readonly record: UserRecord;
  readonly secret: Secret;
}

/** A server with its naming, for commands about users. */
export class People {
  private constructor(
    readonly client: ClientOptions,
    readonly naming: Naming,
  ) {}

  /**
   * Finds out the naming of the server. Refuses servers of other programs, because they would let in revoked users.
   * Rejects as requests do.
   */
  static async of(client: ClientOptions): Promise<UserResult<People>> {
    const path = '/readyz/followers';
    const { status } = await partsOf(client).transport.send({ method: 'GET', path, headers: {} });
    if (status === 404) {
      return refused(
        'OtherServer',
        'this is not a Kindforge server, or its release is too early: it would not refuse revoked users',
        'Name another one with --admin-kubeconfig or --kubeconfig',
      );
    }
    const groups = (await discoverVersions(client)).map(({ group }) => group);
    const naming = groups.includes(kubernetesNaming.rename(rbac)) ? kubernetesNaming : platformNaming;
    return { ok: true, value: new People(client, naming) };
  }

  /** Returns a user by name, or `undefined` without a record. */
  async find(name: string): Promise<StoredUser | undefined> {
    const secret = await this.#secrets.get(secretNameOf(name)).catch(ignoreNotFound);
    return secret && storedIn(secret);
  }

  /** Returns all users, by name. */
  async all(): Promise<readonly StoredUser[]> {
    const { items } = await this.#secrets.list({ fieldSelector: `type=${userSecretType}` });
    return items.flatMap((secret) => storedIn(secret) ?? []).sort((a, b) => (a.record.name < b.record.name ? -1 : 1));
  }

  /** Stores a record. Rejects with a conflict if another writer has changed it since `before`. */
  async write(record: UserRecord, before: StoredUser | undefined): Promise<StoredUser> {
    const data = userRecordData(record);
    const secret = before
      ? await this.#secrets.update({ ...before.secret, data })
      : await this.#secrets.create({ metadata: { name: secretNameOf(record.name) }, type: userSecretType, data });
    return { record, secret };
  }

  async remove(name: string): Promise<void> {
    await this.#secrets.delete(secretNameOf(name)).catch(ignoreNotFound);
  }

  /** Returns the bindings of all namespaces and of the cluster. */
  async bindings(): Promise<readonly Binding[]> {
    const [own, cluster] = await Promise.all([
      createResourceClient(this.#roleBindings, this.client).list(),
      createResourceClient(this.#clusterRoleBindings, this.client).list(),
    ]);
    return [...cluster.items, ...own.items];
  }

  /** Returns the collection of bindings of a namespace, or of the cluster. */
  bindingsIn(namespace: string | undefined): ResourceClient<Binding, Partial<Binding>, never> {
    return namespace === undefined
      ? createResourceClient(this.#clusterRoleBindings, this.client)
      : createResourceClient(this.#roleBindings, this.client).in(namespace);
  }

  /** Returns the names of the cluster roles. */
  async roleNames(): Promise<readonly string[]> {
    const roles = defineResource<ApiObjectLike>()({
      ...clusterScoped,
      group: this.rbacGroup,
      plural: 'clusterroles',
      kind: 'ClusterRole',
    } as const);
    return (await createResourceClient(roles, this.client).list()).items.flatMap(({ metadata }) => metadata.name ?? []);
  }

  /** Returns whether a namespace exists. */
  async hasNamespace(name: string): Promise<boolean> {
    const namespaces = defineResource<ApiObjectLike>()({
      ...clusterScoped,
      group: '',
      plural: 'namespaces',
      kind: 'Namespace',
    } as const);
    return (await createResourceClient(namespaces, this.client).get(name).catch(ignoreNotFound)) !== undefined;
  }

  get rbacGroup(): string {
    return this.naming.rename(rbac);
  }

  get #secrets() {
    const secrets = defineResource<Secret>()({
      group: '',
      version: 'v1',
      plural: 'secrets',
      kind: 'Secret',
      scope: 'Namespaced',
      subresources: [],
    } as const);
    return createResourceClient(secrets, this.client).in(this.naming.namespaces.system);
  }

  get #roleBindings() {
    return defineResource<Binding>()({
      group: this.rbacGroup,
      version: 'v1',
      plural: 'rolebindings',
      kind: 'RoleBinding',
      scope: 'Namespaced',
      subresources: [],
    } as const);
  }

  get #clusterRoleBindings() {
    return defineResource<Binding>()({
      ...clusterScoped,
      group: this.rbacGroup,
      plural: 'clusterrolebindings',
      kind: 'ClusterRoleBinding',
    } as const);
  }
}

const rbac = 'rbac.authorization.platform.io';

const clusterScoped = { version: 'v1', scope: 'Cluster', subresources: [] } as const;

function storedIn(secret: Secret): StoredUser | undefined {
  const { metadata, type = '', data = {} } = secret;
  const record = readUserRecord({ type, metadata: { name: metadata.name }, data: isObject(data) ? data : {} });
  return record && { record, secret };
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
