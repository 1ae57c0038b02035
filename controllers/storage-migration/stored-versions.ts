/** Removes versions from `storedVersions` of a definition once no object is stored in them. */
import {
  ApiError,
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  defineResource,
  isConflict,
  isNotFound,
  type ResourceDescriptor,
} from '../../client/index.js';

/** The fields of a CustomResourceDefinition about its stored versions. */
export interface Definition extends ApiObjectLike {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly plural?: string };
    readonly versions?: readonly { readonly name?: string; readonly storage?: boolean; readonly served?: boolean }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] | null };
}

const plural = 'customresourcedefinitions';

const definitionsOf = (group: string) =>
  defineResource<Definition>()({
    group,
    version: 'v1',
    plural,
    kind: 'CustomResourceDefinition',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);

/** The definitions of a server, in their group as it is served. */
export class StoredVersions {
  readonly #definitions;

  /** `resources` are the resources of the server. If definitions are not among them, no resource has a definition. */
  constructor(resources: readonly DiscoveredResource[], client: ClientOptions) {
    const group = resources.find((one) => one.plural === plural && one.group.startsWith('apiextensions.'))?.group;
    this.#definitions = group === undefined ? undefined : createResourceClient(definitionsOf(group), client);
  }

  /** Returns the definition of a resource; `undefined` for built-in kinds, and for kinds from files. */
  async find({ plural, group }: ResourceDescriptor, signal?: AbortSignal): Promise<Definition | undefined> {
    if (this.#definitions === undefined || group === '') return undefined;
    return this.#definitions.get(`${plural}.${group}`, signal ? { signal } : {}).catch(ignoreAbsent);
  }

  async list(signal?: AbortSignal): Promise<readonly Definition[]> {
    const list = await this.#definitions?.list(signal ? { signal } : {}).catch(ignoreAbsent);
    return list?.items ?? [];
  }

  /**
   * Removes all versions except the storage version. Call it after every object has been written since `seen` was read.
   * Every write of an object depends on the current definition. So no object can be stored in another version while the
   * definition's generation is the same. Resolves to the removed versions, or to `changed`.
   */
  async prune(seen: Definition, signal?: AbortSignal): Promise<readonly string[] | 'changed'> {
    const name = seen.metadata.name ?? '';
    for (;;) {
      const now = await this.#definitions?.get(name, signal ? { signal } : {}).catch(ignoreAbsent);
      if (now === undefined || !isSameGeneration(now, seen)) return 'changed';
      const stored = now.status?.storedVersions ?? [];
      const storage = storageVersionOf(now);
      const dropped = stored.filter((version) => version !== storage);
      if (dropped.length === 0 || storage === undefined || this.#definitions === undefined) return [];
      const { uid, resourceVersion } = now.metadata;
      const change = { metadata: { uid, resourceVersion }, status: { storedVersions: [storage] } };
      try {
        await this.#definitions.subresource('status').patch(name, change, signal ? { signal } : {});
        return dropped;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }
}

/** Returns whether a definition is the same object with the same spec. */
export const isSameGeneration = (a: Definition, b: Definition): boolean => markOfDefinition(a) === markOfDefinition(b);

/** Returns an identifier for a state of a definition. */
export const markOfDefinition = ({ metadata: { uid, generation } }: Definition): string => `${uid}/${generation}`;

/** Returns the version in which objects are stored. */
export const storageVersionOf = ({ spec }: Definition): string | undefined =>
  spec?.versions?.find(({ storage }) => storage === true)?.name;

/** Ignores that definitions do not exist, or that the client may not read them: then there is nothing to remove. */
function ignoreAbsent(error: unknown): undefined {
  if (!isNotFound(error) && !(error instanceof ApiError && error.code === 403)) throw error;
}
