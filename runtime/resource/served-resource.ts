/** A resource as it is served: what the stages of a request may ask of it. */
import type { RulePlace } from '../cel/index.js';
import type { ProtobufCodec } from '../codec/protobuf/codec.js';
import type {
  AdmissionPlugin,
  ConversionReport,
  Deprecation,
  FitsStored,
  Guard,
  Handlers,
  JsonObject,
  KeptAnnotations,
  KindReference,
  Operation,
  ResourceModule,
  Result,
  Revision,
  Schema,
  SchemaFunctions,
  Subresource,
  VirtualHandler,
} from '../contract/index.js';
import type { FieldSet, TypedPlan, VersionSource } from '../merge/index.js';
import type { JsonPath } from '../objects/selectors/json-path.js';
import type { MaybePromise } from '../objects/turns.js';
import type { ListPlace } from './list-places.js';
import type { DefaultsPlace } from './repeated-defaults.js';

/** How objects of a version become those of the stored one, and back, in place. */
export interface BoundConversion {
  readonly toStored: (object: JsonObject, report?: ConversionReport, fits?: FitsStored) => void;
  readonly fromStored: (object: JsonObject, report?: ConversionReport) => void;
  /** Whether either may report something. */
  readonly mayFail: boolean;
  /** The annotations that keep fields, as they are called here. */
  readonly keeps: KeptAnnotations;
}

/** The definition of a resource that comes from a stored object, which may change or go at any time. */
export interface DefinedAtRunTime {
  readonly uid: string | undefined;
  /** Objects of this revision or an earlier one may have been stored under another schema. */
  readonly since: Revision;
  /** Aborted when the resource is served in another way, or no more; watches end then. */
  readonly ended: AbortSignal;
  /** Whether the definition is being deleted, and its objects with it. */
  readonly terminating: () => boolean;
  /** Returns the latest known revision of the definition. Until `ended`, it serves the resource in the same way. */
  readonly guard: () => Guard;
}

/** The facts about a version of a resource without its code: its names, its scope, and where its objects are. */
export interface ResourceNames {
  readonly module: ResourceModule;
  /** As in `storage.platform.io/v1`; the version alone for the core group. */
  readonly apiVersion: string;
  /** As in `csidrivers.storage.platform.io`; the plural alone for the core group. */
  readonly groupResource: string;
  /** Store keys begin with this: `<group>/<plural>/` of the resource that objects are stored as. */
  readonly keyPrefix: string;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** The notice for its users where it is deprecated. */
  readonly deprecation: Deprecation | undefined;
  /** JSON of an object up to its revision: `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"`. */
  readonly head: string;
  /** Bytes of `head` before `"metadata"`, which list items of typed kinds leave out. */
  readonly envelopeLength: number;
  readonly fieldPaths: readonly { readonly path: string; readonly read: JsonPath }[];
}

/** The code of a version, and what is compiled of its schema. */
export interface VersionCode {
  /**
   * Loads the code of all versions that share the stored one. Whatever needs more than the description of the resource
   * waits for it once; to use code that is not loaded is a defect, and throws.
   */
  ready(): MaybePromise<void>;
  readonly schema: Schema;
  readonly functions: SchemaFunctions;
  /** The handlers of the kind; they get objects of this version. */
  readonly handlers: Handlers | undefined;
  /** The handlers of the resource (empty) and its subresources where nothing is stored. */
  readonly virtualHandlers: ReadonlyMap<string, VirtualHandler>;
  /** How objects are written in protobuf; compiled when first asked for, absent for kinds that are not. */
  readonly protobuf: ProtobufCodec | undefined;
  /** How fields are owned and merged; compiled when first asked for. */
  readonly plan: TypedPlan;
  /** How strategic merge patches merge; made when first asked for. */
  readonly patchSchema: Schema;
  /** Whether directives of strategic merge patches count in objects that are not there yet. */
  readonly dropsDirectives: boolean;
  /** Where lists are that are never absent; looked up when first asked for, absent where there are none. */
  readonly emptyLists: ListPlace | undefined;
  /** Where defaults can make a small object huge; looked up when first asked for, absent where they cannot. */
  readonly repeatedDefaults: DefaultsPlace | undefined;
  /** The rules of the schema; compiled when first asked for, absent where it has none. */
  readonly rules: RulePlace | undefined;
  /** Whether errors of broken rules print values, and not types. */
  readonly showsRuleValues: boolean;
  /** Whether rules are not evaluated after errors of enums. */
  readonly enumsBlockRules: boolean;
  /** Fields that writes to the object (empty) or to a subresource cannot change. */
  resetFields(subresource: string): FieldSet;
  /** The admission plugins that have a say, in order. */
  admission(operation: Operation, subresource: string): readonly AdmissionPlugin[];
}

/** How a version relates to the others of its resource, which share a key prefix and the version they are stored in. */
export interface ResourceVersions {
  /** The version that objects are stored in; itself for most. */
  readonly stored: ServedResource;
  /** The version of this name among all that share the stored one, served or not. */
  readonly sibling: (apiVersion: string) => ServedResource | undefined;
  /** How this version is converted; absent for the stored one, and where only `apiVersion` differs. */
  readonly conversion: BoundConversion | undefined;
  /** The path under which the stored version has a selectable field. */
  storedField(path: string): string;
  /** Annotations of this version's objects in which fields of other versions are kept; looked up when first asked for. */
  readonly keptAnnotations: readonly string[];
  /** The versions that share this stored one and whose conversion may fail; looked up when first asked for. */
  readonly fallible: readonly ServedResource[];
  /** The resource's other versions, for owners that wrote through them; absent where it has none. */
  readonly versions: VersionSource | undefined;
  /** Returns the kind of a subresource in all versions that bodies may have, first the version of answers. */
  acceptedVersions(kind: KindReference): readonly ServedResource[];
  /** Absent for resources that are there as long as the server is. */
  readonly defined: DefinedAtRunTime | undefined;
  /** Converts between the versions if a webhook does. Only that of the stored version is used. */
  readonly remote: RemoteConversion | undefined;
}

/** One version of a resource as it is served. Functions take the part of it that they need. */
export interface ServedResource extends ResourceNames, VersionCode, ResourceVersions {}

/** Converts objects by asking a webhook, which takes time and may fail. */
export interface RemoteConversion {
  /** As many objects as were given, in the same order and of the version asked for. */
  convert(objects: readonly JsonObject[], apiVersion: string): Promise<Result<readonly JsonObject[]>>;
  /** Closes connections once their calls have ended. A later call opens its own for itself. */
  close(): void;
}

/** The prefix of the keys of a kind's objects; group and plural are those of the stored kind. */
export const collectionPrefix = (group: string, plural: string): string => `${group}/${plural}/`;

/** The store key of an object; `namespace` is empty for cluster-scoped resources. */
export const keyOf = (resource: Pick<ServedResource, 'keyPrefix'>, namespace: string, name: string): string =>
  namespace === '' ? resource.keyPrefix + name : `${resource.keyPrefix}${namespace}/${name}`;

/** Returns whether the objects of a kind have relations; most have none. */
export const hasRelations = ({ module: { references, unique } }: Pick<ServedResource, 'module'>): boolean =>
  references !== undefined || unique !== undefined;
