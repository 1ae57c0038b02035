/** The client of a resource: each method is one request, or a loop over some. */
import type { ResourceDescriptor } from './descriptor.js';
import { extract } from './extract.js';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  JsonPatchOperation,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import { deleteCollectionParts, deleteParts, optionParts, writeParts } from './parameters.js';
import { type Paths, pathsOf } from './paths.js';
import { type ObjectRequest, openRequest, type Requester, requestObject } from './requests.js';
import type {
  DynamicClient,
  EventsOf,
  MergePatch,
  NewObject,
  ResourceClient,
  SubresourceClient,
} from './resource-client.js';
import type { TransportResponse } from './transport.js';
import type { ApiObjectLike, ListOf, ObjectEvent, Status, WatchEvent } from './types.js';
import { readWatch } from './watch.js';

/** Everything that a resource client shares with the others of its client. */
export interface ResourceClientParts extends Requester {
  /** The name that a resource's group is served under. */
  readonly groupOf: (resource: ResourceDescriptor) => string;
}

const mergePatchType = 'application/merge-patch+json';
const jsonPatchType = 'application/json-patch+json';
const applyType = 'application/apply-patch+yaml';

/** Objects per chunk where the caller does not say. */
const pageSize = 500;

/** Methods are async throughout, so that a missing name rejects as a refused request does. */
export class RemoteResource<T extends ApiObjectLike, A, S extends string> implements DynamicClient<T, A, S> {
  readonly #parts: ResourceClientParts;
  readonly #resource: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S>;
  readonly #namespace: string | undefined;
  readonly #paths: Paths;
  readonly #apiVersion: string;

  /** Bound to a namespace where one is given. */
  constructor(
    parts: ResourceClientParts,
    resource: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S>,
    namespace?: string,
  ) {
    const group = parts.groupOf(resource);
    this.#parts = parts;
    this.#resource = resource;
    this.#namespace = namespace;
    this.#paths = pathsOf(resource, group);
    this.#apiVersion = joinGroup(group, resource.version);
  }

  in(namespace: string): ResourceClient<T, A, S> {
    return new RemoteResource(this.#parts, this.#resource, namespace);
  }

  async create(object: NewObject<T>, options?: WriteOptions): Promise<T> {
    const path = this.#paths.place(this.#namespace ?? metaOf(object).namespace);
    return this.#send({ method: 'POST', path, body: this.#enveloped(object), ...writeParts(options) });
  }

  async get(name: string, options?: GetOptions): Promise<T> {
    return this.#send({ method: 'GET', path: this.#pathTo(name), ...optionParts(options) });
  }

  async update(object: T, options?: WriteOptions): Promise<T> {
    return this.#put(object, options);
  }

  async patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T> {
    return this.#patch(this.#pathTo(name), mergePatchType, change, options);
  }

  async jsonPatch(name: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): Promise<T> {
    return this.#patch(this.#pathTo(name), jsonPatchType, operations, options);
  }

  async apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T> {
    return this.#patch(this.#pathOf(configuration), applyType, this.#enveloped(configuration), options);
  }

  extract(object: T, manager: string): A {
    return extract<A>(object, manager);
  }

  async delete(name: string, options?: DeleteOptions): Promise<T | Status> {
    return this.#send({ method: 'DELETE', path: this.#pathTo(name), ...deleteParts(options) });
  }

  async deleteCollection(options?: ListOptions & DeleteOptions): Promise<Status> {
    const path = this.#paths.place(this.#namespace);
    return this.#send({ method: 'DELETE', path, ...deleteCollectionParts(options) });
  }

  async list(options?: ListOptions): Promise<ListOf<T>> {
    const path = this.#paths.collection(this.#namespace);
    const list = await this.#send<ListOf<T>>({ method: 'GET', path, ...optionParts(options) });
    // Lists of metadata have null where they are empty.
    list.items ??= [];
    // Servers leave out of the items what the list says already.
    for (const item of list.items) {
      item.apiVersion ??= list.apiVersion;
      item.kind ??= this.#resource.kind;
    }
    return list;
  }

  async *pages({ limit = pageSize, ...options }: ListOptions = {}): AsyncGenerator<ListOf<T>, void, undefined> {
    // The token of a chunk says which revision is read; to say it again is a mistake.
    const { resourceVersion: _revision, resourceVersionMatch: _match, ...later } = options;
    let page = await this.list({ ...options, limit });
    yield page;
    while (page.metadata.continue) {
      page = await this.list({ ...later, limit, continue: page.metadata.continue });
      yield page;
    }
  }

  async *each(options?: ListOptions): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  watch(options?: WatchOptions & { readonly allowWatchBookmarks?: false }): EventsOf<ObjectEvent<T>>;
  watch(options: WatchOptions): EventsOf<WatchEvent<T>>;
  watch(options: WatchOptions = {}): EventsOf<WatchEvent<T>> {
    const { allowWatchBookmarks = false, ...others } = options;
    const { parameters, ...rest } = optionParts(others);
    const open = async (): Promise<TransportResponse> =>
      openRequest(this.#parts, {
        method: 'GET',
        path: this.#paths.collection(this.#namespace),
        // Bookmarks are asked for in any case: they keep a quiet connection from being taken for a dead one.
        parameters: { ...parameters, watch: true, allowWatchBookmarks: true },
        ...rest,
      });
    return readWatch<T>(open, allowWatchBookmarks);
  }

