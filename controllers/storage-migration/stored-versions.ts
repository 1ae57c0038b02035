/** Takes versions out of `storedVersions` of a definition once no object is stored in them any more. */
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

/** A CustomResourceDefinition, as far as its stored versions go. */
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

/** Definitions of a server, read and written under the name that their group is served by. */
export class StoredVersions {
  readonly #definitions;

  /** `resources` are those that the server has; without definitions among them, no resource has one. */
  constructor(resources: readonly DiscoveredResource[], client: ClientOptions) {
    const group = resources.find((one) => one.plural === plural && one.group.startsWith('apiextensions.'))?.group;
    this.#definitions = group === undefined ? undefined : createResourceClient(definitionsOf(group), client);
  }

  /** The definition of a resource; nothing for built-in kinds, and for those of files. */
  async find({ plural, group }: ResourceDescriptor, signal?: AbortSignal): Promise<Definition | undefined> {
    if (this.#definitions === undefined || group === '') return undefined;
    return this.#definitions.get(`${plural}.${group}`, signal ? { signal } : {}).catch(ignoreAbsent);
  }

  /** All definitions. */
  async list(signal?: AbortSignal): Promise<readonly Definition[]> {
    const list = await this.#definitions?.list(signal ? { signal } : {}).catch(ignoreAbsent);
    return list?.items ?? [];
  }

  /**
   * Leaves nothing but the version that stores now. To be called once every object has been written since `seen`
   * was read. Every write of an object depends on the definition as it is, so nothing can be stored in another version as
   * long as the definition's generation is the same. Resolves to the versions that were taken out, or to `changed`.
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

/** Whether the definition is still the same object, with the same spec. */
export const isSameGeneration = (a: Definition, b: Definition): boolean => markOfDefinition(a) === markOfDefinition(b);

/** Says of which state of a definition something is true. */
export const markOfDefinition = ({ metadata: { uid, generation } }: Definition): string => `${uid}/${generation}`;

/** The version that objects are stored in. */
export const storageVersionOf = ({ spec }: Definition): string | undefined =>
  spec?.versions?.find(({ storage }) => storage === true)?.name;

/** A user who may not read definitions has nothing to prune. */
function ignoreAbsent(error: unknown): undefined {
  if (!isNotFound(error) && !(error instanceof ApiError && error.code === 403)) throw error;
}
