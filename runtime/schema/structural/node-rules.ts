/** The rules of a single schema: it has one type, by a keyword or a marker, and API objects have the type object. */
import { stringAt } from '../../objects/guards.js';
import type { Fault } from './findings.js';
import { itemsAt, propertyOf, says, schemaAt, schemasAt, valueAt, type WrittenSchema } from './reading.js';
import { embedded, type Path, type SchemaNode } from './schema-node.js';

export const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';
export const intOrString = 'x-kubernetes-int-or-string';

export type NodeRule =
  | 'untyped'
  | 'untyped-root'
  | 'root-type'
  | 'root-map'
  | 'list-without-items'
  | 'int-or-string-marker'
  | 'embedded-type'
  | 'embedded-map'
  | 'embedded-empty'
  | 'meta-type'
  | 'metadata-restricted';

type Faults = Generator<Fault<NodeRule>>;

/** Yields the broken rules on the shape of values. */
export function* nodeFaults({ schema, level }: SchemaNode): Faults {
  const type = stringAt(schema, 'type');
  const value = type === '' ? undefined : type;
  const isRoot = level === 'root';
  const isMarked = says(schema, intOrString) || says(schema, keepsUnknown);
  if (says(schema, embedded) && type !== 'object') yield { rule: 'embedded-type', at: ['type'], value };
  else if (type === '' && !isMarked) yield { rule: 'untyped', at: ['type'] };
  else if (type === '' && isRoot) yield { rule: 'untyped-root', at: ['type'] };
  if (isRoot && type !== '' && type !== 'object') yield { rule: 'root-type', at: ['type'], value };
  const isMap = valueAt(schema, 'additionalProperties') !== undefined;
  if (isRoot && isMap) yield { rule: 'root-map', at: ['additionalProperties'] };
  if (type === 'array' && schemaAt(schema, 'items') === undefined) yield { rule: 'list-without-items', at: ['items'] };
  for (const name of says(schema, intOrString) ? [keepsUnknown, embedded] : []) {
    if (says(schema, name)) yield { rule: 'int-or-string-marker', at: [name], value: true, name };
  }
  if (says(schema, embedded)) {
    if (isMap) yield { rule: 'embedded-map', at: ['additionalProperties'] };
    if (!says(schema, keepsUnknown) && schemasAt(schema, 'properties').length === 0) {
      yield { rule: 'embedded-empty', at: ['properties'] };
    }
  }
  if (isRoot || says(schema, embedded)) yield* metaTypeFaults(schema);
  if (isRoot) yield* restrictionFaults(schema);
}

const metaTypes = { kind: 'string', apiVersion: 'string', metadata: 'object' } as const;

/** Checks the types of the fields that every object has. */
function* metaTypeFaults(schema: SchemaNode['schema']): Faults {
  for (const [name, wanted] of Object.entries(metaTypes)) {
    const property = propertyOf(schema, name);
    const type = stringAt(property, 'type');
    if (property === undefined || type === wanted) continue;
    yield { rule: 'meta-type', at: ['properties', name, 'type'], value: type, name };
  }
}

const ownKeys = new Set(['type', 'default', 'properties']);
const nameKeys = new Set(['name', 'generateName']);

/** Checks that the metadata of an object restricts only its names. */
function* restrictionFaults(schema: SchemaNode['schema']): Faults {
  const metadata = propertyOf(schema, 'metadata');
  if (metadata === undefined) return;
  const keys = Object.keys(metadata).filter((key) => !ownKeys.has(key) && says(metadata, key));
  const names = schemasAt(metadata, 'properties').flatMap(([name]) => (nameKeys.has(name) ? [] : [name]));
  const at = ['properties', 'metadata'];
  const parts: Path[] = [...keys.map((key) => [...at, key]), ...names.map((name) => [...at, 'properties', name])];
  if (parts.length > 0) yield { rule: 'metadata-restricted', at, parts };
}

export type KeywordRule =
  | 'type-unknown'
  | 'default-in-meta'
  | 'keyword-unsupported'
  | 'type-null'
  | 'items-list'
  | 'embedded-in-meta'
  | 'unique-items'
  | 'map-with-properties'
  | 'keeps-nothing';

export const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Yields the broken rules on keywords. */
export function* keywordFaults({ schema, raw, isInMeta, noDefaults }: SchemaNode): Generator<Fault<KeywordRule>> {
  const type = stringAt(schema, 'type');
  if (type !== '' && !types.includes(type)) yield { rule: 'type-unknown', at: ['type'], value: type };
  if (noDefaults !== undefined && valueAt(schema, 'default') !== undefined) {
    yield { rule: 'default-in-meta', at: ['default'], name: noDefaults };
  }
  for (const name of unsupportedIn(raw)) yield { rule: 'keyword-unsupported', at: [name], name };
  if (type === 'null') yield { rule: 'type-null', at: ['type'] };
  if (itemsAt(schema, 'items').length > 0) yield { rule: 'items-list', at: ['items'] };
  if (isInMeta && says(schema, embedded)) yield { rule: 'embedded-in-meta', at: [embedded] };
  if (says(schema, 'uniqueItems')) yield { rule: 'unique-items', at: ['uniqueItems'] };
  const values = valueAt(schema, 'additionalProperties');
  if (values !== undefined && schemasAt(schema, 'properties').length > 0) {
    yield { rule: 'map-with-properties', at: ['additionalProperties'], value: values === true };
  }
}

/** Returns keywords that are not allowed in any schema, in the order of reports. */
function unsupportedIn(schema: WrittenSchema): readonly string[] {
  const hasMembers = (key: string): boolean => Object.keys(schemaAt(schema, key) ?? {}).length > 0;
  const isThere = (key: string): boolean => valueAt(schema, key) !== undefined;
  return [
    ...['id'].filter((key) => says(schema, key)),
    ...['additionalItems'].filter(isThere),
    ...['patternProperties', 'definitions'].filter(hasMembers),
    ...['dependencies', '$ref'].filter(isThere),
  ];
}
