/**
 * A resource as it is served: everything that the stages of a request read from it. Reads its stored entries into objects,
 * fills in their defaults, and encodes them.
 */
import type { RulePlace } from '../cel/index.js';
import { decodeEncoded, encodeJson } from '../codec/json.js';
import type { ProtobufCodec } from '../codec/protobuf/codec.js';
import type {
  AdmissionPlugin,
  ApiObject,
  ConversionReport,
  Deprecation,
  Entry,
  FitsStored,
  Guard,
  Handlers,
  JsonObject,
  KeptAnnotations,
  KindReference,
  Operation,
  ResourceCode,
  ResourceModule,
  Result,
  Revision,
  Schema,
  SchemaFunctions,
  Subresource,
  VirtualHandler,
} from '../contract/index.js';
import type { FieldSet, TypedPlan, VersionSource } from '../merge/index.js';
import { isApiObject } from '../objects/guards.js';
import type { JsonPath } from '../objects/selectors/json-path.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ListPlace } from './list-places.js';
import { type DefaultsPlace, mostDefaultBytes, overfills } from './repeated-defaults.js';

/** How objects of a version are converted to the stored version and back, in place. */
export interface BoundConversion {
  readonly toStored: (object: JsonObject, report?: ConversionReport, fits?: FitsStored) => void;
  readonly fromStored: (object: JsonObject, report?: ConversionReport) => void;
  /** Whether either direction may report something. */
  readonly mayFail: boolean;
  /** The annotations that keep fields, under their served names. */
  readonly keeps: KeptAnnotations;
}

/** The definition of a resource that comes from a stored object. It may change or be deleted at any time. */
export interface DefinedAtRunTime {
  readonly uid: string | undefined;
  /** Objects up to this revision may have been stored under another schema. */
  readonly since: Revision;
  /** Aborted when the resource is served in another way, or no longer. Watches end then. */
  readonly ended: AbortSignal;
  /** Whether the definition is being deleted, and its objects with it. */
  readonly terminating: () => boolean;
  /** Returns the latest known revision of the definition. Until `ended`, it serves the resource in the same way. */
  readonly guard: () => Guard;
}

/** The facts about a version of a resource without its code: its names, its scope, and the place of its objects. */
export interface ResourceNames {
  readonly module: ResourceModule;
  /** As in `storage.platform.io/v1`; the version alone for the core group. */
  readonly apiVersion: string;
  /** As in `csidrivers.storage.platform.io`; the plural alone for the core group. */
  readonly groupResource: string;
  /** The prefix of store keys: `<group>/<plural>/` of the resource that objects are stored as. */
  readonly keyPrefix: string;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Present if the version is deprecated. */
  readonly deprecation: Deprecation | undefined;
  /** JSON of an object up to its revision: `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"`. */
  readonly head: string;
  /** Bytes of `head` before `"metadata"`. List items of typed kinds leave out this part. */
  readonly envelopeLength: number;
  readonly fieldPaths: readonly { readonly path: string; readonly read: JsonPath }[];
}

/** The code of a version, and the compiled parts of its schema. */
export interface VersionCode {
  /**
   * Loads the code of all versions with the same stored version. Every user of more than the resource's description
   * waits for this once. Using code that is not loaded is a defect, and throws.
   */
  ready(): MaybePromise<void>;
  readonly schema: Schema;
  readonly functions: SchemaFunctions;
  /** The handlers of the kind. They get objects of this version. */
  readonly handlers: Handlers | undefined;
  /** The handlers of the resource (empty) and its subresources, if nothing is stored. */
  readonly virtualHandlers: ReadonlyMap<string, VirtualHandler>;
  /** How objects are written in protobuf; compiled on first use, absent for kinds without protobuf. */
  readonly protobuf: ProtobufCodec | undefined;
  /** How fields are owned and merged; compiled on first use. */
  readonly plan: TypedPlan;
  /** How strategic merge patches merge; made on first use. */
  readonly patchSchema: Schema;
  /**
   * Whether `$patch` in a strategic merge patch is a directive in objects that do not exist yet. If not, it becomes a
   * member of them.
   */
  readonly dropsDirectives: boolean;
  /** The lists that are never absent; looked up on first use, absent if the schema has none. */
  readonly emptyLists: ListPlace | undefined;
  /** The places where defaults can make a small object huge; looked up on first use, absent if they cannot. */
  readonly repeatedDefaults: DefaultsPlace | undefined;
  /** The rules of the schema; compiled on first use, absent if it has none. */
  readonly rules: RulePlace | undefined;
  /** Whether errors of broken rules print values instead of types. */
  readonly showsRuleValues: boolean;
  /** Whether errors of enums prevent the evaluation of rules. */
  readonly enumsBlockRules: boolean;
  /** Returns the fields that writes to the object (empty) or to a subresource cannot change. */
  resetFields(subresource: string): FieldSet;
  /** Returns the admission plugins for an operation and a subresource, in order. */
  admission(operation: Operation, subresource: string): readonly AdmissionPlugin[];
}

