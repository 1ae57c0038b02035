/** The extension point between decoding and commit: plugins that change or refuse writes. */
import type { UserInfo } from './authenticator.js';
import type { AccessAttributes, AccessDecision, AuthorizationAttributes } from './authorizer.js';
import type { Failure, Result } from './failure.js';
import type { ApiObject, JsonObject, JsonValue } from './object.js';
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
  /** Empty if the server has not generated it yet. */
  readonly name: string;
  /** The name in the path; absent for a create, because only its body has the name. */
  readonly pathName?: string;
  /**
   * The new object; absent for DELETE. Mutating plugins change it in place, except for the entries of `managedFields`.
   * For CONNECT it holds the options of the connection, as in `PodExecOptions`, with empty metadata.
   */
  readonly object?: ApiObject;
  /** The stored object, absent for CREATE. */
  readonly oldObject?: ApiObject;
  readonly options: JsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The current pass of mutating plugins over this write; absent if no plugin mutates. */
  readonly pass?: AdmissionPass;
}

/** A pass of mutating plugins over a write. A second pass follows if a plugin asks for it in the first. */
export interface AdmissionPass {
  readonly isSecond: boolean;
  /** Runs all mutating plugins once more, because the object has changed since earlier plugins saw it. */
  again(): void;
}

/** The questions that a plugin may ask the server during a request. */
export interface AdmissionContext {
  /** Returns a stored object by group, resource, namespace (empty: cluster) and name; it is frozen. */
  readonly get: (group: string, resource: string, namespace: string, name: string) => ApiObject | undefined;
  /**
   * Returns the stored objects of a resource in a namespace (empty: of the cluster). Each object is read when the
   * iterator reaches it, and is frozen.
   */
  readonly list: (group: string, resource: string, namespace: string) => Iterable<ApiObject>;
  /**
   * Makes a create rely on a stored object: if that changes before the new object is stored, the server repeats the
   * check. If the check then fails, the server refuses the create with that failure.
   */
  readonly rely: (place: ObjectPlace, check: () => Failure | undefined) => void;
  /** Reports whether the user may do this. */
  readonly authorize: (attributes: AuthorizationAttributes) => boolean | Promise<boolean>;
  /** Asks the authorizer and returns its decision with the reason. */
  readonly decide: (attributes: AccessAttributes) => AccessDecision | Promise<AccessDecision>;
  /**
   * Converts an object to another version of its kind. Returns `undefined` if the version does not exist, and a failure
   * if the conversion webhook fails.
   */
  readonly convert: (
    object: ApiObject,
    apiVersion: string,
  ) => Result<ApiObject> | undefined | Promise<Result<ApiObject>>;
  /**
   * Decodes a value as an object of its `apiVersion` and `kind`: checks types and fills in defaults, in place. Drops
   * unknown fields; for custom resources only after validating admission has seen them. If `strict` is set, unknown
   * fields of built-in kinds are a failure. The failure has the decoder's message.
   */
  readonly decode?: (value: JsonObject, strict?: boolean) => Result<ApiObject>;
  /**
   * Merges a configuration into an object of its `apiVersion` and `kind`, as an apply does, but without owners of
   * fields. The result shares parts with both. The message of the failure says why the configuration does not fit.
   */
  readonly merge?: (object: ApiObject, configuration: JsonObject) => Result<JsonObject>;
  /**
   * Creates an object as the server itself, through all stages of a write. The object stays even if the request fails,
   * so do not call this in dry runs. Absent if the server itself makes the current request.
   */
  readonly create?: (group: string, resource: string, object: JsonObject) => Promise<Result<ApiObject>>;
  /**
   * Confirms that the write was decided on the latest state. Call it before any side effect outside of the write,
   * because a write on an older state is retried. A failure ends this attempt.
   */
  readonly confirm?: () => Failure | undefined | Promise<Failure | undefined>;
  /** Returns the milliseconds that the request may still take. */
  readonly timeLeft?: () => number;
  /** Receives what webhooks and policies do; absent for nearly all requests. */
  readonly explain?: ExplainAdmission | undefined;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
  /** Adds an annotation to the audit event of the request. The first value of a key is kept. */
  readonly annotate: (key: string, value: string) => void;
}

