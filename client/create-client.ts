/** Makes a typed client from a tree of resources, as generated code has it. */
import { bearing, type TokenSource } from './connection/bearer.js';
import { type Impersonation, impersonating } from './connection/impersonate.js';
import { limitingTime } from './connection/time-limit.js';
import { type RequestTracer, traced } from './connection/tracing.js';
import type { ResourceDescriptor, ResourceVerb } from './descriptor.js';
import type { FollowingClient } from './resource/follow-names.js';
import { RemoteResource, type ResourceClientParts } from './resource/remote-resource.js';
import type { DynamicClient, NamespacedClient, ResourceClient } from './resource/resource-client.js';
import { WriteObservers } from './resource/writes.js';
import { type RetryOptions, retrying } from './retry.js';
import { type FetchTransportOptions, fetchTransport, type Transport } from './transport.js';
import type { ApiObjectLike } from './types.js';

/** The address of the server, and how the client talks to it. */
export interface ClientOptions {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
  /** Instead of `baseUrl`: the result of `loadKubeconfig` of `kindforge/client/node`. */
  readonly kubeconfig?: ClientConnection;
  /** Sent as a bearer token, with `baseUrl`. A function is called before each request. */
  readonly token?: string | TokenSource;
  /** Sent with each request, with `baseUrl` or `kubeconfig`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of `baseUrl`: sends the requests. */
  readonly transport?: Transport;
  /** The user that all requests are made as, if the client has the right to impersonate. */
  readonly impersonate?: Impersonation;
  /** Ends requests that have no signal of their own. */
  readonly signal?: AbortSignal;
  /**
   * How long a request may take with its retries, in milliseconds. For a watch: how long until it starts. Default: no
   * limit.
   */
  readonly timeoutMs?: number;
  /** Called for each sent request. `openTelemetry` makes a tracer. */
  readonly tracing?: RequestTracer;
  readonly retry?: RetryOptions;
  /** Whether the server uses the names of the definitions, or the names that Kubernetes clients expect. */
  readonly naming?: 'platform' | 'kubernetes';
  /** Instead of `naming`: returns the name under which a group of the definitions is served. */
  readonly rename?: (group: string) => string;
  /** Called with each warning of the server. Default: warnings are ignored. */
  readonly onWarning?: (text: string) => void;
  /** Receives each write before it resolves. Clients that share this keep each other's caches up to date. */
  readonly writes?: WriteObservers;
}

/** A connection from a kubeconfig or a pod: the server's address, and in Node the transport. */
export interface ClientConnection extends FetchTransportOptions {
  /** Namespace of the context. */
  readonly namespace?: string;
  /** Used instead of a fetch. */
  readonly transport?: Transport;
  /** The user that requests are made as, if the options of a client do not name one. */
  readonly impersonate?: Impersonation;
}

/** Groups, their versions, and the resources in them. */
export type ResourceTree = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, ResourceDescriptor>>>>>
>;

/** A client with the groups, versions and resources of a tree. */
export type ClientOf<Tree> = {
  readonly [Group in keyof Tree]: {
    readonly [Version in keyof Tree[Group]]: {
      readonly [Resource in keyof Tree[Group][Version]]: ClientOfResource<Tree[Group][Version][Resource]>;
    };
  };
};

/** The client of a resource, with the methods that its verbs and scope allow. */
export type ClientOfResource<Resource> =
  Resource extends ResourceDescriptor<
    infer TObject,
    infer TApply,
    infer TScope,
    infer TSubresource,
    infer TStatus,
    infer TVerb,
    infer TFollowed
  >
    ? ('Namespaced' extends TScope
        ? NamespacedOnly<TObject, TApply, TSubresource, TVerb, TStatus>
        : Only<ResourceClient<TObject, TApply, TSubresource, TStatus>, TVerb>) &
        ([keyof TFollowed] extends [never] ? unknown : FollowingClient<TObject, TFollowed>)
    : never;

/** Makes the client. Throws if the options do not name a server. */
export function createClientFrom<Tree>(tree: Tree & ResourceTree, options: ClientOptions): ClientOf<Tree> {
  const parts = partsOf(options);
  const client = mapValues(tree, (versions) =>
    mapValues(versions, (resources) =>
      mapValues(resources, (resource) => new RemoteResource(parts, withObjects(resource))),
    ),
  );
  return bindTypes(client);
}

/** Makes the client of one resource, for callers that learn at run time which resources exist. */
export function createResourceClient<T extends ApiObjectLike, A, S extends string, TStatus = unknown>(
  resource: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S, TStatus>,
  options: ClientOptions,
): DynamicClient<T, A, S, TStatus> {
  return new RemoteResource(partsOf(options), resource);
}

/**
 * Makes the transport of clients with these options, for requests that no client has. It adds credentials and the
 * impersonated user, asks a `TokenSource` again after a 401, retries, and limits the time.
 */
