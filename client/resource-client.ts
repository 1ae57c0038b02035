/** The typed client of one resource. */
import type { ResourceDescriptor } from './descriptor.js';
import { type Place, pathOf } from './paths.js';
import { type ObjectRequest, openRequest, type Requester, requestObject } from './requests.js';
import type { ApiObjectLike, ListOf, Status, WatchEvent } from './types.js';
import { readWatch } from './watch.js';

/** Options that every request takes. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** Options of writes. */
export interface WriteOptions extends RequestOptions {
  /** Goes through every stage but storing. */
  readonly dryRun?: boolean;
  /** Who will own the fields that change; the client's name where not given. */
  readonly fieldManager?: string;
  /** What becomes of unknown fields: a warning by default. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Options of reads of collections. */
export interface ListOptions extends RequestOptions {
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string;
  /** As in `metadata.name=web`. */
  readonly fieldSelector?: string;
  /** Objects per chunk; all at once where not given. */
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Options of watches. */
export interface WatchOptions extends RequestOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Where to start; the present state comes first where not given. */
  readonly resourceVersion?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
}

/** Options of deletes. */
export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Options of applies. */
export interface ApplyOptions extends Omit<WriteOptions, 'fieldManager'> {
  readonly fieldManager: string;
  /** Takes over fields that others own with other values. */
  readonly force?: boolean;
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string };

/** Requests about the objects of one resource. All throw `ApiError` when the server refuses. */
export interface ResourceClient<T, A, S extends string> {
  create(object: NewObject<T>, options?: WriteOptions): Promise<T>;
  get(name: string, options?: RequestOptions & { readonly resourceVersion?: string }): Promise<T>;
  /** One list; a chunk of it where `limit` is given. */
  list(options?: ListOptions): Promise<ListOf<T>>;
  /** Chunk after chunk of a consistent list. */
  pages(options?: ListOptions): AsyncGenerator<ListOf<T>>;
  /** Object after object of a consistent list that is read in chunks. */
  each(options?: ListOptions): AsyncGenerator<T>;
  /** Replaces an object; with a resourceVersion in it only if nobody changed it since. */
  update(object: T, options?: WriteOptions): Promise<T>;
  /** Merges a change into an object (RFC 7396). */
  patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T>;
  /** Changes an object by operations (RFC 6902), all or none. */
  jsonPatch(name: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): Promise<T>;
  /** States what the caller wants of an object and lets the server merge it (server-side apply). */
  apply(configuration: A, options: ApplyOptions): Promise<T>;
  /** Deletes an object; resolves to it, or to a Status, as the kind has it. */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes what a list with the same selectors shows. */
  deleteCollection(options?: ListOptions & DeleteOptions): Promise<Status>;
  /** Changes as they happen, until the server or the caller ends it. */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent<T>>;
  /** Requests about a part of the object with rights of its own. */
  subresource(name: S): SubresourceClient<T>;
}

/** Requests about a subresource. */
export interface SubresourceClient<T> {
  get(name: string, options?: RequestOptions): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(name: string, change: MergePatch<T>, options?: WriteOptions): Promise<T>;
}

/** A resource whose objects live in namespaces: `in` says which; without it lists and watches go across all. */
export interface NamespacedClient<T, A, S extends string> extends ResourceClient<T, A, S> {
  in(namespace: string): ResourceClient<T, A, S>;
}

/** An object to be created: what says its kind may be left out. */
export type NewObject<T> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, Extract<keyof T, 'apiVersion' | 'kind'>>>;

/** A merge patch of a type: every part optional, null removes. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<NonNullable<T[K]>> | null }
    : T;

/** What clients of resources are made with. */
export interface ResourceClientParts extends Requester {
  readonly rename: (group: string) => string;
}

/** Makes the client of a resource, bound to a namespace where one is given. */
export function resourceClient<T extends ApiObjectLike, A, S extends string>(
  parts: ResourceClientParts,
  resource: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S>,
  boundNamespace?: string,
): NamespacedClient<T, A, S> {
  const apiVersion = resource.group === '' ? resource.version : `${parts.rename(resource.group)}/${resource.version}`;
  const path = (place: Place = {}): string => pathOf(resource, { namespace: boundNamespace, ...place }, parts.rename);
  const placeOf = (meta: { name?: string; namespace?: string } | undefined, subresource?: string): string =>
    path({
      ...(meta?.namespace === undefined ? {} : { namespace: meta.namespace }),
      ...(meta?.name === undefined ? {} : { name: meta.name }),
      ...(subresource === undefined ? {} : { subresource }),
    });
  const send = <R>(request: ObjectRequest): Promise<R> => requestObject<R>(parts, request);
  const list = (options: ListOptions = {}): Promise<ListOf<T>> =>
    send({ method: 'GET', path: path(), ...split(options) });

  async function* pages(options: ListOptions = {}): AsyncGenerator<ListOf<T>> {
    let next = options.continue;
    do {
      const page: ListOf<T> = await list({
        ...options,
        limit: options.limit ?? 500,
        ...(next === undefined ? {} : { continue: next }),
      });
      yield page;
      next = page.metadata.continue;
    } while (next);
  }

  async function* each(options: ListOptions = {}): AsyncGenerator<T> {
    for await (const page of pages(options)) yield* page.items;
  }

  async function* watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const { signal, ...parameters } = options;
    const response = await openRequest(parts, {
      method: 'GET',
      path: path(),
      parameters: { ...parameters, watch: true },
      ...(signal === undefined ? {} : { signal }),
    });
    yield* readWatch<T>(response);
  }

