/**
 * The model: the content of definitions, with expanded versions and resolved references. It is immutable, and emitters
 * read nothing else.
 */
import type {
  ConversionPath,
  ConversionStep,
  Deprecation,
  GenerationRule,
  JsonObject,
  KindAccess,
  NameRule,
  ObjectReference,
  PrinterColumn,
  ProtobufField,
  ResourceNames,
  Schema,
  Scope,
  Stability,
  StoredAs,
  Subresource,
  Uniqueness,
  Verb,
} from '../../runtime/contract/index.js';

/** The content of a folder of definitions. */
export interface Model {
  /** Sorted by group, then plural. */
  readonly resources: readonly ResourceModel[];
  /** Shared types by name, each written once in a type library; schemas point at them by `x-kindforge-type`. */
  readonly types: ReadonlyMap<string, SharedType>;
  /** Field numbers of all messages, once the lock has given them. */
  readonly protobuf?: ProtobufLock;
}

/** A type that several schemas refer to. */
export interface SharedType {
  /** `<library>#/<Name>`, as in `meta/v1#/LabelSelector`; the value of a `x-kindforge-type`. */
  readonly name: string;
  readonly schema: Schema;
  readonly source: SourceFile;
}

/** A file that was read, for headers, drift checks and messages. */
export interface SourceFile {
  /** Relative to the schemas folder, with forward slashes. */
  readonly path: string;
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly hash: string;
}

/** One resource with all its versions. */
export interface ResourceModel {
  /** Empty for the core group. */
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: Scope;
  /** `typed` for native definitions, `structural` for CustomResourceDefinitions. */
  readonly decoding: 'typed' | 'structural';
  readonly verbs: readonly Verb[];
  /** Present if objects of this kind are never stored. */
  readonly virtual?: true;
  /** Present if objects have no metadata, which only kinds without verbs may do. */
  readonly withoutMetadata?: true;
  readonly nameRule: NameRule;
  readonly generation: GenerationRule;
  readonly deleteReturns: 'object' | 'Status';
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  readonly untracked?: readonly string[];
  readonly featureGate?: string;
  /** Present if the kind is part of the machinery for custom resources. */
  readonly machinery?: true;
  /** The resource that objects are stored as, if it is another one. */
  readonly storedAs?: StoredAs;
  /** The fields of stored objects that name other objects, if there are any. */
  readonly references?: readonly ObjectReference[];
  /** The fields with values that only one stored object may have, if there are any. */
  readonly unique?: readonly Uniqueness[];
  /** The roles with rights on the kind, if the definition names them. */
  readonly access?: KindAccess;
  /** The webhook that converts between the versions, as written in the definition; absent without a webhook. */
  readonly conversionWebhook?: JsonObject;
  readonly description?: string;
  /** As in the definition, including the storage version if the kind is stored; never empty. */
  readonly versions: readonly VersionModel[];
  readonly source: SourceFile;
}

/** One version of a resource, complete: references are resolved, and defaults of the format are filled in. */
export interface VersionModel {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: Schema;
  readonly subresources: readonly Subresource[];
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  /** The releases that added some of them. */
  readonly laterFields?: Readonly<Record<string, string>>;
  readonly deprecation?: Deprecation;
  readonly stability?: Stability;
  /** Absent for the stored version, and if only `apiVersion` differs. */
  readonly conversion?: ConversionModel;
  /** The conversion as written, if it leads to another version than the stored one. */
  readonly written?: WrittenConversion;
}

/** A conversion as written; empty for the version that the other conversions lead to. */
export interface WrittenConversion {
  readonly conversion?: ConversionModel;
  /** The name of the version that it leads to. */
  readonly to?: string;
}

/** The conversion of a version to the stored one and back, and facts about the objects. */
export interface ConversionModel {
  readonly steps: readonly ConversionStep[];
  /** A conversion in code that runs after the steps. */
  readonly function?: string;
  /** Groups of fields; a valid object has at most one field of each group. */
  readonly oneOf: readonly { readonly of: 'this' | 'stored'; readonly fields: readonly ConversionPath[] }[];
  /** Fields that a round trip may lose. */
  readonly lost: readonly { readonly of: 'this' | 'stored'; readonly path: ConversionPath }[];
}

/** The promised field numbers of one message. */
export interface LockedMessage {
  readonly fields: ReadonlyMap<string, ProtobufField>;
  /** Removed fields. Their numbers are never given to other fields. */
  readonly reserved: readonly ReservedField[];
}

export interface ReservedField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
}

/** Messages by id. */
export type ProtobufLock = ReadonlyMap<string, LockedMessage>;
