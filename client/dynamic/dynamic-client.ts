/** A client for any kind of a server. It reads the kinds at run time, from discovery and OpenAPI. */
import { type ClientOptions, createResourceClient, partsOf } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import { openRequest, type Requester } from '../requests.js';
import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RequestOptions,
  WatchOptions,
  WriteOptions,
} from '../resource/options.js';
import type { MergePatch } from '../resource/patch-types.js';
import type { DynamicClient, ResourceClient } from '../resource/resource-client.js';
import type { Table } from '../resource/subresource-types.js';
import { WriteObservers } from '../resource/writes.js';
import type { ApiObjectLike, Status } from '../types.js';
import {
  type AppliedManifest,
  type ApplyAllOptions,
  applyAll,
  type DeleteAllOptions,
  type DeletedManifest,
  deleteAll,
  type Manifests,
} from './apply-all.js';
import type { SchemaFinding } from './check-object.js';
import { KindCache } from './kind-cache.js';
import { type KindSchema, SchemaDocuments } from './schema-documents.js';
import { readTable, type TableEvent, type TablePlace, watchTable } from './table.js';
import type { DynamicObject, KindReference, ObjectReference, ServedKind, ServedKinds } from './types.js';

/** Options of the client: the options of all clients, and the default namespace. */
export interface DynamicClientOptions extends Omit<ClientOptions, 'naming' | 'rename'> {
  /** The namespace of objects that do not name one. Default: the namespace of the kubeconfig's context, or `default`. */
  readonly namespace?: string;
  /**
   * Whether `create`, `update` and `apply` check objects against the server's schema, and refuse to send invalid ones.
   */
  readonly check?: boolean;
}

/** All requests about one kind. */
export interface DynamicResource<T extends ApiObjectLike = DynamicObject> extends DynamicClient<T, T, string> {
  readonly kind: ServedKind;
  /** Reads objects as the table that the server shows to people. */
  table(options?: TablePlace & ListOptions): Promise<Table>;
  /** Yields changes as tables, until the server or the caller ends the watch. */
  watchTable(
    options?: TablePlace & Omit<WatchOptions, 'allowWatchBookmarks'>,
  ): AsyncGenerator<TableEvent, void, undefined>;
}

/**
 * A client for any kind. Requests throw an `UnknownKindError` if the server does not have the kind, an `ApiError` if it
 * refuses the request, and a `ConnectionError` if it does not answer.
 */
