/** ConfigMaps that own each other, on a test's server. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DeleteOptions,
  isNotFound,
  type OwnerReference,
} from '../../client/index.js';
import { type ConfigMap, configMaps } from '../../generated/core/v1/index.js';

export type OwnerOptions = Pick<OwnerReference, 'blockOwnerDeletion' | 'controller'>;

/** Makes a reference to an object as an owner. */
export const ownerOf = ({ apiVersion, kind, metadata }: ApiObjectLike, options: OwnerOptions = {}): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  ...options,
});

export class OwnedObjects {
  readonly #client: ClientOptions;

  constructor(
    client: ClientOptions,
    readonly namespace = 'default',
  ) {
    this.#client = client;
  }

  get maps() {
    return createResourceClient(configMaps, this.#client).in(this.namespace);
  }

  create(name: string, owners: readonly OwnerReference[] = [], finalizers: readonly string[] = []): Promise<ConfigMap> {
    return this.maps.create({ metadata: { name, ownerReferences: [...owners], finalizers: [...finalizers] } });
  }

  delete(name: string, propagationPolicy?: DeleteOptions['propagationPolicy']): Promise<unknown> {
    return this.maps.delete(name, propagationPolicy === undefined ? {} : { propagationPolicy });
  }

  async get(name: string): Promise<ConfigMap | undefined> {
    try {
      return await this.maps.get(name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Lists the names of existing objects with a prefix. */
  async names(prefix = ''): Promise<string[]> {
    const { items } = await this.maps.list();
    return items.flatMap(({ metadata: { name = '' } }) => (name.startsWith(prefix) ? name : [])).sort();
  }

  async owners(name: string): Promise<string[]> {
    return ((await this.get(name))?.metadata.ownerReferences ?? []).map((owner) => owner.name).sort();
  }
}
