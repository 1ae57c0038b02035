/** Prepares a module for service: computes once what would else be computed for each request. */
import type { RulePlace } from '../cel/index.js';
import { compileProtobuf, type ProtobufCodec } from '../codec/protobuf/codec.js';
import type {
  AdmissionPlugin,
  Deprecation,
  Handlers,
  KindReference,
  NamedConversion,
  Rename,
  ResourceCode,
  ResourceModule,
  Schema,
  SchemaFunctions,
  Subresource,
  VirtualHandler,
} from '../contract/index.js';
import { compileTypedPlan, strategicSchema, type TypedPlan, type VersionSource } from '../merge/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import { memoize } from '../objects/memoize.js';
import { apiRelease } from '../objects/release.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { schemaFunctions } from '../schema/index.js';
import { selectableFields } from './encoding.js';
import { type ListPlace, listPlaces } from './list-places.js';
import { bindConversion, storedFieldOf, throughStored, versionSource } from './other-versions.js';
import { admissionTable, codeOf, compileRules, deprecationOf, loadAll, resetFieldsOf } from './preparation.js';
import { type DefaultsPlace, repeatedDefaults } from './repeated-defaults.js';
import {
  type BoundConversion,
  collectionPrefix,
  type DefinedAtRunTime,
  type EmulatedVersion,
  type RemoteConversion,
  type ServedResource,
} from './served-resource.js';

export interface ServeOptions {
  /** Of the stored version; they get objects of that. */
  readonly handlers?: Handlers;
  /** Of this version, where it has one of its own. */
  readonly ownHandlers?: Handlers;
  readonly plugins?: readonly AdmissionPlugin[];
  /** The stored version, where it is another one. */
  readonly stored?: ServedResource;
  /** The release of Kubernetes whose expressions rules may use, where that is not the latest. */
  readonly emulatedVersion?: EmulatedVersion;
  /** Those for the resource and its subresources. */
  readonly virtualHandlers?: readonly VirtualHandler[];
  /** Finds a kind in all its versions, the named one first. */
  readonly acceptedVersions?: (kind: KindReference) => readonly ServedResource[];
  /** Finds another version among those that share the stored one. */
  readonly sibling?: (apiVersion: string) => ServedResource | undefined;
  /** The conversion that the module names. */
  readonly namedConversion?: NamedConversion;
  /** How names of the platform are called here; as they are where absent. */
  readonly rename?: Rename;
  /** All versions that share the stored one, itself among them; itself alone where absent. */
  readonly family?: readonly ResourceModule[];
  /** Of a resource that a stored definition brings. */
  readonly defined?: DefinedAtRunTime;
  /** Converts between the versions where that is not declared. */
  readonly remote?: RemoteConversion | undefined;
}

/** Prepares a module for service. */
export const serveResource = (module: ResourceModule, options: ServeOptions = {}): ServedResource =>
  new PreparedResource(module, options);

/** Schemas, plans and rules are compiled when first asked for: most kinds of a server are never written to. */
class PreparedResource implements ServedResource {
  readonly module: ResourceModule;
  readonly apiVersion: string;
  readonly groupResource: string;
  readonly keyPrefix: string;
  readonly stored: ServedResource;
  readonly sibling: ServedResource['sibling'];
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly deprecation: Deprecation | undefined;
  readonly virtualHandlers: ReadonlyMap<string, VirtualHandler>;
  readonly defined: DefinedAtRunTime | undefined;
  readonly remote: RemoteConversion | undefined;
  readonly head: string;
  readonly envelopeLength: number;
  readonly fieldPaths: ServedResource['fieldPaths'];
  readonly storedField: ServedResource['storedField'];
  readonly versions: VersionSource | undefined;
  readonly resetFields: ServedResource['resetFields'];
  readonly acceptedVersions: ServedResource['acceptedVersions'];
  readonly admission: ServedResource['admission'];
  readonly #options: ServeOptions;
  #isReady = false;
  #code: ResourceCode | undefined;
  #functions: SchemaFunctions | undefined;
  #handlers: Handlers | undefined | 'unknown' = 'unknown';
  #conversion: BoundConversion | undefined | 'unknown' = 'unknown';
  #fallible: readonly ServedResource[] | undefined;
  #keptAnnotations: readonly string[] | undefined;
  #protobuf: ProtobufCodec | undefined;
  #plan: TypedPlan | undefined;
  #patchSchema: Schema | undefined;
  #repeatedDefaults: DefaultsPlace | undefined | 'unknown' = 'unknown';
  #emptyLists: ListPlace | undefined | 'unknown' = 'unknown';
  #rules: RulePlace | undefined | 'uncompiled' = 'uncompiled';