  subresource(subresource: S): SubresourceClient<T, A> {
    return {
      get: async (name, options) =>
        this.#send({ method: 'GET', path: this.#pathTo(name, subresource), ...optionParts(options) }),
      update: async (object, options) => this.#put(object, options, subresource),
      patch: async (name, change, options) =>
        this.#patch(this.#pathTo(name, subresource), mergePatchType, change, options),
      apply: async (configuration, options) =>
        this.#patch(this.#pathOf(configuration, subresource), applyType, this.#enveloped(configuration), options),
      // apiVersion and kind may be left out, since the path says them.
      create: async (name, object, options) =>
        this.#send({ method: 'POST', path: this.#pathTo(name, subresource), body: object, ...writeParts(options) }),
    };
  }

  #send<R>(request: ObjectRequest): Promise<R> {
    return requestObject<R>(this.#parts, request);
  }

  #put(object: T, options?: WriteOptions, subresource?: string): Promise<T> {
    const path = this.#pathOf(object, subresource);
    return this.#send({ method: 'PUT', path, body: this.#enveloped(object), ...writeParts(options) });
  }

  #patch(path: string, contentType: string, body: unknown, options?: WriteOptions): Promise<T> {
    return this.#send({ method: 'PATCH', path, body, contentType, ...writeParts(options) });
  }

  #pathTo(name: string, subresource?: string): string {
    return this.#paths.object(this.#namespace, name, subresource);
  }

  /** The path of an object that says itself where it belongs; what this client is bound to goes before. */
  #pathOf(object: unknown, subresource?: string): string {
    const { name, namespace } = metaOf(object);
    return this.#paths.object(this.#namespace ?? namespace, name, subresource);
  }

  /** Writes the kind into an object without it, and the group as it is served where the object has the definition's. */
  #enveloped(object: unknown): object {
    const { kind, group, version } = this.#resource;
    const sent: { apiVersion?: unknown } = typeof object === 'object' && object !== null ? object : {};
    const own = sent.apiVersion === undefined || sent.apiVersion === joinGroup(group, version);
    return { kind, ...sent, ...(own ? { apiVersion: this.#apiVersion } : {}) };
  }
}

const joinGroup = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

/** The metadata of whatever is sent as an object. */
function metaOf(object: unknown): { readonly name?: string; readonly namespace?: string } {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return {};
  const { metadata } = object;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}
