/** Prepares a module for service: computes once what every request needs. */
import { arrangeRules, compileRuleTree, laterReading, type RulePlace } from '../cel/index.js';
import { environmentOf } from '../cel/releases.js';
import { compileProtobuf, type ProtobufCodec } from '../codec/protobuf/codec.js';
import type {
  AdmissionPlugin,
  Deprecation,
  Handlers,
  KindReference,
  NamedConversion,
  Operation,
  Rename,
  ResourceCode,
  ResourceModule,
  Schema,
  SchemaFunctions,
  Stability,
  Subresource,
  VirtualHandler,
} from '../contract/index.js';
import {
  compileTypedPlan,
  type FieldSet,
  fieldElement,
  fieldSetOf,
  strategicSchema,
  type TypedPlan,
  type VersionSource,
} from '../merge/index.js';
import { memoize } from '../objects/memoize.js';
import { formatGroupVersion } from '../objects/names/names.js';
import { emulate, isReached, type Release } from '../objects/release.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { formatsOf, schemaFunctions } from '../schema/index.js';
import { selectableFields } from './encoding.js';
import { type ListPlace, listPlaces } from './list-places.js';
import { bindConversion, storedFieldOf, throughStored, versionSource } from './other-versions.js';
import { type DefaultsPlace, repeatedDefaults } from './repeated-defaults.js';
import {
  type BoundConversion,
  codeOf,
  collectionPrefix,
  type DefinedAtRunTime,
  loadAll,
  type RemoteConversion,
  type ServedResource,
} from './served-resource.js';

export interface ServeOptions {
  /** Handlers of the stored version. They get objects of that version. */
  readonly handlers?: Handlers;
  /** The handlers of this version, if it has its own. */
  readonly ownHandlers?: Handlers;
  readonly plugins?: readonly AdmissionPlugin[];
  /** The stored version, if it is another one. */
  readonly stored?: ServedResource;
  /** The release of the server. Default: the specified one with the latest machinery. */
  readonly release?: Release | undefined;
  readonly virtualHandlers?: readonly VirtualHandler[];
  /** Finds a kind in all its versions, the named one first. */
  readonly acceptedVersions?: (kind: KindReference) => readonly ServedResource[];
  /** Finds another version with the same stored version. */
  readonly sibling?: (apiVersion: string) => ServedResource | undefined;
  /** The conversion that the module names. */
  readonly namedConversion?: NamedConversion;
  /** Maps platform names to served names. Default: names stay as they are. */
  readonly rename?: Rename;
  /** All versions with the same stored version, this one included. Default: only this one. */
  readonly family?: readonly ResourceModule[];
  /** Present if a stored definition defines the resource. */
  readonly defined?: DefinedAtRunTime;
  /** Converts between versions if a webhook does so. */
  readonly remote?: RemoteConversion | undefined;
}

/** Prepares a module for service. */
export const serveResource = (module: ResourceModule, options: ServeOptions = {}): ServedResource =>
  new PreparedResource(module, options);

