/** The schema of a kind as a tree of fields. A field is read when it is opened, so schemas may refer to themselves. */
import { childPath, splitPath } from './field-path.js';
import { isRecord, type JsonRecord, textAt, textsAt, valueAt } from './json.js';

/** A schema, and the schemas that it refers to by name. */
export interface SchemaSource {
  readonly root: unknown;
  readonly named: Readonly<Record<string, unknown>>;
}

export interface SchemaField {
  /** As in `spec.containers.image`; empty for the object itself. */
  readonly path: string;
  readonly name: string;
  /** The keywords of the field, and of the schema that it refers to. */
  readonly schema: JsonRecord;
  /** As in `[]Container`, `map[string]string` or `integer`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The fields below: of the object, of the items of a list, or of the values of a map. */
  readonly properties: JsonRecord;
  /** The names of the required fields below. */
  readonly required: readonly string[];
  /** Names of the schemas that lead to the field. */
  readonly via: readonly string[];
}

/** The most references to follow to a single schema. */
const maxHops = 32;

export const rootField = (source: SchemaSource): SchemaField => toField(source, '', '', source.root, false, []);

/** Finds a field; returns `undefined` if the schema has none at the path. */
export function fieldAt(source: SchemaSource, path: string): SchemaField | undefined {
  let field: SchemaField | undefined = rootField(source);
  for (const name of splitPath(path)) field = field && childOf(source, field, name);
  return field;
}

/** Returns the field with a name below another field. */
export function childOf(source: SchemaSource, parent: SchemaField, name: string): SchemaField | undefined {
  const schema = valueAt(parent.properties, name);
  if (schema === undefined) return undefined;
  return toField(source, childPath(parent.path, name), name, schema, parent.required.includes(name), parent.via);
}

export const hasChildren = ({ properties }: SchemaField): boolean => Object.keys(properties).length > 0;

function toField(
  source: SchemaSource,
  path: string,
  name: string,
  raw: unknown,
  isRequired: boolean,
  via: readonly string[],
): SchemaField {
  const own = resolve(source, raw);
  const inner = innermost(source, own);
  const properties = valueAt(inner.schema, 'properties');
  return {
    path,
    name,
    schema: own.schema,
    type: inner.type,
    isRequired,
    properties: isRecord(properties) ? properties : {},
    required: textsAt(inner.schema, 'required'),
    via: [...via, ...own.names, ...inner.names],
  };
}

interface Resolved {
  readonly schema: JsonRecord;
  /** The references that were followed. */
  readonly names: readonly string[];
}

/** Follows references: `$ref`, and `allOf` with a single one, as servers write it beside a default or description. */
function resolve({ named }: SchemaSource, raw: unknown): Resolved {
  let schema: JsonRecord = isRecord(raw) ? raw : {};
  const names: string[] = [];
  for (let hop = 0; hop < maxHops; hop++) {
    const name = referenceOf(schema);
    if (name === undefined) break;
    const target = valueAt(named, name);
    const { $ref: _, allOf: __, ...own } = schema;
    names.push(name);
    schema = { ...(isRecord(target) ? target : {}), ...own };
  }
  return { schema, names };
}

function referenceOf(schema: JsonRecord): string | undefined {
  const all = valueAt(schema, 'allOf');
  const holder = Array.isArray(all) && all.length === 1 ? all[0] : schema;
  const text = textAt(holder, '$ref') || textAt(schema, '$ref');
  return text === '' ? undefined : text.slice(text.lastIndexOf('/') + 1);
}

/** Goes through lists and maps to the schema of their items or values. */
function innermost(source: SchemaSource, { schema, names }: Resolved): Resolved & { readonly type: string } {
  let [inner, text, seen]: [JsonRecord, string, readonly string[]] = [schema, '', []];
  let last = names.at(-1);
  for (let hop = 0; hop < maxHops; hop++) {
    const [below, mark] = contentOf(inner);
    if (below === undefined) break;
    const next = resolve(source, below);
    [inner, text, seen] = [next.schema, `${text}${mark}`, [...seen, ...next.names]];
    last = next.names.at(-1);
  }
  return { schema: inner, names: seen, type: `${text}${typeOf(inner, last)}` };
}

function contentOf(schema: JsonRecord): readonly [unknown, string] {
  const [items, values] = [valueAt(schema, 'items'), valueAt(schema, 'additionalProperties')];
  if (isRecord(items)) return [items, '[]'];
  return isRecord(values) && !isRecord(valueAt(schema, 'properties')) ? [values, 'map[string]'] : [undefined, ''];
}

function typeOf(schema: JsonRecord, reference: string | undefined): string {
  if (valueAt(schema, 'x-kubernetes-int-or-string') === true || textAt(schema, 'format') === 'int-or-string') {
    return 'IntOrString';
  }
  if (reference !== undefined && isRecord(valueAt(schema, 'properties'))) {
    return reference.slice(reference.lastIndexOf('.') + 1);
  }
  return textAt(schema, 'type') || (isRecord(valueAt(schema, 'properties')) ? 'object' : 'any');
}