  constructor(module: ResourceModule, options: ServeOptions) {
    const { group, version, names } = module;
    const { emulatedVersion, virtualHandlers = [], plugins = [], sibling, stored } = options;
    this.module = module;
    this.#options = options;
    this.apiVersion = group === '' ? version : `${group}/${version}`;
    this.groupResource = group === '' ? names.plural : `${names.plural}.${group}`;
    this.keyPrefix = stored?.keyPrefix ?? collectionPrefix(group, names.plural);
    this.stored = stored ?? this;
    this.deprecation = deprecationOf(module, emulatedVersion ?? apiRelease);
    this.defined = options.defined;
    this.remote = options.remote;
    this.sibling = sibling ?? (() => undefined);
    this.subresources = new Map(module.subresources.map((subresource) => [subresource.name, subresource]));
    this.virtualHandlers = new Map(virtualHandlers.map((handler) => [handler.subresource ?? '', handler]));
    this.acceptedVersions = options.acceptedVersions ?? (() => []);
    const envelope = `{"kind":${JSON.stringify(names.kind)},"apiVersion":${JSON.stringify(this.apiVersion)},`;
    this.head = `${envelope}"metadata":{"resourceVersion":"`;
    this.envelopeLength = Buffer.byteLength(envelope);
    this.fieldPaths = selectableFields(module);
    this.storedField = memoize((path) => storedFieldOf(path, this.conversion));
    this.admission = admissionTable(module, plugins);
    this.versions = sibling && versionSource(module.group, sibling);
    this.resetFields = memoize((subresource) => resetFieldsOf(this, subresource));
  }

  ready(): MaybePromise<void> {
    if (this.#isReady) return undefined;
    return thenSync(loadAll(this.#options.family ?? [this.module]), () => {
      this.#isReady = true;
    });
  }

  get #loaded(): ResourceCode {
    this.#code ??= codeOf(this.module);
    return this.#code;
  }

  get schema(): Schema {
    return this.#loaded.schema;
  }

  get functions(): SchemaFunctions {
    this.#functions ??= schemaFunctions(this.schema, {
      decoding: this.module.decoding,
      kind: this.module.names.kind,
      version: this.module.version,
    });
    return this.#functions;
  }

  get fallible(): readonly ServedResource[] {
    this.#fallible ??= this.#siblings.filter(({ conversion }) => conversion?.mayFail === true);
    return this.#fallible;
  }

  get keptAnnotations(): readonly string[] {
    this.#keptAnnotations ??= [
      ...(this.conversion?.keeps.own ?? []),
      ...this.#siblings.flatMap(({ conversion }) => conversion?.keeps.stored ?? []),
    ];
    return this.#keptAnnotations;
  }

  get #siblings(): readonly ServedResource[] {
    const family = this.#options.family ?? [];
    return family.flatMap(({ group, version }) => this.sibling(formatGroupVersion(group, version)) ?? []);
  }

  get conversion(): BoundConversion | undefined {
    if (this.#conversion === 'unknown') this.#conversion = bindConversion(this.#loaded, this.#options);
    return this.#conversion;
  }

  get handlers(): Handlers | undefined {
    if (this.#handlers === 'unknown') this.#handlers = this.#options.ownHandlers ?? this.#handlersThroughStored();
    return this.#handlers;
  }

  get protobuf(): ProtobufCodec | undefined {
    const { protobuf } = this.#loaded;
    this.#protobuf ??= protobuf && compileProtobuf(protobuf);
    return this.#protobuf;
  }

  get patchSchema(): Schema {
    this.#patchSchema ??= strategicSchema(this.schema);
    return this.#patchSchema;
  }

  get plan(): TypedPlan {
    this.#plan ??= compileTypedPlan(this.schema, this.module.decoding);
    return this.#plan;
  }

  get emptyLists(): ListPlace | undefined {
    // Definitions of custom resources cannot ask for such lists.
    if (this.#emptyLists === 'unknown')
      this.#emptyLists = this.module.decoding === 'typed' ? listPlaces(this.schema) : undefined;
    return this.#emptyLists;
  }

  get repeatedDefaults(): DefaultsPlace | undefined {
    if (this.#repeatedDefaults === 'unknown') this.#repeatedDefaults = repeatedDefaults(this.schema);
    return this.#repeatedDefaults;
  }

  get rules(): RulePlace | undefined {
    if (this.#rules === 'uncompiled') this.#rules = compileRules(this.#loaded, this.#options.emulatedVersion);
    return this.#rules;
  }

  #handlersThroughStored(): Handlers | undefined {
    const { stored, handlers } = this.#options;
    return handlers && stored && this.conversion ? throughStored(this, handlers) : handlers;
  }
}