/** The questions that a plugin may ask the server at any time after it starts. */
export interface AdmissionHost {
  readonly featureEnabled: (gate: string) => boolean;
  readonly resources: ResourceIndex;
  /** Receives what plugins do, for metrics. */
  readonly observer?: Observer;
  /**
   * Passes all objects of a resource to a sink before it returns, and then every change in order, until the caller
   * stops it. `/readyz` fails while the sink is behind. `version` is the version of the objects; by default the stored
   * one. Throws if the resource does not have that version.
   */
  readonly follow: (group: string, resource: string, sink: ObjectSink, version?: string) => Subscription;
  /**
   * Returns all objects of a resource and keeps them up to date. `version` is as in `follow`. Plugins that ask for the
   * same objects share them.
   */
  readonly objects: (group: string, resource: string, version?: string) => FollowedObjects;
  /** Changes a stored object for the plugin itself, whether or not the current write succeeds. */
  readonly update: ObjectAccess['update'];
}

/** The current objects of a resource, in one version and frozen. */
export interface FollowedObjects<T = ApiObject> {
  /** Returns one object. The namespace is empty for cluster-scoped objects. */
  readonly get: (namespace: string, name: string) => T | undefined;
  /** Returns the objects of one or all namespaces, in no particular order. */
  readonly list: (namespace?: string) => Iterable<T>;
}

/** The resources that are served now. The list may grow and shrink while the server runs. */
export interface ResourceIndex {
  readonly find: (group: string, version: string, resource: string) => ResourceModule | undefined;
  readonly all: () => readonly ResourceModule[];
  readonly ofKind: (apiVersion: string, kind: string) => ResourceModule | undefined;
  /** Returns all resources that show the same stored objects in other versions or groups, including the given one. */
  readonly equivalents: (resource: ResourceModule) => readonly ResourceModule[];
}

/**
 * Receives the objects of a resource, in one version and frozen. Must not block. If one of its functions
 * throws, the server logs the error, resets the sink and passes all objects again. An object that fails a second time
 * is left out.
 */
export interface ObjectSink {
  changed(object: ApiObject): void;
  removed(namespace: string, name: string): void;
  /** Discards all objects so far; all existing objects follow. */
  reset(): void;
}

/** One plugin. It returns `undefined` to admit the request, or a failure to refuse all of it. */
export interface AdmissionPlugin {
  /** The name in flags, as in `NamespaceLifecycle`. */
  readonly name: string;
  /** The format of its own configuration; absent if it does not take one. */
  readonly configuration?: PluginConfiguration;
  /**
   * Whether the plugin does more than answer, such as count the write elsewhere. A dry run fails if it reaches such a
   * plugin. Default: no side effects.
   */
  readonly sideEffects?: boolean | ((attributes: AdmissionAttributes) => boolean);
  /**
   * Whether the plugin leaves objects with all defaults and without unknown fields. If not, the server prunes the
   * objects and fills in defaults again. Default: false.
   */
  readonly keepsForm?: boolean;
  /**
   * Starts the plugin. Every server that runs it calls this once, before the first request, with the checked
   * configuration if there is one.
   */
  readonly start?: (host: AdmissionHost, configuration?: unknown) => void;
  /** Reports whether the plugin handles this resource and operation. Called once per resource, not per request. */
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
  /**
   * A webhook that failed is `unanswered` if its policy refuses the write, and `passed over` if its policy lets it
   * pass.
   */
  readonly outcome: 'admitted' | 'changed' | 'denied' | 'unanswered' | 'passed over' | 'not asked';
  readonly message?: string;
  readonly milliseconds?: number;
  /** The request that the server sent to a webhook. */
  readonly request?: JsonObject;
  /** The changes, as operations of a JSON patch. */
  readonly patch?: JsonValue;
  readonly warnings?: readonly string[];
}

/** Receives each step, in order. */
export type ExplainAdmission = (step: AdmissionStep) => void;

/** A place in a configuration: keys and indexes from its root. */
export type ConfigurationPath = readonly (string | number)[];

/** Receives a problem and its place. `key` is set if the key is wrong, not its value. */
export type RefuseConfiguration = (path: ConfigurationPath, problem: string, at?: 'key' | 'value') => void;

export interface PluginConfiguration {
  /** Accepted values of `apiVersion`, in platform names. The Kubernetes names are accepted too. */
  readonly apiVersions: readonly string[];
  /** The value of `kind`; absent for formats without `apiVersion` and `kind`. */
  readonly kind?: string;
  /** Whether the server refuses to start without a configuration for the plugin. */
  readonly required: boolean;
  /** Reports each problem of a value. `apiVersion` and `kind` are already checked. */
  readonly check: (value: unknown, refuse: RefuseConfiguration) => void;
}
