/** A client for any kind that a server has, told at run time by discovery and OpenAPI. */
import { type ClientOptions, createResourceClient, partsOf } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import type { Requester } from '../requests.js';
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
import { SchemaDocuments } from './schema-documents.js';
import { readTable, type TableEvent, type TablePlace, watchTable } from './table.js';
import type { DynamicObject, KindReference, ObjectReference, ServedKind, ServedKinds } from './types.js';

/** Options of the client: those of all clients, and where objects belong that do not say so. */
export interface DynamicClientOptions extends Omit<ClientOptions, 'naming' | 'rename'> {
  /** For objects of namespaced kinds that name none: that of the kubeconfig's context, or `default`, where not given. */
  readonly namespace?: string;
  /**
   * Whether `create`, `update` and `apply` hold objects against the server's schema first, and send none that does not
   * fit.
   */
  readonly check?: boolean;
}

/** All requests about one kind. */
export interface DynamicResource<T extends ApiObjectLike = DynamicObject> extends DynamicClient<T, T, string> {
  readonly kind: ServedKind;
  /** Objects as the server shows them to people. */
  table(options?: TablePlace & ListOptions): Promise<Table>;
  /** Changes in the same form, until the server or the caller ends it. */
  watchTable(
    options?: TablePlace & Omit<WatchOptions, 'allowWatchBookmarks'>,
  ): AsyncGenerator<TableEvent, void, undefined>;
}

/**
 * A client for any kind. Requests throw `UnknownKindError` where the server does not have the kind, `ApiError` where it
 * refuses, and `ConnectionError` where there is no answer.
 */
export interface DynamicApi {
  /** Every kind in every version; asked for once, until a kind is not among them or `forget` is called. */
  kinds(options?: RequestOptions): Promise<ServedKinds>;
  /** The kind that a reference names. */
  kind(reference: KindReference, options?: RequestOptions): Promise<ServedKind>;
  /** The requests about a kind; its objects have the type that the caller knows. */
  resource<T extends ApiObjectLike = DynamicObject>(
    reference: KindReference,
    options?: RequestOptions,
  ): Promise<DynamicResource<T>>;
  /** Reads the object that a reference names. */
  get(reference: ObjectReference, options?: GetOptions): Promise<DynamicObject>;
  /** Makes an object. */
  create(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject>;
  /** Replaces an object; with a resourceVersion in it only if nobody changed it since. */
  update(object: DynamicObject, options?: WriteOptions): Promise<DynamicObject>;
  /** Merges a change into an object (RFC 7396). */
  patch(reference: ObjectReference, change: MergePatch<DynamicObject>, options?: WriteOptions): Promise<DynamicObject>;
  /** States what the caller wants of an object (server-side apply). */
  apply(object: DynamicObject, options: ApplyOptions): Promise<DynamicObject>;
  /** Deletes the object that a reference names; resolves to it, or to a Status, as the kind has it. */
  delete(reference: ObjectReference, options?: DeleteOptions): Promise<DynamicObject | Status>;
  /**
   * Applies manifests in an order that works, and waits for kinds that are defined among them. An error of one does not keep
   * the others from being applied. Rejects with `ManifestError` before anything is sent where the text cannot be read.
   */
  applyAll(manifests: Manifests, options: ApplyAllOptions): Promise<AppliedManifest[]>;
  /** Deletes manifests in the opposite order. */
  deleteAll(manifests: Manifests, options?: DeleteAllOptions): Promise<DeletedManifest[]>;
  /** Where an object does not fit the schema that the server publishes; nothing where it publishes none. */
  check(object: DynamicObject, options?: RequestOptions): Promise<SchemaFinding[]>;
  /** Has the next request ask the server anew for its kinds and schemas. */
  forget(): void;
}

/** An object that does not fit the server's schema, and has not been sent. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly findings: readonly SchemaFinding[];

  constructor({ kind, metadata }: ApiObjectLike, findings: readonly SchemaFinding[]) {
    const all = findings.map(({ path, message }) => `${path || 'the object'}: ${message}`).join('; ');
    super(`${kind} ${JSON.stringify(metadata.name ?? '')} does not fit the schema of the server: ${all}`);
    this.findings = findings;
  }
}

/** Makes the client; nothing is asked for yet. Throws where the options do not say where the server is. */
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

  async check(object: DynamicObject, options?: RequestOptions): Promise<SchemaFinding[]> {
    const { apiVersion, kind } = object;
    const schema = await this.#schemas.schemaOf(await this.#kinds.find({ apiVersion, kind }, options), options);
    if (schema === undefined) return [];
    // The schema engine is several times the size of the client: only those who check load it.
    const { checkAgainst } = await import('./check-object.js');
    return checkAgainst(object, schema);
  }

  forget(): void {
    this.#kinds.forget();
    this.#schemas.forget();
  }

  /** The requests about objects where this one belongs. */
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

/** Only the caller knows the type of the objects. */
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
