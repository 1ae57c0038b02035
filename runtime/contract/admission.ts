/** The extension point between decoding and commit: plugins that change or refuse writes. */
import type { PluginConfiguration } from './admission-configuration.js';
import type { UserInfo } from './authenticator.js';
import type { AccessAttributes, AccessDecision, AuthorizationAttributes } from './authorizer.js';
import type { Failure, Result } from './failure.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ApiObject } from './object.js';
import type { ObjectAccess, ObjectPlace } from './object-access.js';
import type { Observer } from './observer.js';
import type { ResourceModule } from './resource.js';
import type { Subscription } from './store.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write as plugins see it. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: ResourceModule;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty where the server is still to generate it. */
  readonly name: string;
  /** The name in the path; absent for a create whose body alone says it. */
  readonly pathName?: string;
  /**
   * The new object, absent for DELETE; mutating plugins change it in place, but for the entries of `managedFields`. For
   * CONNECT it is the options of the connection, as in `PodExecOptions`, whose metadata is empty.
   */
  readonly object?: ApiObject;
  /** The stored object, absent for CREATE. */
  readonly oldObject?: ApiObject;
  readonly options: JsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The pass of mutating plugins over this write; absent where none mutates. */
  readonly pass?: AdmissionPass;
}

/** A pass of mutating plugins over a write. There is one, and a second where a plugin asks for it in the first. */
export interface AdmissionPass {
  readonly isSecond: boolean;
  /** Has all mutating plugins run once more, as the object is another one than earlier ones have seen. */
  again(): void;
}

/** The questions that a plugin may ask the server during a request. */
export interface AdmissionContext {
  /** Reads a stored object by group, resource, namespace (empty: cluster) and name; it is frozen. */
  readonly get: (group: string, resource: string, namespace: string, name: string) => ApiObject | undefined;
  /** The stored objects of a resource in a namespace (empty: of the cluster), each read as it is asked for; frozen. */
  readonly list: (group: string, resource: string, namespace: string) => Iterable<ApiObject>;
  /**
   * Has the server make a check of a stored object again, should that change before the object of a create is stored:
   * the create is then refused by what the check says.
   */
  readonly rely: (place: ObjectPlace, check: () => Failure | undefined) => void;
  /** Whether the user may do this. */
  readonly authorize: (attributes: AuthorizationAttributes) => boolean | Promise<boolean>;
  /** Asks the authorizer, and learns why. */
  readonly decide: (attributes: AccessAttributes) => AccessDecision | Promise<AccessDecision>;
  /**
   * A copy of an object in another version of its kind; `undefined` where there is no such version, and a failure
   * where a webhook that has to be asked does not convert it.
   */
  readonly convert: (
    object: ApiObject,
    apiVersion: string,
  ) => Result<ApiObject> | undefined | Promise<Result<ApiObject>>;
  /**
   * Makes an object of the kind and version that a value says it is: checks types, and fills in defaults. Unknown fields
   * are dropped; those of custom resources once validating admission has seen them. The value is changed in place. The
   * failure says in the decoder's words what is wrong.
   */
  readonly decode?: (value: JsonObject) => Result<ApiObject>;
  /**
   * Creates an object of a resource, by all the stages of a write, as the server itself; absent where the server is the one
   * who writes. It stays, whatever becomes of the request, and so is not for dry runs.
   */
  readonly create?: (group: string, resource: string, object: JsonObject) => Promise<Result<ApiObject>>;
  /**
   * Confirms that the write is decided on the latest state: to be asked before anything is done outside of the write,
   * which may begin again where it was not. The failure ends this try of it.
   */
  readonly confirm?: () => Failure | undefined | Promise<Failure | undefined>;
  /** Milliseconds that the request may still take. */
  readonly timeLeft?: () => number;
  /** Told of what webhooks and policies do; absent for nearly all requests. */
  readonly explain?: ExplainAdmission | undefined;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
  /** Notes something for the audit of the request. The first note of a key stands. */
  readonly annotate: (key: string, value: string) => void;
}

