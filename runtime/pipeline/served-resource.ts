/** A resource as it is served: its module with everything that can be worked out once instead of per request. */

import { arrangeRules, baseEnvironment, compileRuleTree, laterEnvironment, type RulePlace } from '../cel/index.js';
import { compileProtobuf, type ProtobufCodec } from '../codec/protobuf/codec.js';
import type {
  AdmissionPlugin,
  ApiObject,
  Attributes,
  Deprecation,
  Guard,
  JsonObject,
  KindReference,
  NamedConversion,
  Operation,
  Rename,
  ResourceModule,
  Revision,
  Schema,
  Strategy,
  Subresource,
  VirtualHandler,
} from '../contract/index.js';
import {
  compileTypedPlan,
  type FieldSet,
  strategicSchema,
  type TypedPlan,
  type VersionSource,
} from '../merge/index.js';
import { compileJsonPath, type JsonPath } from '../objects/json-path.js';
import { apiRelease } from '../objects/release.js';
import { deprecationOf } from './resource/deprecation.js';
import { type ListPlace, listPlaces } from './stages/empty-lists.js';
import { resetFieldsOf } from './stages/ownership.js';
import type { RemoteConversion } from './versions/remote-versions.js';
import { storedFieldOf } from './versions/stored-fields.js';
import { throughStored } from './versions/stored-strategy.js';
import { convertBetween } from './versions/versions.js';

/** How objects of a version become those of the stored one, and back, in place. */
export interface BoundConversion {
  readonly toStored: (object: JsonObject) => void;
  readonly fromStored: (object: JsonObject) => void;
}

/** What the runtime has to know of a resource that a stored definition brings, which may change or go at any time. */
export interface DefinedAtRunTime {
  /** What was stored at this revision or before may have been stored under another schema. */
  readonly since: Revision;
  /** Aborted when the resource is served in another way, or no more; watches end then. */
  readonly ended: AbortSignal;
  /** Whether the definition is being deleted, and its objects with it. */
  readonly terminating: () => boolean;
  /** The definition as it is known by now. Until `ended` it says the same of the resource, whatever its revision. */
  readonly guard: () => Guard;
}

/** One version of a resource. Versions of one resource share a key prefix and the version they are stored in. */
export interface ServedResource {
  readonly module: ResourceModule;
  readonly strategy: Strategy | undefined;
  /** As in `storage.platform.io/v1`; the version alone for the core group. */
  readonly apiVersion: string;
  /** As in `csidrivers.storage.platform.io`; the plural alone for the core group. */
  readonly groupResource: string;
  /** Store keys begin with this: `<group>/<plural>/` of the resource that objects are stored as. */
  readonly keyPrefix: string;
  /** The version that objects are stored in; itself for most. */
  readonly stored: ServedResource;
  /** How this version is converted; absent for the stored one, and where only `apiVersion` differs. */
  readonly conversion: BoundConversion | undefined;
  /** The version of this name among all that share the stored one, be they served or not. */
  readonly sibling: (apiVersion: string) => ServedResource | undefined;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** What its users are told where it is deprecated. */
  readonly deprecation: Deprecation | undefined;
  /** What answers for the resource (empty) and its subresources where nothing is stored. */
  readonly handlers: ReadonlyMap<string, VirtualHandler>;
  /** Absent for resources that are there as long as the server is. */
  readonly defined: DefinedAtRunTime | undefined;
  /** What is asked to convert between the versions; told of the stored one, and absent where nobody has to be asked. */
  readonly remote: RemoteConversion | undefined;
  /** JSON of an object up to its revision: `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"`. */
  readonly head: string;
  /** Bytes of `head` before `"metadata"`, which list items of typed kinds leave out. */
  readonly envelopeLength: number;
  readonly fieldPaths: readonly { readonly path: string; readonly read: JsonPath }[];
  /** The path under which the stored version has a selectable field. */
  storedField(path: string): string;
  /** How objects are written in protobuf; compiled when first asked for, absent for kinds that are not. */
  readonly protobuf: ProtobufCodec | undefined;
  /** How fields are owned and merged; compiled when first asked for. */
  readonly plan: TypedPlan;
  /** Where lists are that are never absent; looked up when first asked for, absent where there are none. */
  readonly emptyLists: ListPlace | undefined;
  /** How strategic merge patches merge; made when first asked for. */
  readonly patchSchema: Schema;
  /** The rules of the schema; compiled when first asked for, absent where it has none. */
  readonly rules: RulePlace | undefined;
  /** The resource's other versions, for owners that wrote through them; absent where it has none. */
  readonly versions: VersionSource | undefined;
  /** Fields that writes to the object (empty) or to a subresource cannot change. */
  resetFields(subresource: string): FieldSet;
  /** The kind that a subresource takes, in the versions that bodies may have, that of answers first. */
  spoken(kind: KindReference): readonly ServedResource[];
  /** The admission plugins that have a say, in order. */
  admission(operation: Operation, subresource: string): readonly AdmissionPlugin[];
}