  return {
    in: (namespace) => resourceClient(parts, resource, namespace),
    create: (object, options) => {
      const { namespace } = object.metadata;
      const body = { apiVersion, kind: resource.kind, ...object };
      return send({
        method: 'POST',
        path: path(namespace === undefined ? {} : { namespace }),
        body,
        ...writeParts(options),
      });
    },
    get: (name, options = {}) => send({ method: 'GET', path: path({ name }), ...split(options) }),
    list,
    pages,
    each,
    watch,
    update: (object, options) =>
      send({ method: 'PUT', path: placeOf(object.metadata), body: object, ...writeParts(options) }),
    patch: (name, change, options) =>
      send({
        method: 'PATCH',
        path: path({ name }),
        body: change,
        contentType: mergePatchType,
        ...writeParts(options),
      }),
    jsonPatch: (name, operations, options) =>
      send({
        method: 'PATCH',
        path: path({ name }),
        body: operations,
        contentType: jsonPatchType,
        ...writeParts(options),
      }),
    apply: (configuration, { force, ...options }) => {
      const write = writeParts(options);
      const parameters = { ...write.parameters, ...(force === undefined ? {} : { force }) };
      const body = { apiVersion, kind: resource.kind, ...configuration };
      return send({
        method: 'PATCH',
        path: placeOf(metaOf(configuration)),
        body,
        contentType: applyType,
        ...write,
        parameters,
      });
    },
    delete: (name, options) => send({ method: 'DELETE', path: path({ name }), ...deleteParts(options) }),
    deleteCollection: ({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions, ...selection } = {}) => {
      const options = { dryRun, gracePeriodSeconds, propagationPolicy, preconditions };
      const { body } = deleteParts(options);
      return send({ method: 'DELETE', path: path(), ...split(selection), ...(body === undefined ? {} : { body }) });
    },
    subresource: (subresource) => ({
      get: (name, options = {}) => send({ method: 'GET', path: path({ name, subresource }), ...split(options) }),
      update: (object, options) =>
        send({ method: 'PUT', path: placeOf(object.metadata, subresource), body: object, ...writeParts(options) }),
      patch: (name, change, options) =>
        send({
          method: 'PATCH',
          path: path({ name, subresource }),
          body: change,
          contentType: mergePatchType,
          ...writeParts(options),
        }),
    }),
  };
}

const mergePatchType = 'application/merge-patch+json';
const jsonPatchType = 'application/json-patch+json';
const applyType = 'application/apply-patch+yaml';

/** Options as query parameters, the signal aside. */
function split({ signal, ...parameters }: RequestOptions): Pick<ObjectRequest, 'parameters' | 'signal'> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') known[name] = value;
  }
  return { parameters: known, ...(signal === undefined ? {} : { signal }) };
}

function writeParts({ dryRun, ...options }: WriteOptions = {}): Pick<ObjectRequest, 'parameters' | 'signal'> {
  const parts = split({ ...options });
  return dryRun ? { ...parts, parameters: { ...parts.parameters, dryRun: 'All' } } : parts;
}

function deleteParts(
  options: Partial<DeleteOptions> | { [K in keyof DeleteOptions]: DeleteOptions[K] | undefined } = {},
): Pick<ObjectRequest, 'body' | 'signal'> {
  const { signal, dryRun, ...rest } = options;
  const body = { ...rest, ...(dryRun ? { dryRun: ['All'] } : {}) };
  const asked = Object.values(body).some((value) => value !== undefined);
  return {
    ...(asked ? { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...body } } : {}),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Metadata of an apply configuration, which always has a name. */
function metaOf(configuration: unknown): { name?: string; namespace?: string } | undefined {
  if (typeof configuration !== 'object' || configuration === null || !('metadata' in configuration)) return undefined;
  const { metadata } = configuration;
  return typeof metadata === 'object' && metadata !== null ? metadata : undefined;
}
