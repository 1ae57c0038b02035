/** Collects the definitions of a document, each once: kinds, lists, and all shared types that they refer to. */
import type { Schema } from '../../contract/index.js';
import { isReached, isThere } from '../../objects/release.js';
import { cutSchemas } from '../schema-in-release.js';
import { libraryIn } from '../types-by-version.js';
import type { GroupVersionKind, SchemaObject } from './document.js';
import { type MetaKind, metaTypes } from './meta-types.js';
import { capitalize, kindId, type OpenApiNaming, parseTypeName, type TypeName, typeId } from './naming.js';
import type { OpenApiResource } from './options.js';
import { convertBody, convertSchema, withTypeMeta } from './schema-objects.js';
import { type Conversion, withZeroDefault } from './zero-defaults.js';

/** The definitions of a document in progress. */
export interface Definitions {
  /** Adds a resource's kind, its list kind if clients can list it, and all types that these refer to. */
  addResource(resource: OpenApiResource): void;
  /** Adds a shared type by its id in operations. Does nothing for ids of kinds, which `addResource` adds. */
  addShared(id: string): void;
  /** Returns all added definitions, sorted by id. */
  entries(): Readonly<Record<string, SchemaObject>>;
}

export interface DefinitionsOptions {
  readonly version: 2 | 3;
  readonly naming: OpenApiNaming;
  /** Shared types of libraries as `<library>#/<Name>`. Without it, a type has the description of its first use. */
  readonly types?: ReadonlyMap<string, Schema>;
  /** The emulated release. */
  readonly release?: string;
  /** The group versions of built-in kinds, for types that are registered in all of them. */
  readonly groupVersions: readonly { readonly group: string; readonly version: string }[];
  /**
   * All resources, including other documents' resources. A shared type may be one of their kinds, such as claims in
   * templates.
   */
  readonly resources: readonly OpenApiResource[];
}

const refPrefixes = { 2: '#/definitions/', 3: '#/components/schemas/' } as const;

/** Returns the reference to a definition in a document of this version. */
export function refTo(version: 2 | 3, id: string): string {
  return refPrefixes[version] + id;
}

