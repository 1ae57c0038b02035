/** A schema in the form the compiler works on: equal parts are one node, and what has no effect is gone. */
import type { JsonValue, Schema } from '../contract/index.js';
import { isKnownFormat } from './support/formats/index.js';

/** A part of a schema. Nodes are equal exactly if they are the same. */
export interface Node {
  /** Counts from 0 within one compilation. */
  readonly id: number;
  /** The first schema with this meaning, for the keywords that need no preparation. */
  readonly schema: Schema;
  /** Only where it is checked: unknown formats, and formats of other types, are left out. */
  readonly format?: string;
  /** In the order of the schema. */
  readonly properties: ReadonlyMap<string, Node>;
  /** `any`: `additionalProperties: true`. */
  readonly additional?: Node | 'any';
  readonly items?: Node;
  readonly anyOf: readonly Node[];
  readonly oneOf: readonly Node[];
  readonly allOf: readonly Node[];
  readonly not?: Node;
}

/** Keywords that make a difference and stand for themselves. */
const ownKeywords = [
  'type',
  'nullable',
  'default',
  'enum',
  'required',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
  'x-kindforge-type',
  'x-kindforge-within',
  'x-kindforge-or',
  'x-kindforge-presence',
  'x-kindforge-immutable',
  'x-kindforge-feature-gate',
  'x-kindforge-introduced',
  'x-kindforge-non-empty',
  'x-kindforge-unique',
  'x-kindforge-name-format',
  'x-kindforge-messages',
  'x-kindforge-report-as',
  'x-kindforge-time',
  'x-kindforge-unchecked',
] as const satisfies readonly (keyof Schema)[];

/** Makes nodes of schemas. Linear in the size of the schema; its depth is bounded by whoever decoded it. */
export class NodeTable {
  private readonly nodes = new Map<string, Node>();

  /** The node of a schema, made if there is none yet. */
  node(schema: Schema): Node {
    const properties = new Map<string, Node>();
    for (const [name, child] of Object.entries(schema.properties ?? {})) properties.set(name, this.node(child));
    const { additionalProperties, items, not } = schema;
    const format = checkedFormat(schema);
    const draft = {
      schema,
      ...(format === undefined ? {} : { format }),
      properties,
      ...(additionalProperties ? { additional: this.additional(additionalProperties) } : {}),
      ...(items ? { items: this.node(items) } : {}),
      anyOf: this.all(schema.anyOf),
      oneOf: this.all(schema.oneOf),
      allOf: this.all(schema.allOf),
      ...(not ? { not: this.node(not) } : {}),
    };
    const key = keyOf(draft);
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    const made: Node = { id: this.nodes.size, ...draft };
    this.nodes.set(key, made);
    return made;
  }

  private additional(schema: true | Schema): Node | 'any' {
    return schema === true ? 'any' : this.node(schema);
  }

  private all(schemas: readonly Schema[] | undefined): readonly Node[] {
    return (schemas ?? []).map((schema) => this.node(schema));
  }
}

/** A text that two nodes share exactly if they mean the same. */
function keyOf(draft: Omit<Node, 'id'>): string {
  const { schema, format, properties, additional, items, anyOf, oneOf, allOf, not } = draft;
  const own: string[] = [];
  for (const keyword of ownKeywords) {
    const value = schema[keyword];
    if (value !== undefined) own.push(`${keyword}=${exactJson(value)}`);
  }
  const children = [...properties].map(([name, node]) => `${JSON.stringify(name)}:${node.id}`);
  const ids = (nodes: readonly Node[]): string => nodes.map(({ id }) => id).join(',');
  const rest = additional === 'any' ? 'any' : (additional?.id ?? '');
  const combined = `${ids(anyOf)}|${ids(oneOf)}|${ids(allOf)}|${not?.id ?? ''}`;
  return `${own.join(';')}#${format ?? ''}#${children.join(',')}#${rest}#${items?.id ?? ''}#${combined}`;
}

/** JSON in which large integers differ from each other and from texts. */
function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, found: unknown) =>
    typeof found === 'bigint' ? { int: found.toString() } : found,
  );
}

/** The format of a schema if it is one that its type can have. */
function checkedFormat({ type, format }: Schema): string | undefined {
  if (format === undefined) return undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined;
  if (type === 'number') return format === 'float' || format === 'double' ? format : undefined;
  if (type === undefined || type === 'string') return isKnownFormat(format) ? format : undefined;
  return undefined;
}

/** Whether a value takes part in a schema as an object does. */
export function holdsObjects(node: Node): boolean {
  return node.properties.size > 0 || node.additional !== undefined;
}

/** The node of a map's values or of an object's further properties, if a schema describes them. */
export function additionalNode(node: Node): Node | undefined {
  return node.additional === 'any' ? undefined : node.additional;
}

/** A default, if a schema has one; null is none. */
export function defaultOf({ schema }: Node): JsonValue | undefined {
  return schema.default ?? undefined;
}
