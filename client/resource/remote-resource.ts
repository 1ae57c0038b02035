/** The client of a resource: each method is one request, or a loop over some. */
import { toApplyError } from '../conflicts.js';
import type { ResourceDescriptor } from '../descriptor.js';
import { ApiError, isGone } from '../errors.js';
import { extract } from '../extract.js';
import { type ObjectRequest, openRequest, type Parameters, type Requester, requestObject } from '../requests.js';
import { streamsLists } from '../streams-lists.js';
import type { TransportResponse } from '../transport.js';
import type { ApiObjectLike, ListOf, ObjectEvent, Status, WatchEvent } from '../types.js';
import { readWatch } from '../watch.js';
import { followNames } from './follow-names.js';
import { forms } from './formats.js';
import type { NewObject } from './new-object.js';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  TableOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import { applyParts, deleteCollectionParts, deleteParts, optionParts, writeParts } from './parameters.js';
import type { JsonPatchOperation, MergePatch } from './patch-types.js';
import { type Paths, pathsOf } from './paths.js';
import { applyType, jsonPatchType, mergePatchType, type Owner, RemoteSubresource } from './remote-subresource.js';
import type { CollectionClient, DynamicClient, EventsOf, ResourceClient } from './resource-client.js';
import type { SubresourceOf } from './subresource-client.js';
import type { PartialObject, Table } from './subresource-types.js';
import type { Write, WriteObserver, WriteObservers } from './writes.js';

/** Everything that resource clients of one client share. */
export interface ResourceClientParts extends Requester {
  /** Returns the name under which a resource's group is served. */
  readonly groupOf: (resource: ResourceDescriptor) => string;
  readonly writes: WriteObservers;
}

/** Objects per chunk by default. */
const pageSize = 500;

/** The number of remembered clients of namespaces, because a long-running program may see many namespaces. */
const maxPlaced = 100;

type Scope = 'Cluster' | 'Namespaced';