/** A release of Kubernetes whose limits are kept. */
export type EmulatedVersion = '1.27';

export interface ServeOptions {
  /** Of the stored version; its hooks get objects of that. */
  readonly strategy?: Strategy;
  /** Of this version, where it has one of its own. */
  readonly ownStrategy?: Strategy;
  readonly plugins?: readonly AdmissionPlugin[];
  /** The stored version, where it is another one. */
  readonly stored?: ServedResource;
  /** The release of Kubernetes whose expressions rules may use, where that is not the latest. */
  readonly emulatedVersion?: EmulatedVersion;
  /** Those for the resource and its subresources. */
  readonly handlers?: readonly VirtualHandler[];
  /** Finds a kind in all its versions, the named one first. */
  readonly spoken?: (kind: KindReference) => readonly ServedResource[];
  /** Finds another version among those that share the stored one. */
  readonly sibling?: (apiVersion: string) => ServedResource | undefined;
  /** The conversion that the module names. */
  readonly namedConversion?: NamedConversion;
  /** How names of the platform are called here; as they are where absent. */
  readonly rename?: Rename;
  /** Of a resource that a stored definition brings. */
  readonly defined?: DefinedAtRunTime;
  /** What converts between the versions, where that is not declared. */
  readonly remote?: RemoteConversion | undefined;
}

/** Prepares a module for service. */
export const serveResource = (module: ResourceModule, options: ServeOptions = {}): ServedResource =>
  new PreparedResource(module, options);

/**
 * A class, so that what is worked out when first asked for comes from getters that all share: V8 takes an object literal with
 * getters that is evaluated again for a dictionary, whose properties it finds slowly, and requests ask for many.
 */
class PreparedResource implements ServedResource {
  readonly module: ResourceModule;
  readonly strategy: Strategy | undefined;
  readonly apiVersion: string;
  readonly groupResource: string;
  readonly keyPrefix: string;
  readonly stored: ServedResource;
  readonly conversion: BoundConversion | undefined;
  readonly sibling: ServedResource['sibling'];
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly deprecation: Deprecation | undefined;
  readonly handlers: ReadonlyMap<string, VirtualHandler>;
  readonly defined: DefinedAtRunTime | undefined;
  readonly remote: RemoteConversion | undefined;
  readonly head: string;
  readonly envelopeLength: number;
  readonly fieldPaths: ServedResource['fieldPaths'];
  readonly storedField: ServedResource['storedField'];
  readonly versions: VersionSource | undefined;
  readonly resetFields: ServedResource['resetFields'];
  readonly spoken: ServedResource['spoken'];
  readonly admission: ServedResource['admission'];
  readonly #emulatedVersion: EmulatedVersion | undefined;
  #protobuf: ProtobufCodec | undefined;
  #plan: TypedPlan | undefined;
  #patchSchema: Schema | undefined;
  #emptyLists: ListPlace | undefined | 'unknown' = 'unknown';
  #rules: RulePlace | undefined | 'uncompiled' = 'uncompiled';

  constructor(module: ResourceModule, options: ServeOptions) {
    const { group, version, names } = module;
    const { emulatedVersion, handlers = [], plugins = [], sibling, stored } = options;
    this.module = module;
    this.apiVersion = group === '' ? version : `${group}/${version}`;
    this.groupResource = group === '' ? names.plural : `${names.plural}.${group}`;
    this.keyPrefix = stored?.keyPrefix ?? `${group}/${names.plural}/`;
    this.stored = stored ?? this;
    this.deprecation = deprecationOf(module, emulatedVersion ?? apiRelease);
    this.conversion = conversionOf(module, options);
    this.defined = options.defined;
    this.remote = options.remote;
    this.sibling = sibling ?? (() => undefined);
    this.subresources = new Map(module.subresources.map((subresource) => [subresource.name, subresource]));
    this.handlers = new Map(handlers.map((handler) => [handler.subresource ?? '', handler]));
    this.spoken = options.spoken ?? (() => []);
    const envelope = `{"kind":${JSON.stringify(names.kind)},"apiVersion":${JSON.stringify(this.apiVersion)},`;
    this.head = `${envelope}"metadata":{"resourceVersion":"`;
    this.envelopeLength = Buffer.byteLength(envelope);
    this.fieldPaths = module.selectableFields.map((path) => ({ path, read: compileSelectable(path) }));
    this.storedField = remembered((path) => storedFieldOf(path, this.conversion));
    this.admission = pluginsByOperation(module, plugins);
    this.versions = sibling && versionSource(sibling);
    this.resetFields = remembered((subresource) => resetFieldsOf(this, subresource));
    this.#emulatedVersion = emulatedVersion;
    this.strategy = options.ownStrategy ?? this.#strategyThroughStored(options);
  }