export function createDefinitions(options: DefinitionsOptions): Definitions {
  const { version, naming } = options;
  const written = new Map<string, SchemaObject>();
  const sources = new Map<string, Schema>();
  const metaIds = new Map([...metaTypes.keys()].map((name) => [typeId(parseTypeName(name), naming), name]));
  const kinds = kindsById(options);
  const { release } = options;
  const inRelease =
    release === undefined ? (schema: Schema) => schema : cutSchemas(release, (one) => isThere(one, release));

  /** Writes a definition unless it exists. Registers it before its parts, because they may refer back to it. */
  const define = (id: string, source: Schema, conversion: Conversion, gvks: readonly GroupVersionKind[] = []): void => {
    // The definition of a kind as a resource wins over its definition as a part of another kind.
    if (sources.has(id) || written.has(id)) return;
    sources.set(id, source);
    const body = convertBody(source, conversion);
    written.set(id, gvks.length === 0 ? body : { ...body, 'x-kubernetes-group-version-kind': gvks });
  };

  const defineMeta = (name: string, id: string): void => {
    const meta = metaTypes.get(name);
    if (meta === undefined || sources.has(id)) return;
    const latest = version === 3 ? (meta.schemaV3 ?? meta.schema) : meta.schema;
    define(id, inRelease(latest), metaConversion, kindsOf(meta.kind, parseTypeName(name).name, options));
  };

  const referenceFrom =
    (idOf: (type: TypeName) => string, conversion: () => Conversion): Conversion['reference'] =>
    (text, node) => {
      const type = parseTypeName(text);
      const name = `${type.library}#/${type.name}`;
      if (isPlain(node) && !metaTypes.has(name)) return undefined;
      const id = idOf(type);
      const kind = kinds.get(id);
      if (metaTypes.has(name)) defineMeta(name, id);
      else if (kind !== undefined) defineKind(id, kind);
      else define(id, options.types?.get(name) ?? typeAlone(node), conversion());
      return { $ref: refTo(version, id), own: sources.get(id) ?? node };
    };

  const metaConversion: Conversion = {
    version,
    decoding: 'typed',
    release: options.release,
    reference: referenceFrom(
      (type) => typeId(type, naming),
      () => metaConversion,
    ),
  };

  const conversionFor = (resource: OpenApiResource): Conversion => {
    const idOf = (type: TypeName): string =>
      type.library === ''
        ? kindId(resource, type.name, naming)
        : typeId({ ...type, library: libraryIn(resource.version, type.library) }, naming);
    const conversion: Conversion = {
      version,
      decoding: resource.decoding,
      release: options.release,
      reference: referenceFrom(idOf, () => conversion),
    };
    return conversion;
  };

  const defineKind = (id: string, resource: OpenApiResource): void => {
    if (sources.has(id)) return;
    sources.set(id, resource.schema);
    written.set(id, kindSchema(resource, conversionFor(resource)));
  };

  return {
    addResource(resource) {
      const { names } = resource;
      const id = kindId(resource, names.kind, naming);
      defineKind(id, resource);
      if (!resource.verbs.includes('list')) return;
      const listId = kindId(resource, names.listKind, naming);
      written.set(listId, listSchema(resource, refTo(version, id), conversionFor(resource)));
    },
    addShared(id) {
      const name = metaIds.get(id);
      if (name !== undefined) defineMeta(name, id);
    },
    entries: () => Object.fromEntries([...written].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** Returns the kinds that shared types may name, by the ids of their definitions. */
function kindsById({ resources, naming }: DefinitionsOptions): ReadonlyMap<string, OpenApiResource> {
  const typed = resources.filter(({ decoding }) => decoding === 'typed');
  return new Map(typed.map((resource) => [kindId(resource, resource.names.kind, naming), resource]));
}

/**
 * Returns whether a type is written at each use: named strings, lists and maps are. Structs and types of any shape have
 * definitions.
 */
function isPlain({ type, additionalProperties }: Schema): boolean {
  return (type !== undefined && type !== 'object') || additionalProperties !== undefined;
}

/** Returns the schema of a type from its first use, without the keywords of the use. */
function typeAlone(use: Schema): Schema {
  const {
    default: _default,
    nullable: _nullable,
    'x-kubernetes-patch-strategy': _strategy,
    'x-kubernetes-patch-merge-key': _mergeKey,
    'x-kindforge-presence': _presence,
    ...type
  } = use;
  return type;
}

function kindsOf(kind: MetaKind | undefined, name: string, options: DefinitionsOptions): GroupVersionKind[] {
  if (kind === undefined) return [];
  const core = { group: '', kind: name, version: 'v1' };
  if (kind === 'core') return [core];
  if (kind !== 'every-group-version') return [{ group: kind.group, kind: name, version: kind.version }];
  const others = options.groupVersions.filter(({ group, version }) => group !== '' || version !== 'v1');
  return [core, ...others.map(({ group, version }) => ({ group, kind: name, version }))];
}

function gvkOf({ group, version }: OpenApiResource, kind: string): readonly GroupVersionKind[] {
  return [{ group, kind, version }];
}

function kindSchema(resource: OpenApiResource, conversion: Conversion): SchemaObject {
  const { schema, names } = resource;
  const gvk = { 'x-kubernetes-group-version-kind': gvkOf(resource, names.kind) };
  const description = schema.description === undefined ? {} : { description: schema.description };
  if (conversion.version === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true) {
    // Clients assume that all properties are listed. So an open object must list none, not even its metadata.
    return { ...description, type: 'object', ...gvk };
  }
  const body = convertBody(resource.decoding === 'typed' ? nameParts(resource) : schema, conversion);
  return {
    ...body,
    ...description,
    type: 'object',
    properties: withTypeMeta(body.properties ?? {}, conversion),
    ...gvk,
    ...selectableFields(resource, conversion),
  };
}

/** The first release that lists selectable fields of custom resources in documents. */
const selectableSince = '1.30';

function selectableFields(
  { decoding, selectableFields: fields }: OpenApiResource,
  { release }: Conversion,
): Pick<SchemaObject, 'x-kubernetes-selectable-fields'> {
  const isTold = release === undefined || isReached(selectableSince, release);
  if (decoding === 'typed' || fields.length === 0 || !isTold) return {};
  return { 'x-kubernetes-selectable-fields': fields.map((fieldPath) => ({ fieldPath })) };
}

/** Gives type names to `spec` and `status` of a built-in kind if the definition has them inline. */
function nameParts({ schema, names }: OpenApiResource): Schema {
  const named = ['spec', 'status'].flatMap((part) => {
    const node = schema.properties?.[part];
    const unnamed = node?.properties !== undefined && node['x-kindforge-type'] === undefined;
    return unnamed ? [[part, { ...node, 'x-kindforge-type': names.kind + capitalize(part) }] as const] : [];
  });
  return named.length === 0
    ? schema
    : { ...schema, properties: { ...schema.properties, ...Object.fromEntries(named) } };
}

function listSchema(resource: OpenApiResource, itemRef: string, conversion: Conversion): SchemaObject {
  const { names } = resource;
  const metadata: Schema = {
    description: 'Metadata of the list.',
    'x-kindforge-type': 'meta/v1#/ListMeta',
    'x-kindforge-presence': 'always',
  };
  const items = withZeroDefault({ $ref: itemRef }, {}, conversion, 'part', true);
  return {
    description: `A list of ${names.kind} objects.`,
    type: 'object',
    required: ['items'],
    properties: {
      ...withTypeMeta({}, conversion),
      items: { description: `The ${names.plural}.`, type: 'array', items },
      metadata: convertSchema(metadata, conversion),
    },
    'x-kubernetes-group-version-kind': gvkOf(resource, names.listKind),
  };
}