/** All methods are async, so that a missing name rejects as a refused request does. */
export class RemoteResource<T extends ApiObjectLike, A, S extends string, TStatus>
  implements DynamicClient<T, A, S, TStatus>
{
  readonly #parts: ResourceClientParts;
  readonly #resource: ResourceDescriptor<T, A, Scope, S, TStatus>;
  readonly #namespace: string | undefined;
  readonly #onlyMetadata: boolean;
  readonly #paths: Paths;
  readonly #apiVersion: string;
  /** The clients of namespaces. A page that asks again gets the same client, and so the same objects. */
  readonly #placed = new Map<string, ResourceClient<T, A, S, TStatus>>();
  /** The name of the resource for observers of writes. */
  readonly #observedAs: string;

  /** Binds the client to a namespace if one is given. */
  constructor(
    parts: ResourceClientParts,
    resource: ResourceDescriptor<T, A, Scope, S, TStatus>,
    namespace?: string,
    onlyMetadata = false,
  ) {
    const group = parts.groupOf(resource);
    this.#parts = parts;
    this.#resource = resource;
    this.#namespace = namespace;
    this.#onlyMetadata = onlyMetadata;
    this.#paths = pathsOf(resource, group);
    this.#apiVersion = joinGroup(group, resource.version);
    this.#observedAs = `${group}/${resource.plural}`;
  }

  in(namespace: string): ResourceClient<T, A, S, TStatus> {
    const known = this.#placed.get(namespace);
    if (known) return known;
    if (this.#placed.size >= maxPlaced) this.#placed.clear();
    const client = new RemoteResource(this.#parts, this.#resource, namespace);
    this.#placed.set(namespace, client);
    return client;
  }

  async create(object: NewObject<T>, options?: WriteOptions): Promise<T> {
    const path = this.#paths.place(this.#namespace ?? metaOf(object).namespace);
    return this.#write({ method: 'POST', path, body: this.#enveloped(object), ...writeParts(options) }, options);
  }

  async get(name: string, options?: GetOptions): Promise<T> {
    return this.#send({ method: 'GET', path: this.#pathTo(name), ...optionParts(options) });
  }

  async update(object: T, options?: WriteOptions): Promise<T> {
    const path = this.#pathOf(object);
    return this.#write({ method: 'PUT', path, body: this.#enveloped(object), ...writeParts(options) }, options);
  }

  async patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T> {
    return this.#patch(name, mergePatchType, change, options);
  }

  async jsonPatch(name: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): Promise<T> {
    return this.#patch(name, jsonPatchType, operations, options);
  }

  async apply(configuration: NewObject<A>, options: ApplyOptions): Promise<T> {
    const path = this.#pathOf(configuration);
    const body = this.#enveloped(configuration);
    return this.#write({ method: 'PATCH', path, body, contentType: applyType, ...applyParts(options) }, options);
  }

  follow(object: T): Readonly<Record<string, () => Promise<unknown>>> {
    return followNames(
      object,
      this.#resource.follows ?? {},
      (target, namespace) =>
        new RemoteResource<ApiObjectLike, unknown, string, unknown>(this.#parts, target, namespace),
    );
  }

  extract(object: T, manager: string): A {
    return extract<A>(object, manager);
  }

  async delete(name: string, options?: DeleteOptions): Promise<T | Status> {
    const answer = await this.#send<T | Status>({
      method: 'DELETE',
      path: this.#pathTo(name),
      ...deleteParts(options),
    });
    await this.#tell({ kind: 'delete', name }, options);
    return answer;
  }

  async deleteCollection(options?: ListOptions & DeleteOptions): Promise<Status> {
    const path = this.#paths.place(this.#namespace);
    const answer = await this.#send<Status>({ method: 'DELETE', path, ...deleteCollectionParts(options) });
    await this.#tell({ kind: 'deletecollection' }, options);
    return answer;
  }

  async list(options?: ListOptions): Promise<ListOf<T>> {
    const path = this.#paths.collection(this.#namespace);
    const accept = this.#onlyMetadata ? { accept: forms.metadataList } : {};
    const list = await this.#send<ListOf<T>>({ method: 'GET', path, ...accept, ...optionParts(options) });
    // Empty lists of metadata have null.
    list.items ??= [];
    // Servers leave out of items the fields that the list already has.
    for (const item of list.items) {
      item.apiVersion ??= list.apiVersion;
      item.kind ??= this.#resource.kind;
    }
    return list;
  }

  async *pages(given: PageOptions = {}): AsyncGenerator<ListOf<T>, void, undefined> {
    const { limit = pageSize, whenExpired = 'fail', ...options } = given;
    // The token of a chunk contains the revision. Sending both is an error.
    const { resourceVersion: _revision, resourceVersionMatch: _match, ...later } = options;
    const first = { ...options, limit };
    let hasRestarted = false;
    for (let next: ListOptions | undefined = first; next; ) {
      let page: ListOf<T>;
      try {
        page = await this.list(next);
      } catch (error) {
        if (whenExpired === 'fail' || !next.continue || !isGone(error)) throw error;
        const { continue: token } = error.status.metadata;
        if (whenExpired === 'rest' && !token) throw error;
        next = whenExpired === 'rest' ? { ...later, continue: token } : hasRestarted ? options : first;
        hasRestarted = true;
        continue;
      }
      yield page;
      const { continue: token } = page.metadata;
      next = token ? { ...later, limit, continue: token } : undefined;
    }
  }

  async *each(options?: PageOptions): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  watch(options?: WatchOptions & { readonly allowWatchBookmarks?: false }): EventsOf<ObjectEvent<T>>;
  watch(options: WatchOptions): EventsOf<WatchEvent<T>>;
  watch(options: WatchOptions = {}): EventsOf<WatchEvent<T>> {
    const { allowWatchBookmarks = false, onOpen, ...others } = options;
    const { parameters, ...rest } = optionParts(others);
    const open = async (from?: Parameters): Promise<TransportResponse> => {
      const response = await openRequest(this.#parts, {
        method: 'GET',
        path: this.#paths.collection(this.#namespace),
        ...(this.#onlyMetadata ? { accept: forms.metadata } : {}),
        // Always requests bookmarks: they show that a quiet connection is not dead.
        parameters: { ...parameters, ...from, watch: true, allowWatchBookmarks: true },
        ...rest,
      }).catch((error: unknown) => this.#explain(error));
      onOpen?.();
      return response;
    };
    return readWatch<T>(open, allowWatchBookmarks);
  }

  streamsLists(): Promise<boolean> {
    return streamsLists(this.#parts);
  }

  async table(options?: TableOptions): Promise<Table> {
    const path = this.#paths.collection(this.#namespace);
    const table = await this.#send<Table>({ method: 'GET', path, accept: forms.table, ...optionParts(options) });
    return { ...table, rows: table.rows ?? [] };
  }

  metadataOnly(): Pick<
    CollectionClient<PartialObject, unknown>,
    'list' | 'pages' | 'each' | 'watch' | 'onWrite' | 'streamsLists'
  > {
    const { types: _types, ...resource } = this.#resource;
    return new RemoteResource<PartialObject, unknown, S, unknown>(this.#parts, resource, this.#namespace, true);
  }

  onWrite(observer: WriteObserver): () => void {
    return this.#parts.writes.observe(this.#observedAs, (write) => {
      if (this.#namespace !== undefined && (write.namespace ?? this.#namespace) !== this.#namespace) return;
      const { object, ...told } = write;
      if (object === undefined || write.apiVersion !== this.#apiVersion) return observer(told);
      return observer(this.#onlyMetadata ? { ...told, object: this.#partOf(object) } : write);
    });
  }

  subresource<Name extends S>(name: Name): SubresourceOf<T, A, TStatus, Name>;
  subresource(subresource: string): unknown {
    const owner: Owner = {
      pathTo: (name) => this.#pathTo(name, subresource),
      pathOf: (object) => this.#pathOf(object, subresource),
      enveloped: (object) => this.#enveloped(object),
      read: (request) => this.#send(request),
      write: (request, options, name) => this.#write(request, options, name),
    };
    return new RemoteSubresource(owner, subresource);
  }

  #send<R>(request: ObjectRequest): Promise<R> {
    return requestObject<R>(this.#parts, request).catch((error: unknown) => this.#explain(error));
  }

  /** Throws an error again. A group that is not served (a 404 without a Status) may be served under its other name. */
  #explain(error: unknown): never {
    const { group, kubernetesGroup = group } = this.#resource;
    if (!(error instanceof ApiError) || error.code !== 404 || error.reason !== '' || group === kubernetesGroup) {
      throw error;
    }
    const [served, naming] =
      this.#parts.groupOf(this.#resource) === group ? [group, 'kubernetes'] : [kubernetesGroup, 'platform'];
    const message = `${error.message}: the server has no group ${served}; if it has the other names, create the client with naming: '${naming}'`;
    throw new ApiError(404, { ...error.status, message });
  }

  #patch(name: string, contentType: string, body: unknown, options?: WriteOptions): Promise<T> {
    return this.#write(
      { method: 'PATCH', path: this.#pathTo(name), body, contentType, ...writeParts(options) },
      options,
    );
  }

  /** Sends a write, and resolves once the observers of the resource know it. */
  async #write<R>(request: ObjectRequest, options: { readonly dryRun?: boolean } = {}, name?: string): Promise<R> {
    const answer = await this.#send<R>(request).catch((error: unknown) => {
      throw request.contentType === applyType ? toApplyError(error) : error;
    });
    if (this.#parts.writes.has(this.#observedAs)) await this.#tell(writeOf(this.#resource.kind, answer, name), options);
    return answer;
  }

  async #tell(write: Omit<Write, 'apiVersion'>, options: { readonly dryRun?: boolean } = {}): Promise<void> {
    if (options.dryRun || !this.#parts.writes.has(this.#observedAs)) return;
    const isBound = this.#namespace !== undefined && this.#resource.scope === 'Namespaced';
    const namespace = isBound ? { namespace: this.#namespace } : {};
    await this.#parts.writes.notify(this.#observedAs, { ...namespace, ...write, apiVersion: this.#apiVersion });
  }

  /** Returns the metadata of an object, in the form of lists and watches of metadata. */
  #partOf({ metadata }: ApiObjectLike): PartialObject {
    const group = this.#parts.groupOf({ ...this.#resource, group: 'meta.platform.io', kubernetesGroup: 'meta.k8s.io' });
    return { kind: 'PartialObjectMetadata', apiVersion: `${group}/v1`, metadata };
  }

  #pathTo(name: string, subresource?: string): string {
    return this.#paths.object(this.#namespace, name, subresource);
  }

  /** Returns the path of an object by its metadata. The namespace of this client takes precedence. */
  #pathOf(object: unknown, subresource?: string): string {
    const { name, namespace } = metaOf(object);
    return this.#paths.object(this.#namespace ?? namespace, name, subresource);
  }

  /** Adds the kind if it is missing, and replaces the definition's group by the one that is served. */
  #enveloped(object: unknown): object {
    const { kind, group, version } = this.#resource;
    const sent: { apiVersion?: unknown } = typeof object === 'object' && object !== null ? object : {};
    const own = sent.apiVersion === undefined || sent.apiVersion === joinGroup(group, version);
    return { kind, ...sent, ...(own ? { apiVersion: this.#apiVersion } : {}) };
  }
}

const joinGroup = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

/** Returns the metadata of any value. */
function metaOf(object: unknown): { readonly name?: string; readonly namespace?: string } {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return {};
  const { metadata } = object;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}

/** Returns whether an answer is an object of a kind, as it is stored. */
const isObjectOf = (kind: string, answer: unknown): answer is ApiObjectLike =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  answer.kind === kind &&
  'resourceVersion' in metaOf(answer);

/** Describes a write by its answer. The answer of a subresource may be of another kind, and have no name. */
function writeOf(kind: string, answer: unknown, nameOfPath: string | undefined): Omit<Write, 'apiVersion'> {
  const { name = nameOfPath, namespace } = metaOf(answer);
  return {
    kind: 'write',
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(isObjectOf(kind, answer) ? { object: answer } : {}),
  };
}