  get protobuf(): ProtobufCodec | undefined {
    this.#protobuf ??= this.module.protobuf && compileProtobuf(this.module.protobuf);
    return this.#protobuf;
  }

  get patchSchema(): Schema {
    this.#patchSchema ??= strategicSchema(this.module.schema);
    return this.#patchSchema;
  }

  get plan(): TypedPlan {
    this.#plan ??= compileTypedPlan(this.module.schema, this.module.decoding);
    return this.#plan;
  }

  get emptyLists(): ListPlace | undefined {
    const { module } = this;
    // Definitions of custom resources cannot ask for such lists.
    if (this.#emptyLists === 'unknown')
      this.#emptyLists = module.decoding === 'typed' ? listPlaces(module.schema) : undefined;
    return this.#emptyLists;
  }

  get rules(): RulePlace | undefined {
    if (this.#rules === 'uncompiled') this.#rules = rulesOf(this.module, this.#emulatedVersion);
    return this.#rules;
  }

  #strategyThroughStored({ stored, strategy }: ServeOptions): Strategy | undefined {
    return strategy && stored && this.conversion ? throughStored(this, strategy) : strategy;
  }
}

/** What a module declares, and after it what a conversion by name does; on the way to the stored version the reverse. */
function conversionOf(
  { conversion }: ResourceModule,
  { namedConversion, rename = (name) => name }: ServeOptions,
): BoundConversion | undefined {
  if (!conversion && !namedConversion) return undefined;
  return {
    toStored: (object) => {
      namedConversion?.toStored(object, rename);
      conversion?.toStored(object, rename);
    },
    fromStored: (object) => {
      conversion?.fromStored(object, rename);
      namedConversion?.fromStored(object, rename);
    },
  };
}

/** The store key of an object; `namespace` is empty for cluster-scoped resources. */
export const keyOf = (resource: ServedResource, namespace: string, name: string): string =>
  namespace === '' ? resource.keyPrefix + name : `${resource.keyPrefix}${namespace}/${name}`;

/** What selectors may ask of an object of this resource beyond its name and namespace, which its key says. */
export function attributesOf(resource: ServedResource, object: ApiObject): Attributes {
  return { labels: object.metadata.labels ?? noLabels, fields: fieldValues(resource, object) };
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

/** The selectable fields of an object, by their paths. */
export function fieldValues(resource: ServedResource, object: ApiObject): Attributes['fields'] {
  const fields: Record<string, string> = {};
  for (const { path, read } of resource.fieldPaths) {
    fields[path] = resource.strategy?.selectableField?.(object, path) ?? selectableText(read(object)[0]);
  }
  return fields;
}

const selectableText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : '';

/** Generated rules are those of the latest release; for another one they are compiled here. */
function rulesOf({ schema, rules }: ResourceModule, emulated: EmulatedVersion | undefined): RulePlace | undefined {
  if (emulated === '1.27') return compileRuleTree(schema, baseEnvironment);
  return rules === undefined
    ? compileRuleTree(schema, laterEnvironment, { plainKeywords: true })
    : arrangeRules(schema, rules);
}

/** Versions as field ownership asks for them. */
function versionSource(sibling: (apiVersion: string) => ServedResource | undefined): VersionSource {
  return {
    versionOf: (apiVersion) => {
      const resource = sibling(apiVersion);
      return resource && { plan: resource.plan, resetFields: resource.resetFields('') };
    },
    convert: (object, from, to) => {
      const [source, target] = [sibling(from), sibling(to)];
      return { ok: true, value: source && target ? convertBetween(source, target, object) : object };
    },
  };
}

function remembered<V>(compute: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

function compileSelectable(path: string): JsonPath {
  const compiled = compileJsonPath(path.startsWith('.') ? path : `.${path}`);
  return compiled.ok ? compiled.value : () => [];
}

function pluginsByOperation(module: ResourceModule, plugins: readonly AdmissionPlugin[]): ServedResource['admission'] {
  const byOperation = new Map<Operation, (subresource: string) => readonly AdmissionPlugin[]>();
  return (operation, subresource) => {
    let bySubresource = byOperation.get(operation);
    if (!bySubresource) {
      bySubresource = remembered((name) => plugins.filter((plugin) => plugin.handles(module, operation, name)));
      byOperation.set(operation, bySubresource);
    }
    return bySubresource(subresource);
  };
}