export interface DynamicApi {
  /** Returns every kind in every version. Asks the server once, and again if a kind is missing, or after `forget`. */
  kinds(options?: RequestOptions): Promise<ServedKinds>;
  /** Returns the kind that a reference names. */
  kind(reference: KindReference, options?: RequestOptions): Promise<ServedKind>;
  /** Returns the requests about a kind. The caller gives the type of its objects. */
  resource<T extends ApiObjectLike = DynamicObject>(
    reference: KindReference,
    options?: RequestOptions,
  ): Promise<DynamicResource<T>>;
  /** Reads the object that a reference names. */
  get(reference: ObjectReference, options?: GetOptions): Promise<DynamicObject>;
  /** Creates an object. Uses the default namespace if the object names none. */
  create(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject>;
  /** Replaces an object. With a resourceVersion in it, only if nobody has changed it since. */
  update(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject>;
  /** Merges a change into an object (RFC 7396). */
  patch(reference: ObjectReference, change: MergePatch<DynamicObject>, options?: WriteOptions): Promise<DynamicObject>;
  /** Applies the fields that the caller wants in an object (server-side apply). */
  apply(object: DynamicObject, options: ApplyOptions): Promise<DynamicObject>;
  /** Deletes the object that a reference names. Resolves to it, or to a Status, as the kind answers. */
  delete(reference: ObjectReference, options?: DeleteOptions): Promise<DynamicObject | Status>;
  /**
   * Applies manifests in an order that works, and waits for kinds that are defined among them. Continues after errors.
   * Rejects with a `ManifestError` and sends nothing if the text cannot be read.
   */
  applyAll(manifests: Manifests, options: ApplyAllOptions): Promise<AppliedManifest[]>;
  /** Deletes manifests in the opposite order. */
  deleteAll(manifests: Manifests, options?: DeleteAllOptions): Promise<DeletedManifest[]>;
  /** Reads a document as text, such as `/metrics`, or `/readyz?verbose`. */
  text(path: string, options?: RequestOptions): Promise<string>;
  /**
   * Returns the places in which an object does not fit the schema that the server publishes; nothing if the server has
   * no schema.
   */
  check(object: DynamicObject, options?: RequestOptions): Promise<SchemaFinding[]>;
  /**
   * Returns the schema of a kind as the server publishes it, with the schemas of its `$ref`s; `undefined` if the server
   * has none. Asks once for each version of a group, and again after the server has changed it.
   */
  schema(reference: KindReference, options?: RequestOptions): Promise<KindSchema | undefined>;
  /** Makes the next request read the kinds and schemas of the server again. */
  forget(): void;
}

/** Thrown instead of sending an object that does not fit the server's schema. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly findings: readonly SchemaFinding[];

  constructor({ kind, metadata }: ApiObjectLike, findings: readonly SchemaFinding[]) {
    const all = findings.map(({ path, message }) => `${path || 'the object'}: ${message}`).join('; ');
    super(`${kind} ${JSON.stringify(metadata.name ?? '')} does not fit the schema of the server: ${all}`);
    this.findings = findings;
  }
}

/** Makes the client without a request. Throws if the options do not name a server. */
export const dynamicClient = (options: DynamicClientOptions): DynamicApi => new AnyKind(options);

class AnyKind implements DynamicApi {
  readonly #options: ClientOptions;
  readonly #requester: Requester;
  readonly #namespace: string;
  readonly #checksFirst: boolean;
  readonly #kinds: KindCache;
  readonly #schemas: SchemaDocuments;

  constructor({ namespace, check = false, ...options }: DynamicClientOptions) {
    // Clients of all kinds keep each other's caches up to date.
    this.#options = { ...options, writes: options.writes ?? new WriteObservers() };
    this.#requester = partsOf(options);
    this.#namespace = namespace ?? options.kubeconfig?.namespace ?? 'default';
    this.#checksFirst = check;
    this.#kinds = new KindCache(this.#requester);
    this.#schemas = new SchemaDocuments(this.#requester);
  }

  kinds(options?: RequestOptions): Promise<ServedKinds> {
    return this.#kinds.all(options);
  }

  kind(reference: KindReference, options?: RequestOptions): Promise<ServedKind> {
    return this.#kinds.find(reference, options);
  }

  async resource<T extends ApiObjectLike>(
    reference: KindReference,
    options?: RequestOptions,
  ): Promise<DynamicResource<T>> {
    const kind = await this.kind(reference, options);
    return Object.assign(createResourceClient<T, T, string>(typed<T>(kind), this.#options), {
      kind,
      table: (shown?: TablePlace & ListOptions) => readTable(this.#requester, kind, shown),
      watchTable: (shown?: TablePlace & WatchOptions) => watchTable(this.#requester, kind, shown),
    });
  }

  async get(reference: ObjectReference, options?: GetOptions): Promise<DynamicObject> {
    return (await this.#at(reference, options)).get(nameOf(reference), options);
  }

  async create(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject> {
    const client = await this.#checked(object, options);
    return client.create(object, options);
  }

  async update(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject> {
    const client = await this.#checked(object, options);
    return client.update(object, options);
  }

  async patch(
    reference: ObjectReference,
    change: MergePatch<DynamicObject>,
    options?: WriteOptions,
  ): Promise<DynamicObject> {
    return (await this.#at(reference, options)).patch(nameOf(reference), change, options);
  }

  async apply(object: DynamicObject, options: ApplyOptions): Promise<DynamicObject> {
    const client = await this.#checked(object, options);
    return client.apply(object, options);
  }

  async delete(reference: ObjectReference, options?: DeleteOptions): Promise<DynamicObject | Status> {
    return (await this.#at(reference, options)).delete(nameOf(reference), options);
  }

  applyAll(manifests: Manifests, options: ApplyAllOptions): Promise<AppliedManifest[]> {
    return applyAll(this, manifests, options);
  }

  deleteAll(manifests: Manifests, options?: DeleteAllOptions): Promise<DeletedManifest[]> {
    return deleteAll(this, manifests, options);
  }

  async text(path: string, options: RequestOptions = {}): Promise<string> {
    const answer = await openRequest(this.#requester, { ...options, method: 'GET', path, accept: '*/*' });
    return answer.text();
  }

  async check(object: DynamicObject, options?: RequestOptions): Promise<SchemaFinding[]> {
    const { apiVersion, kind } = object;
    const schema = await this.schema({ apiVersion, kind }, options);
    if (schema === undefined) return [];
    // The schema engine is several times the size of the client, so only callers that check load it.
    const { checkAgainst } = await import('./check-object.js');
    return checkAgainst(object, schema);
  }

  async schema(reference: KindReference, options?: RequestOptions): Promise<KindSchema | undefined> {
    return this.#schemas.schemaOf(await this.kind(reference, options), options);
  }

  forget(): void {
    this.#kinds.forget();
    this.#schemas.forget();
  }

  /** Returns the client for the kind and namespace of an object. */
  async #at(
    { apiVersion, kind, metadata }: ObjectReference,
    options?: RequestOptions,
  ): Promise<ResourceClient<DynamicObject, DynamicObject, string>> {
    const found = await this.#kinds.find({ apiVersion, kind }, options);
    const client = createResourceClient<DynamicObject, DynamicObject, string>(typed(found), this.#options);
    return client.in(metadata.namespace ?? this.#namespace);
  }

  async #checked(
    object: DynamicObject,
    options?: RequestOptions,
  ): Promise<ResourceClient<DynamicObject, DynamicObject, string>> {
    const client = await this.#at(object, options);
    const findings = this.#checksFirst ? await this.check(object, options) : [];
    if (findings.length > 0) throw new SchemaError(object, findings);
    return client;
  }
}

const nameOf = ({ metadata }: ObjectReference): string => metadata.name ?? '';

/** Adds the type of the objects, which only the caller knows. */
const typed = <T>({
  group,
  version,
  plural,
  kind,
  scope,
  subresources,
}: ServedKind): ResourceDescriptor<T, T, 'Cluster' | 'Namespaced', string> => ({
  group,
  version,
  plural,
  kind,
  scope,
  subresources,
});