/** How a version relates to the other versions of its resource, which share a key prefix and a stored version. */
export interface ResourceVersions {
  /** The version that objects are stored in; for most versions, this one. */
  readonly stored: ServedResource;
  /** Finds a version by name among all versions with the same stored version, served or not. */
  readonly sibling: (apiVersion: string) => ServedResource | undefined;
  /** How this version is converted; absent for the stored version, and if only `apiVersion` differs. */
  readonly conversion: BoundConversion | undefined;
  /** Returns the path of a selectable field in the stored version. */
  storedField(path: string): string;
  /** Annotations of this version's objects that keep fields of other versions; looked up on first use. */
  readonly keptAnnotations: readonly string[];
  /** The versions with the same stored version and a conversion that may fail; looked up on first use. */
  readonly fallible: readonly ServedResource[];
  /** The resource's other versions, for owners that wrote through them; absent if it has none. */
  readonly versions: VersionSource | undefined;
  /** Returns the kind of a subresource in all versions that bodies may have, the version of answers first. */
  acceptedVersions(kind: KindReference): readonly ServedResource[];
  /** Absent for built-in resources, which the server always serves. */
  readonly defined: DefinedAtRunTime | undefined;
  /** Converts between the versions if a webhook does so. Only the stored version's is used. */
  readonly remote: RemoteConversion | undefined;
}

/** One version of a resource as it is served. A function takes only the part of it that it needs. */
export interface ServedResource extends ResourceNames, VersionCode, ResourceVersions {}

/** Converts objects through a webhook. This takes time and may fail. */
export interface RemoteConversion {
  /** Returns as many objects as were given, in the same order and in the wanted version. */
  convert(objects: readonly JsonObject[], apiVersion: string): Promise<Result<readonly JsonObject[]>>;
  /** Closes connections once their calls have ended. A later call opens its own connection. */
  close(): void;
}

/** Returns the prefix of the keys of a kind's objects, from the group and plural of the stored kind. */
export const collectionPrefix = (group: string, plural: string): string => `${group}/${plural}/`;

/** Returns the store key of an object. `namespace` is empty for cluster-scoped resources. */
export const keyOf = (resource: Pick<ServedResource, 'keyPrefix'>, namespace: string, name: string): string =>
  namespace === '' ? resource.keyPrefix + name : `${resource.keyPrefix}${namespace}/${name}`;

/** Returns whether the objects of a kind have relations; most have none. */
export const hasRelations = ({ module: { references, unique } }: Pick<ServedResource, 'module'>): boolean =>
  references !== undefined || unique !== undefined;

/** Modules that are the same except for their names share a load function, and so the loaded code. */
const loaded = new WeakMap<ResourceModule['code'], ResourceCode>();

/** Returns the code of a module: at once if it is loaded, or needs no loading. */
export const loadCode = ({ code }: ResourceModule): MaybePromise<ResourceCode> =>
  loaded.get(code) ??
  thenSync(code(), (found) => {
    loaded.set(code, found);
    return found;
  });