/** Compiles schemas, plans and rules on first use, because most kinds of a server are never written to. */
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
    const { release = emulate(), virtualHandlers = [], plugins = [], sibling, stored } = options;
    this.module = module;
    this.#options = options;
    this.apiVersion = group === '' ? version : `${group}/${version}`;
    this.groupResource = group === '' ? names.plural : `${names.plural}.${group}`;
    this.keyPrefix = stored?.keyPrefix ?? collectionPrefix(group, names.plural);
    this.stored = stored ?? this;
    this.deprecation = deprecationOf(module, release.name);
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
    this.resetFields = memoize((subresource) => resetFieldsOf(this, subresource, release));
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
      formats: formatsOf(this.#options.release),
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
    this.#plan ??= compileTypedPlan(
      this.schema,
      this.module.decoding,
      (this.#options.release ?? emulate()).does('keysOfItemsMayMiss'),
    );
    return this.#plan;
  }

  get emptyLists(): ListPlace | undefined {
    // Definitions of custom resources cannot declare such lists.
    if (this.#emptyLists === 'unknown')
      this.#emptyLists = this.module.decoding === 'typed' ? listPlaces(this.schema) : undefined;
    return this.#emptyLists;
  }

  get repeatedDefaults(): DefaultsPlace | undefined {
    if (this.#repeatedDefaults === 'unknown') this.#repeatedDefaults = repeatedDefaults(this.schema);
    return this.#repeatedDefaults;
  }

  get rules(): RulePlace | undefined {
    if (this.#rules === 'uncompiled') this.#rules = compileRules(this.#loaded, this.#options.release ?? emulate());
    return this.#rules;
  }

  get enumsBlockRules(): boolean {
    return (this.#options.release ?? emulate()).does('enumsBlockRules');
  }

  get dropsDirectives(): boolean {
    return (this.#options.release ?? emulate()).does('directivesWithoutTarget');
  }

  get showsRuleValues(): boolean {
    return (this.#options.release ?? emulate()).does('valuesInRuleErrors');
  }

  #handlersThroughStored(): Handlers | undefined {
    const { stored, handlers } = this.#options;
    return handlers && stored && this.conversion ? throughStored(this, handlers) : handlers;
  }
}

/** Finds the plugins of an operation and a subresource, in order. Remembers the results. */
function admissionTable(module: ResourceModule, plugins: readonly AdmissionPlugin[]): ServedResource['admission'] {
  const pluginsOf = (operation: Operation) =>
    memoize((subresource) => plugins.filter((plugin) => plugin.handles(module, operation, subresource)));
  const byOperation = {
    CREATE: pluginsOf('CREATE'),
    UPDATE: pluginsOf('UPDATE'),
    DELETE: pluginsOf('DELETE'),
    CONNECT: pluginsOf('CONNECT'),
  };
  return (operation, subresource) => byOperation[operation](subresource);
}

/**
 * Returns the deprecation of a version in a release: the definition's own, or one from its stability. Returns
 * `undefined` if the version is not deprecated yet.
 */
export function deprecationOf(module: ResourceModule, release: string): Deprecation | undefined {
  const { deprecation, stability } = module;
  if (stability === undefined || stability.deprecated === undefined) return deprecation;
  if (!isReached(stability.deprecated, release)) return undefined;
  const { removed } = stability;
  const message = deprecation?.message ?? warningOf(module, stability.deprecated, stability);
  const removedRelease = deprecation?.removedRelease ?? removed;
  return { message, ...(removedRelease === undefined ? {} : { removedRelease }) };
}

/**
 * Returns a warning, as in
 * `example.com/v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+; use example.com/v1 Widget`.
 */
function warningOf({ group, version, names }: ResourceModule, deprecated: string, life: Stability): string {
  const { removed, replacement } = life;
  const until = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const better = replacement && formatGroupVersion(replacement.group ?? group, replacement.version);
  const instead = replacement === undefined ? '' : `; use ${better} ${replacement.kind ?? names.kind}`;
  return `${formatGroupVersion(group, version)} ${names.kind} is deprecated in v${deprecated}+${until}${instead}`;
}

/**
 * Returns the fields that writes to the object (empty) or to a subresource never own, because these writes cannot
 * change them. For the object itself this is the status. For a subresource it is every field that the subresource does
 * not write.
 */
export function resetFieldsOf(
  resource: Pick<ServedResource, 'module' | 'schema'>,
  subresource: string,
  release: Release = emulate(),
): FieldSet {
  const { module } = resource;
  const target = module.subresources.find(({ name }) => name === subresource);
  if (!target) {
    const status = module.subresources.some(({ name }) => name === 'status') ? ['status'] : [];
    return toFieldSet(pathsOf([...status, ...(module.untracked ?? [])]));
  }
  const others = complement(resource.schema, pathsOf(target.writes), []);
  // For custom resources, the reference long recorded owners of metadata even if the write did not change it.
  const ownsMetadata = module.decoding === 'structural' && !release.does('statusLeavesOwnersOfMetadata');
  const metadata = target.writesMetadata || ownsMetadata ? [] : [['metadata']];
  return toFieldSet([...others, ...metadata, ...pathsOf(target.untracked ?? [])]);
}

const pathsOf = (texts: readonly string[]): string[][] => texts.map((text) => text.split('.'));

const toFieldSet = (paths: readonly (readonly string[])[]): FieldSet =>
  fieldSetOf(paths.map((path) => path.map(fieldElement)));

/** Returns the topmost fields of a schema outside all given paths. */
function complement(schema: Schema, keep: readonly (readonly string[])[], at: readonly string[]): string[][] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    if (at.length === 0 && envelope.has(name)) return [];
    const below = keep.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (below.length === 0) return [[...at, name]];
    if (below.some((rest) => rest.length === 0)) return [];
    return complement(schema.properties?.[name] ?? {}, below, [...at, name]);
  });
}

const envelope: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the rules of a version. Generated rules may use features of all releases. If there are none, or for release
 * 1.27, compiles the rules here.
 */
function compileRules({ schema, rules }: ResourceCode, release: Release): RulePlace | undefined {
  const environment = environmentOf(release, 'stored');
  if (!release.does('laterExpressions')) return compileRuleTree(schema, environment);
  return rules === undefined ? compileRuleTree(schema, environment, laterReading) : arrangeRules(schema, rules);
}