/** The questions that a plugin may ask the server from its start on. */
export interface AdmissionHost {
  readonly featureEnabled: (gate: string) => boolean;
  readonly resources: ResourceIndex;
  /** Told of what plugins do, for metrics. */
  readonly observer?: Observer;
  /**
   * Tells a sink of all objects of a resource before it returns, and then of every change, in order, until it is
   * stopped. `/readyz` fails while the sink is behind.
   */
  readonly follow: (group: string, resource: string, sink: ObjectSink) => Subscription;
  /** All objects of a resource, kept up to date from here on; plugins that ask for the same share them. */
  readonly objects: (group: string, resource: string) => FollowedObjects;
  /** Changes a stored object for the plugin itself, whatever becomes of the write that it answers. */
  readonly update: ObjectAccess['update'];
}

/** The objects of a resource at present, in their stored version and frozen. */
export interface FollowedObjects<T = ApiObject> {
  /** One of them; the namespace is empty for cluster-scoped ones. */
  readonly get: (namespace: string, name: string) => T | undefined;
  /** Those of a namespace, or all of them; in no order that can be relied on. */
  readonly list: (namespace?: string) => Iterable<T>;
}

/** The resources that are served at present; they may become more and fewer while the server runs. */
export interface ResourceIndex {
  readonly find: (group: string, version: string, resource: string) => ResourceModule | undefined;
  readonly all: () => readonly ResourceModule[];
  readonly ofKind: (apiVersion: string, kind: string) => ResourceModule | undefined;
  /** All that show the same stored objects, in other versions or groups, the resource itself among them. */
  readonly equivalents: (resource: ResourceModule) => readonly ResourceModule[];
}

/**
 * Receives the objects of a resource, in their stored version and frozen. Must not block. If one of its functions throws, the
 * error is logged, and the sink is reset and told of everything again; an object that it fails on again is left out.
 */
export interface ObjectSink {
  changed(object: ApiObject): void;
  removed(namespace: string, name: string): void;
  /** All objects so far are void; all existing objects follow. */
  reset(): void;
}

/** One plugin. `undefined` admits; a failure refuses the whole request. */
export interface AdmissionPlugin {
  /** As flags name it: `NamespaceLifecycle`. */
  readonly name: string;
  /** The format of its own configuration; absent where it takes none. */
  readonly configuration?: PluginConfiguration;
  /**
   * Whether it does something for a write besides answering, such as to count it elsewhere. A dry run that would come to
   * it then fails. Default: it does not.
   */
  readonly sideEffects?: boolean | ((attributes: AdmissionAttributes) => boolean);
  /**
   * Whether what it makes of objects has all defaults and no fields that the kind does not have. Default: it may not, so
   * that it is pruned and gets its defaults.
   */
  readonly keepsForm?: boolean;
  /**
   * Called once, before the first request, by every server that runs the plugin; with its configuration, which has been
   * checked, where there is one.
   */
  readonly start?: (host: AdmissionHost, configuration?: unknown) => void;
  /** Whether it has anything to do with this resource and operation; asked per resource, not per request. */
  readonly handles: (resource: ResourceModule, operation: Operation, subresource: string) => boolean;
  readonly admit?: (attributes: AdmissionAttributes, context: AdmissionContext) => AdmissionAnswer;
  readonly validate?: (attributes: AdmissionAttributes, context: AdmissionContext) => AdmissionAnswer;
}

export type AdmissionAnswer = Failure | undefined | Promise<Failure | undefined>;

/** The effect of a plugin, a webhook or a policy on a write. */
export interface AdmissionStep {
  readonly kind: 'plugin' | 'webhook' | 'policy';
  readonly name: string;
  /** The configuration of a webhook, or the binding of a policy. */
  readonly of?: string;
  readonly step: 'admit' | 'validate';
  /** `unanswered` and `passed over` are those of a webhook that has failed, and whose policy refuses or lets pass. */
  readonly outcome: 'admitted' | 'changed' | 'denied' | 'unanswered' | 'passed over' | 'not asked';
  /** The reason for the outcome. */
  readonly message?: string;
  readonly milliseconds?: number;
  /** The request that a webhook was sent. */
  readonly request?: JsonObject;
  /** The changes, as operations of a JSON patch. */
  readonly patch?: JsonValue;
  readonly warnings?: readonly string[];
}

/** Told of each step, in order. */
export type ExplainAdmission = (step: AdmissionStep) => void;
