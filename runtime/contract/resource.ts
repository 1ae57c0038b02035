/**
 * A resource as the runtime serves it: the generator prints one per resource, and definitions become one at run time.
 */
import type { Conversion, StoredAs } from './conversion.js';
import type { JsonObject } from './object.js';
import type { ObjectReference, Schema, Uniqueness } from './schema.js';

/** Request verbs, as authorization and discovery name them. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export type Scope = 'Cluster' | 'Namespaced';

/** The names of a resource. All except kinds are lower case. */
export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A column of Tables. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown; greater numbers only in wide output. */
  readonly priority?: number;
  /** JSONPath from the object's root, as in `.spec.replicas`. */
  readonly jsonPath: string;
  /** Shows the age of the time at the path (`5m`), whatever the type; `date` columns always do. */
  readonly age?: boolean;
  /** The release that added it. */
  readonly introduced?: string;
  /** The first release without it. */
  readonly removed?: string;
}

export interface KindReference {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A path below a resource with its own rights. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind of requests and answers, if it is not the object's own. */
  readonly kind?: KindReference;
  /**
   * Whether it opens a connection or answers with text, instead of taking and returning objects. Its kind then
   * describes the query options.
   */
  readonly connects?: true;
  /** Whether it passes on any method and the rest of the path; only with `connects`. */
  readonly proxy?: true;
  /** The parameters of its query; only with `connects`. */
  readonly query?: readonly QueryParameter[];
  /** Top-level fields (`status`) or two-step paths (`status.conditions`) that a write here may change. */
  readonly writes: readonly string[];
  /** Whether writes may change metadata too, as in the reference for `status` of built-in kinds. */
  readonly writesMetadata: boolean;
  /** Whether the object itself may also write these fields; otherwise they keep their values. */
  readonly shared?: boolean;
  /** Whether a create may set these fields too; otherwise they are dropped. */
  readonly atCreate?: boolean;
  /** Paths within `writes` that are never recorded in managed fields. */
  readonly untracked?: readonly string[];
  /** The paths of the scale subresource; absent for all others. */
  readonly scale?: ScalePaths;
  /** The release that added it. */
  readonly introduced?: string;
  /** The first release without it. */
  readonly removed?: string;
}

export interface QueryParameter {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'string';
  /** Whether it may be repeated, so that its value is a list. */
  readonly repeated?: true;
  /** In Markdown. */
  readonly description: string;
}

/** The JSONPaths of the counts of a scalable resource, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A notice that clients of a version get in a Warning header. */
export interface Deprecation {
  readonly message: string;
  /** The release that stops serving it, as in `1.29`; absent if not decided. */
  readonly removedRelease?: string;
}

/** The replacement of a deprecated version. Group and kind default to the ones of the deprecated version. */
export interface Replacement {
  readonly group?: string;
  readonly version: string;
  readonly kind?: string;
}

/** The lifetime of a version, in releases such as `1.26`. */
export interface Stability {
  readonly level: 'alpha' | 'beta' | 'stable';
  readonly introduced?: string;
  /** From this release on, users of the version get a warning, with the text of the deprecation if there is one. */
  readonly deprecated?: string;
  /** From this release on, the version is not served. */
  readonly removed?: string;
  readonly replacement?: Replacement;
}

export interface NameRule {
  /** A named check of `runtime/objects/names.ts`, or `any` if every path segment is allowed. */
  readonly format: string;
  /** In characters; the store's own bound (253) if absent. */
  readonly maxLength?: number;
  /** The suffix of a `generateName`: random characters, or nothing if they cannot be part of a name. */
  readonly generated?: 'random' | 'nothing';
}

/**
 * The first of the roles `view`, `edit` and `admin` that has a right on a kind, or `none`. Each role also has the
 * rights of the roles before it.
 */
export interface KindAccess {
  /** The first role that may get, list and watch. Default: `view`. */
  readonly read?: 'view' | 'edit' | 'admin' | 'none';
  /** The first role that may create, change and delete. Default: `edit`. */
  readonly write?: 'edit' | 'admin' | 'none';
}

/** The rule for `metadata.generation`. Structural kinds are always `counted`. */
export type GenerationRule =
  /** Starts at 1. Counts each change outside of metadata, and outside of the status if it is a subresource. */
  | 'counted'
  /** Absent at creation; counts the same changes from the first one. */
  | 'after-change'
  /** The runtime keeps the stored value and never sets it. Handlers may count. */
  | 'none';

/** The code of a resource version. It holds no state and does not know the store. */
export interface ResourceCode {
  readonly schema: Schema;
  /** The rules of the schema, for the latest release; compiled at run time if absent. */
  readonly rules?: CompiledRules;
  /** Converts objects to the stored version and back; absent if only `apiVersion` differs. */
  readonly conversion?: Conversion;
  /** How objects are written in protobuf; absent for kinds without it, such as structural kinds. */
  readonly protobuf?: ProtobufSchema;
}

