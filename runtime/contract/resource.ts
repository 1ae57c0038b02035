/**
 * A resource as the runtime serves it: what the generator prints per resource and what definitions become at run
 * time.
 */

import type { Conversion, StoredAs } from './conversion.js';
import type { JsonObject } from './json.js';
import type { ProtobufSchema } from './protobuf.js';
import type { CompiledRules } from './rules.js';
import type { Schema } from './schema.js';

/** Request verbs, as authorization and discovery name them. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export type Scope = 'Cluster' | 'Namespaced';

/** The names of a resource. All are lower case but the kinds. */
export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** A printed column of Tables. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority?: number;
  /** JSONPath from the object's root, as in `.spec.replicas`. */
  readonly jsonPath: string;
  /** Shows the time at the path as the time since then (`5m`), whatever the type says; `date` columns always do. */
  readonly age?: boolean;
}

/** A kind in a version. */
export interface KindReference {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A path below a resource with rights of its own. */
export interface Subresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind that it takes and answers, where that is not the object's own. */
  readonly kind?: KindReference;
  /**
   * Whether it opens a connection, or answers with text, rather than take and answer objects; its kind then names the
   * options of the query.
   */
  readonly connects?: true;
  /** Whether it passes any method on, and whatever follows it in the path; only where it connects. */
  readonly proxy?: true;
  /** The parameters of its query; only where it connects. */
  readonly query?: readonly QueryParameter[];
  /** Top-level fields (`status`) or two-step paths (`status.conditions`) that a write here may change. */
  readonly writes: readonly string[];
  /** Whether metadata may be changed too, as the reference does for `status` of built-in kinds. */
  readonly writesMetadata: boolean;
  /** Whether the object itself may write the same fields; otherwise it leaves them as they are. */
  readonly shared?: boolean;
  /** Whether a create may fill these fields, too; otherwise what it says there is dropped. */
  readonly atCreate?: boolean;
  /** Paths within `writes` that field managers are never recorded as owners of; none where absent. */
  readonly untracked?: readonly string[];
  /** The scale subresource's paths; absent for all others. */
  readonly scale?: ScalePaths;
}

/** Something that a query may say. */
export interface QueryParameter {
  readonly name: string;
  readonly type: 'boolean' | 'integer' | 'string';
  /** Whether it may be given several times, so that its value is a list. */
  readonly repeated?: true;
  /** In Markdown. */
  readonly description: string;
}

/** Where a scalable resource keeps its counts, each as a JSONPath such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A notice that clients of a version get as a Warning header. */
export interface Deprecation {
  readonly message: string;
  /** Release that stops serving it, as `1.29`; absent when undecided. */
  readonly removedRelease?: string;
}

/** The replacement of a deprecated version; of the version's own group and kind where those are absent. */
export interface Replacement {
  readonly group?: string;
  readonly version: string;
  readonly kind?: string;
}

/** Life of a version in releases such as `1.26`. */
export interface Stability {
  readonly level: 'alpha' | 'beta' | 'stable';
  readonly introduced?: string;
  /** From this release on, users of the version are told of it; in the words of the deprecation, where there is one. */
  readonly deprecated?: string;
  /** From this release on, the version is not served. */
  readonly removed?: string;
  readonly replacement?: Replacement;
}

/** How the objects of a kind are named. */
export interface NameRule {
  /** A named check of `runtime/objects/names.ts`, or `any` where a path segment is all that is asked. */
  readonly format: string;
  /** In characters; the store's own bound (253) where absent. */
  readonly maxLength?: number;
  /** The suffix of a `generateName`: random characters, or nothing where they could not be part of a name. */
  readonly generated?: 'random' | 'nothing';
}

/** When `metadata.generation` counts. */
export type GenerationRule =
  /**
   * From 1, at each change outside metadata, and outside a status that has its own subresource (structural kinds always;
   * typed kinds that ask for it).
   */
  | 'counted'
  /** Absent at creation; counts from the first change of the spec on. */
  | 'after-change'
  /** Never set by the runtime, which keeps the stored one; handlers may count by themselves. */
  | 'none';

/** What is known of the objects of a resource version. It holds no state and knows no store. */
export interface ResourceCode {
  readonly schema: Schema;
  /** The rules of the schema, for the latest release; they are compiled at run time where absent. */
  readonly rules?: CompiledRules;
  /** How objects become those of the stored version, and back; absent where only their version changes. */
  readonly conversion?: Conversion;
  /** How objects are written in protobuf; absent for kinds that are not, as structural ones. */
  readonly protobuf?: ProtobufSchema;
}

/** One served version of a resource: plain data that describes it, and how its code is loaded. */
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
  /** Field selector paths besides `metadata.name` and `metadata.namespace`, as in `spec.signerName`. */
  readonly selectableFields: readonly string[];
  readonly nameRule: NameRule;
  readonly generation: GenerationRule;
  /** Whether objects of this kind are stored in this version. */
  readonly storage: boolean;
  /**
   * Whether nothing of this kind is ever stored: requests are answered by a `VirtualHandler`. Without verbs it has no
   * path either, and is accepted by subresources alone.
   */
  readonly virtual?: true;
  /** Whether objects have no metadata; only kinds without verbs can be so. */
  readonly withoutMetadata?: true;
  readonly served: boolean;
  /** The resource of another group as which objects of this one are stored; absent for most. */
  readonly storedAs?: StoredAs;
  /** A named conversion of `strategies/conversions` that does the rest. */
  readonly conversionName?: string;
  /** The webhook that converts between the versions instead, as `spec.conversion.webhook` of a definition says it. */
  readonly conversionWebhook?: JsonObject;
  readonly deprecation?: Deprecation;
  readonly stability?: Stability;
  /** The gate that must be on for the resource to be served. */
  readonly featureGate?: string;
  /** Gates that fields of the schema name, sorted; none where absent. */
  readonly fieldGates?: readonly string[];
  /** The answer to a finished delete: the object as it was (built-in kinds mostly), or a Status. */
  readonly deleteReturns: 'object' | 'Status';
  /** Whether a PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** Whether a PUT without a resourceVersion replaces whatever is stored; otherwise it is a 422. */
  readonly unconditionalUpdate: boolean;
  /** Paths that field managers are never recorded as owners of when the object itself is written; none where absent. */
  readonly untracked?: readonly string[];
  /** Where the definition came from, for messages: a file path relative to the schemas folder. */
  readonly source?: string;
  /** Loads the code of the version, when it is first used. Code that is there already is returned at once. */
  readonly code: () => ResourceCode | Promise<ResourceCode>;
}