export const openTransport = (options: ClientOptions): Transport =>
  ending(limitingTime(retrying(eachSent(options), options.retry), options.timeoutMs), options.signal);

/** Makes the parts that all clients with these options share. */
export function partsOf(options: ClientOptions): ResourceClientParts {
  return {
    transport: openTransport(options),
    groupOf: groupNames(options),
    writes: options.writes ?? new WriteObservers(),
    ...(options.onWarning === undefined ? {} : { onWarning: options.onWarning }),
  };
}

/** Ends requests without a signal of their own through another signal. */
const ending = (transport: Transport, signal: AbortSignal | undefined): Transport =>
  signal === undefined
    ? transport
    : { send: (request) => transport.send(request.signal === undefined ? { ...request, signal } : request) };

/** Changes a request each time before it is sent. */
function eachSent(options: ClientOptions): Transport {
  const plain = transportOf(options);
  const sent = options.tracing ? traced(plain, options.tracing) : plain;
  const who = options.impersonate ?? options.kubeconfig?.impersonate;
  return who ? impersonating(sent, who) : sent;
}

function groupNames({ naming = 'platform', rename }: ClientOptions): ResourceClientParts['groupOf'] {
  if (rename) return ({ group }) => rename(group);
  return ({ group, kubernetesGroup = group }) => (naming === 'kubernetes' ? kubernetesGroup : group);
}

/** Returns the transport that the options ask for. */
export function transportOf({ transport, baseUrl, kubeconfig, token, headers }: ClientOptions): Transport {
  if (transport) return transport;
  if (kubeconfig?.transport) return headers ? withHeaders(kubeconfig.transport, headers) : kubeconfig.transport;
  if (kubeconfig) return fetchTransport({ ...kubeconfig, headers: { ...kubeconfig.headers, ...headers } });
  if (baseUrl === undefined)
    throw new Error('createClient needs a baseUrl, as in { baseUrl: "http://127.0.0.1:8080" }');
  if (typeof token === 'function') return bearing(fetchTransport({ baseUrl, ...(headers ? { headers } : {}) }), token);
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetchTransport({ baseUrl, headers: { ...headers, ...authorization } });
}

const withHeaders = (transport: Transport, headers: Readonly<Record<string, string>>): Transport => ({
  send: (request) => transport.send({ ...request, headers: { ...headers, ...request.headers } }),
});

function mapValues<V, R>(record: Readonly<Record<string, V>>, map: (value: V) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Gives a resource the type of any object: all objects have the same envelope. */
const withObjects = (resource: ResourceDescriptor): ResourceDescriptor<ApiObjectLike, unknown> => ({
  group: resource.group,
  version: resource.version,
  plural: resource.plural,
  kind: resource.kind,
  scope: resource.scope,
  subresources: resource.subresources,
  ...(resource.kubernetesGroup === undefined ? {} : { kubernetesGroup: resource.kubernetesGroup }),
  ...(resource.follows === undefined ? {} : { follows: resource.follows }),
});

/** Adds types that only the compiler sees to a client that was built without types. Nothing else does so. */
function bindTypes<Typed>(client: unknown): Typed {
  return client as Typed;
}

/** The verb that each method needs. */
interface VerbOfMethod {
  readonly create: 'create';
  readonly update: 'update';
  readonly apply: 'patch';
  readonly patch: 'patch';
  readonly jsonPatch: 'patch';
  readonly get: 'get';
  readonly list: 'list';
  readonly pages: 'list';
  readonly each: 'list';
  readonly watch: 'watch';
  readonly table: 'list';
  readonly metadataOnly: 'list';
  readonly delete: 'delete';
  readonly deleteCollection: 'deletecollection';
}

/** Methods that need no verb, or a verb of the resource. */
type Allowed<Method, TVerb> = Method extends keyof VerbOfMethod
  ? VerbOfMethod[Method] extends TVerb
    ? Method
    : never
  : Method;

/** A client without the methods that the verbs of its resource do not allow. */
type Only<Client, TVerb extends ResourceVerb> = [ResourceVerb] extends [TVerb]
  ? Client
  : Pick<Client, Allowed<keyof Client, TVerb> & keyof Client>;

/** The same for a resource in namespaces. */
type NamespacedOnly<T, A, S extends string, TVerb extends ResourceVerb, TStatus> = [ResourceVerb] extends [TVerb]
  ? NamespacedClient<T, A, S, TStatus>
  : Omit<Only<NamespacedClient<T, A, S, TStatus>, TVerb>, 'in'> & {
      in(namespace: string): Only<ResourceClient<T, A, S, TStatus>, TVerb>;
    };

/** Calls `check` right before each request that is not a read. If `check` throws, the request is not sent. */
export function guardWrites(options: ClientOptions, check: () => void): ClientOptions {
  const transport = transportOf(options);
  return {
    ...options,
    transport: {
      send: async (request) => {
        if (request.method !== 'GET') check();
        return transport.send(request);
      },
    },
  };
}
