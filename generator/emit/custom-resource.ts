/** Converts a resource into a CustomResourceDefinition, for servers that only know these. */
import type { JsonObject, JsonValue, PrinterColumn, Schema, Subresource } from '../../runtime/contract/index.js';
import type { ResourceModel, VersionModel } from '../model/model.js';

/** A definition, and the native keywords that it cannot express, by their places. */
export type ExportedDefinition =
  | { readonly ok: true; readonly definition: CustomResource; readonly leftOut: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** A CustomResourceDefinition. */
export type CustomResource = JsonObject & { readonly metadata: { name: string } };

export interface ExportOptions {
  /** As in `apiextensions.k8s.io/v1`. */
  readonly apiVersion: string;
  /** `spec.conversion`. */
  readonly conversion?: JsonObject;
}

/** Keywords that only say how objects are encoded, and do not change what is valid. */
const ofCode = new Set(['x-kindforge-type', 'x-kindforge-presence', 'x-kindforge-time', 'x-kindforge-introduced']);

/** Maximum length of a warning that servers accept, in characters. */
const MAX_WARNING = 256;

export function toCustomResource(resource: ResourceModel, options: ExportOptions): ExportedDefinition {
  const { group, names, scope, versions, storedAs, virtual } = resource;
  const name = `${names.plural}.${group}`;
  if (group === '') return { ok: false, problem: `${names.plural} is of the core group` };
  if (storedAs) return { ok: false, problem: `${name} is stored as another kind` };
  if (virtual) return { ok: false, problem: `objects of ${name} are never stored` };
  const leftOut = new Set<string>();
  const definition = {
    apiVersion: options.apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope,
      names: withoutEmpty({ ...names, shortNames: [...names.shortNames], categories: [...names.categories] }),
      ...(options.conversion ? { conversion: options.conversion } : {}),
      versions: versions.map((version) => versionOf(version, leftOut)),
    },
  };
  return { ok: true, definition, leftOut: [...leftOut] };
}

function versionOf(version: VersionModel, leftOut: Set<string>): JsonObject {
  const { name, served, storage, schema, columns, selectableFields, deprecation } = version;
  return withoutEmpty({
    name,
    served,
    storage,
    ...(deprecation ? { deprecated: true } : {}),
    ...(deprecation && deprecation.message.length <= MAX_WARNING ? { deprecationWarning: deprecation.message } : {}),
    subresources: subresourcesOf(version, leftOut),
    selectableFields: selectableFields.map((path): JsonObject => ({ jsonPath: `.${path}` })),
    additionalPrinterColumns: columns.map(columnOf),
    schema: { openAPIV3Schema: rootOf(schema, leftOut) },
  });
}

function subresourcesOf({ subresources, name }: VersionModel, leftOut: Set<string>): JsonObject {
  const found: JsonObject = {};
  for (const subresource of subresources) {
    if (subresource.name === 'status') found.status = {};
    else if (subresource.scale) found.scale = scaleOf(subresource.scale);
    else leftOut.add(`the subresource ${subresource.name} of ${name}`);
  }
  return found;
}

const scaleOf = (scale: NonNullable<Subresource['scale']>): JsonObject => ({ ...scale });

const columnOf = ({ age: _age, ...column }: PrinterColumn): JsonObject => ({ ...column });

/** Returns the root of a schema. A definition can only restrict the name in metadata. */
function rootOf(schema: Schema, leftOut: Set<string>): JsonObject {
  const { properties: { metadata: _metadata, ...properties } = {}, ...root } = schema;
  return schemaOf({ ...root, properties: { ...properties, metadata: { type: 'object' } } }, '', leftOut);
}

/** Returns a schema without the keywords of native definitions. */
function schemaOf(schema: Schema, path: string, leftOut: Set<string>): JsonObject {
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue;
    if (keyword.startsWith('x-kindforge-')) {
      if (!ofCode.has(keyword)) leftOut.add(`${keyword} of \`${path}\``);
    } else if (keyword === 'x-kubernetes-list-type' && schema.type !== 'array') {
      leftOut.add(`${keyword} of \`${path}\`, which is not a list`);
    } else if (keyword === 'properties') result.properties = propertiesOf(schema, path, leftOut);
    else if (keyword === 'items' && schema.items) result.items = schemaOf(schema.items, `${path}[]`, leftOut);
    else if (keyword === 'additionalProperties' && typeof schema.additionalProperties === 'object')
      result.additionalProperties = schemaOf(schema.additionalProperties, `${path}{}`, leftOut);
    else result[keyword] = plain(value);
  }
  return result;
}

function propertiesOf({ properties = {} }: Schema, path: string, leftOut: Set<string>): JsonObject {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const entries = Object.entries(properties).map(([name, child]) => [name, schemaOf(child, below(name), leftOut)]);
  return Object.fromEntries(entries);
}

/** Returns a keyword's value without keywords of native definitions. Combinations may have these too. */
function plain(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
    return typeof value === 'boolean' ? value : null;
  }
  const kept = Object.entries(value).filter(([key, each]) => each !== undefined && !key.startsWith('x-kindforge-'));
  return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
}

/** Returns an object without empty lists and maps. */
function withoutEmpty(object: JsonObject): JsonObject {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}
