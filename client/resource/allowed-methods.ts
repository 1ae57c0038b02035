/** Which methods a client has, by the verbs that its resource has. */
import type { ResourceVerb } from '../descriptor.js';
import type { NamespacedClient, ResourceClient } from './resource-client.js';

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

/** Methods that need none of the verbs, or one that is there. */
type Allowed<Method, TVerb> = Method extends keyof VerbOfMethod
  ? VerbOfMethod[Method] extends TVerb
    ? Method
    : never
  : Method;

/** A client without the methods that no verb of its resource allows. */
export type Only<Client, TVerb extends ResourceVerb> = [ResourceVerb] extends [TVerb]
  ? Client
  : Pick<Client, Allowed<keyof Client, TVerb> & keyof Client>;

/** The same for a resource whose objects live in namespaces. */
export type NamespacedOnly<T, A, S extends string, TVerb extends ResourceVerb, TStatus> = [ResourceVerb] extends [TVerb]
  ? NamespacedClient<T, A, S, TStatus>
  : Omit<Only<NamespacedClient<T, A, S, TStatus>, TVerb>, 'in'> & {
      in(namespace: string): Only<ResourceClient<T, A, S, TStatus>, TVerb>;
    };