/** Loads the code of several modules. Returns at once if all of it is loaded. */
export function loadAll(modules: readonly ResourceModule[]): MaybePromise<void> {
  const loading = modules.map(loadCode).filter((code) => code instanceof Promise);
  return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
}

/**
 * Returns the code of a module, for callers that cannot wait. Throws if it is not loaded, which is a defect of the
 * caller.
 */
export function codeOf(module: ResourceModule): ResourceCode {
  const code = loadCode(module);
  if (!(code instanceof Promise)) return code;
  const { group, version, names } = module;
  throw new Error(
    `the code of ${group === '' ? version : `${group}/${version}`} ${names.plural} is used before it is loaded`,
  );
}

/**
 * Returns a fresh copy of an entry's object, which the caller may change. Entries hold only objects that the server
 * encoded, and storage has checked their bytes. So anything else is a defect of the program, and throws.
 */
export function objectOf(entry: Entry): ApiObject {
  const decoded = decodeEncoded(entry.bytes);
  if (isApiObject(decoded)) return decoded;
  throw new Error(`stored entry ${entry.key} at revision ${entry.revision} is not an API object`);
}

/** Returns the JSON of an object with its revision. Leaves out an empty revision. */
export function encodeObject(resource: Pick<ServedResource, 'head'>, object: ApiObject): string {
  const revision = object.metadata.resourceVersion ?? '';
  const text = encodeWithRevision(resource, object, revision);
  return revision === '' ? text.replace('"resourceVersion":"",', '') : text;
}

/**
 * Returns the JSON of an object with a revision, even an empty one. Makes the text in one go, because joining pieces
 * would copy them.
 */
export function encodeWithRevision(
  { head }: Pick<ServedResource, 'head'>,
  object: ApiObject,
  revision: string,
): string {
  const text = encodeJson(isInOrder(object) ? withRevision(object, revision) : reordered(object, revision));
  return text.startsWith(head) ? text : encodeInPieces(head, object, revision);
}

/** Returns whether the first keys are already in order, as in objects from the store. */
function isInOrder(object: ApiObject): boolean {
  return beginsWith(object, envelopeKeys) && beginsWith(object.metadata, metadataKeys);
}

const envelopeKeys = ['kind', 'apiVersion', 'metadata'] as const;
const metadataKeys = ['resourceVersion'] as const;

function beginsWith(object: JsonObject, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in object) {
    if (key !== keys[at]) return false;
    if (++at === keys.length) return true;
  }
  return false;
}

/** Returns a copy in the same order, which the engine makes at once instead of key by key. */
const withRevision = (object: ApiObject, revision: string): JsonObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: revision },
});

/**
 * Returns a copy with the first keys in order. Writes out these keys, and spreads the rest behind them. If an object
 * begins with a spread, V8 gives it a layout of its own as soon as a key is added, and the layout outlives the request.
 */
function reordered({ kind, apiVersion, metadata, ...body }: ApiObject, revision: string): JsonObject {
  const meta: JsonObject = { resourceVersion: revision, ...metadata };
  meta.resourceVersion = revision;
  return { kind, apiVersion, metadata: meta, ...body };
}

/** Encodes an object with a whole number as a key, which JavaScript puts first. */
function encodeInPieces(head: string, object: ApiObject, revision: string): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...body } = object;
  const { resourceVersion: _resourceVersion, ...meta } = metadata;
  return `${head}${revision}"${continued(meta)}${continued(body)}`;
}

/** Returns the rest of the JSON of an object after its first keys: `,"a":1}`, or `}` if nothing is left. */
function continued(rest: JsonObject): string {
  const text = encodeJson(rest);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}

/** Fills in the defaults of an object, in place. If they would be too large, fills in nothing and returns false. */
export function applyDefaults(resource: VersionCode, object: JsonObject): boolean {
  const place = resource.repeatedDefaults;
  if (place && overfills(place, object)) return false;
  resource.functions.applyDefaults(object);
  return true;
}

/** A decoder's message for an object without its defaults. */
export const overfilled = `the defaults of its fields would add more than ${mostDefaultBytes} bytes`;