/** One served version of a resource: plain data, and a function that loads its code. */
export interface ResourceModule {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly names: ResourceNames;
  readonly scope: Scope;
  /** Verbs of the resource itself. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** `typed`: a wrong JSON type is a 400, as with built-in kinds. `structural`: a 422, as with custom resources. */
  readonly decoding: 'typed' | 'structural';
  readonly columns: readonly PrinterColumn[];
  /** Paths for field selectors besides `metadata.name` and `metadata.namespace`, as in `spec.signerName`. */
  readonly selectableFields: readonly string[];
  /** The releases that added some of them, by path. */
  readonly laterFields?: Readonly<Record<string, string>>;
  readonly nameRule: NameRule;
  readonly generation: GenerationRule;
  /** Whether objects of this kind are stored in this version. */
  readonly storage: boolean;
  /** The version that discovery hashes in place of the stored one. Default: the stored one. */
  readonly hashedVersion?: string;
  /**
   * Whether objects of this kind are never stored: a `VirtualHandler` answers the requests. If it has no verbs, it also
   * has no path of its own: its objects are only sent to subresources.
   */
  readonly virtual?: true;
  /** Whether objects have no metadata; only for kinds without verbs. */
  readonly withoutMetadata?: true;
  readonly served: boolean;
  /** The resource of another group in which objects of this one are stored; absent for most. */
  readonly storedAs?: StoredAs;
  /** The name of a conversion in `strategies/conversions`, for what declarations cannot express. */
  readonly conversionName?: string;
  /** The webhook that converts between the versions instead, as in `spec.conversion.webhook` of a definition. */
  readonly conversionWebhook?: JsonObject;
  readonly deprecation?: Deprecation;
  readonly stability?: Stability;
  /** The project's release that counts for the stability; the release of the server if absent. */
  readonly projectRelease?: string;
  /** The gate that must be on for the resource to be served. */
  readonly featureGate?: string;
  /** Whether it belongs to the machinery for custom resources. This may be of a later release than other kinds. */
  readonly machinery?: true;
  /** The gates that fields of the schema name, sorted. */
  readonly fieldGates?: readonly string[];
  /** The answer to a finished delete: the last state of the object (most built-in kinds), or a Status. */
  readonly deleteReturns: 'object' | 'Status';
  /** Whether a PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Whether a PUT without a resourceVersion overwrites the stored object; otherwise it is a 422. */
  readonly unconditionalUpdate: boolean;
  /** Paths that are never recorded in managed fields when the object itself is written. */
  readonly untracked?: readonly string[];
  /** The fields of stored objects that name other objects; absent for most kinds. */
  readonly references?: readonly ObjectReference[];
  /** The values that only one stored object may have; absent for most kinds. */
  readonly unique?: readonly Uniqueness[];
  /** The roles with rights on the kind, if the definition names them. */
  readonly access?: KindAccess;
  /** The file of the definition, relative to the schemas folder; for messages. */
  readonly source?: string;
  /** Loads the code of the version on first use. Returns loaded code at once, without a promise. */
  readonly code: () => ResourceCode | Promise<ResourceCode>;
}

/**
 * A field's number and type. The type is `string`, `bytes`, `bool`, `int32`, `int64`, `double`, `json` (bytes that hold
 * JSON) or the id of a message; `repeated …` for lists; `map …` for maps with string keys. The fields of an `inline …`
 * message are fields of the object itself in JSON. `always` marks fields that the encoder writes as zero if they are
 * absent, as the reference does for fields that are not pointers.
 */
export type ProtobufField = readonly [number: number, type: string, presence?: 'always'];

/** Fields by their JSON names. An empty name means the whole value, for lists within lists and maps. */
export type ProtobufMessage = Readonly<Record<string, ProtobufField>>;

export type ProtobufMessages = Readonly<Record<string, ProtobufMessage>>;

/** A kind in one version, with all its messages. */
export interface ProtobufSchema {
  /** Id of the kind's own message, as in `storage.platform.io/v1#/CSIDriver`. */
  readonly message: string;
  /** The messages that only this kind uses. */
  readonly messages: ProtobufMessages;
  /** The messages of the libraries that it uses, if any. */
  readonly libraries?: readonly ProtobufMessages[];
}

/** The result of an evaluation with its cost. */
export type RuleOutcome =
  | { readonly ok: true; readonly value: unknown; readonly cost: number }
  /** `budget`: the evaluation was stopped because its budget was spent. */
  | { readonly ok: false; readonly reason: 'error' | 'budget'; readonly message: string; readonly cost: number };

export interface RuleProgram {
  /** The source text of the expression. */
  readonly text: string;
  /** Evaluates the expression with decoded JSON for `self` and `oldSelf`. Stops once the cost exceeds the budget. */
  evaluate(variables: Readonly<Record<string, unknown>>, budget?: number): RuleOutcome;
}

/** One rule at a place in a schema. */
export interface CompiledRule {
  readonly test: RuleProgram;
  /** Whether it compares with the old object. Such a rule is skipped if there is none. */
  readonly isTransition: boolean;
  /** Computes the message of a broken rule. */
  readonly message: RuleProgram | undefined;
}

/** The rules in order, by JSON pointer (RFC 6901) from the schema to the part that has them. */
export type CompiledRules = ReadonlyMap<string, readonly CompiledRule[]>;
