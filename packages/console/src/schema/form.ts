/**
 * The model of a form: the possible values by a published schema. Nodes are made at their first use, because a schema
 * may refer to itself, or have thousands of fields.
 */
import type { KindSchema, OpenApiSchema } from 'kindforge/client';
import { resolve } from './resolve.js';

/** How to edit a value. `free` is any value, as YAML. */
export type NodeKind =
  | 'string'
  | 'choice'
  | 'date'
  | 'bytes'
  | 'number'
  | 'boolean'
  | 'int-or-string'
  | 'quantity'
  | 'object'
  | 'map'
  | 'list'
  | 'free';

export interface FormNode {
  readonly kind: NodeKind;
  /** The schema, with references resolved at this place only. */
  readonly schema: OpenApiSchema;
  readonly nullable: boolean;
  /** Fields of an object in the order of the schema. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The items of a list, or the values of a map. */
  readonly items: FormNode | undefined;
  /** How a list is merged, and the fields by which its items differ. */
  readonly list: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  /** Groups of fields. One group must be set, for example `[['a'], ['b']]`; empty for most objects. */
  readonly groups: readonly (readonly string[])[];
  /** Whether an object may have fields that the schema does not name. */
  readonly isOpen: boolean;
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  /** Whether the schema lacks it. */
  readonly unknown: boolean;
  readonly node: FormNode;
}

/** Returns the form of objects of a kind. */
export const formOf = ({ schema, schemas }: KindSchema): FormNode => new LazyNode(schema, schemas);

/** Returns a field that the schema lacks. */
export const unknownField = (name: string): Field => ({ name, required: false, unknown: true, node: freeNode });

class LazyNode implements FormNode {
  readonly schema: OpenApiSchema;
  readonly kind: NodeKind;
  readonly #schemas: KindSchema['schemas'];
  #fields: ReadonlyMap<string, Field> | undefined;
  #items: FormNode | undefined;

  constructor(written: OpenApiSchema, schemas: KindSchema['schemas']) {
    const { schema, typeName } = resolve(written, schemas);
    this.schema = schema;
    this.#schemas = schemas;
    this.kind = kindOf(schema, typeName);
  }

  get nullable(): boolean {
    return this.schema.nullable === true;
  }

  get fields(): ReadonlyMap<string, Field> {
    const required = new Set(this.schema.required);
    this.#fields ??= new Map(
      Object.entries(this.schema.properties ?? {}).map(([name, schema]) => [
        name,
        new LazyField(name, required.has(name), schema, this.#schemas),
      ]),
    );
    return this.#fields;
  }

  get items(): FormNode | undefined {
    const { items, additionalProperties } = this.schema;
    const inner = this.kind === 'list' ? items : additionalProperties;
    if (typeof inner !== 'object') return this.kind === 'list' ? freeNode : undefined;
    this.#items ??= new LazyNode(inner, this.#schemas);
    return this.#items;
  }

  get list(): 'atomic' | 'set' | 'map' {
    const type = this.schema['x-kubernetes-list-type'];
    return type === 'set' || type === 'map' ? type : 'atomic';
  }

  get keys(): readonly string[] {
    return this.schema['x-kubernetes-list-map-keys'] ?? [];
  }

  get groups(): readonly (readonly string[])[] {
    const branches = this.schema.oneOf ?? [];
    const names = branches.map(({ required = [] }) => required);
    return names.length > 1 && names.every((group) => group.length > 0) ? names : [];
  }

  get isOpen(): boolean {
    return this.schema['x-kubernetes-preserve-unknown-fields'] === true;
  }
}

class LazyField implements Field {
  readonly name: string;
  readonly required: boolean;
  readonly unknown = false;
  readonly #schema: OpenApiSchema;
  readonly #schemas: KindSchema['schemas'];
  #node: FormNode | undefined;

  constructor(name: string, required: boolean, schema: OpenApiSchema, schemas: KindSchema['schemas']) {
    this.name = name;
    this.required = required;
    this.#schema = schema;
    this.#schemas = schemas;
  }

  get node(): FormNode {
    this.#node ??= new LazyNode(this.#schema, this.#schemas);
    return this.#node;
  }
}

/** Matches quantities. Built-in kinds have a type for them; definitions only have a pattern. */
const quantityPattern = '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)';

function kindOf(schema: OpenApiSchema, typeName: string): NodeKind {
  const { type, format, properties, additionalProperties: values, pattern = schema['x-re2-pattern'] ?? '' } = schema;
  if (typeName.endsWith('.Quantity') || pattern.startsWith(quantityPattern)) return 'quantity';
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return 'int-or-string';
  if (schema['x-kubernetes-embedded-resource'] === true) return 'free';
  if (type === 'array') return 'list';
  if (properties !== undefined) return Object.keys(properties).length > 0 || values === undefined ? 'object' : 'free';
  if (typeof values === 'object') return 'map';
  if (schema.enum?.every((value) => typeof value === 'string')) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'free';
  if (format === 'byte') return 'bytes';
  return format === 'date-time' ? 'date' : 'string';
}

const freeNode: FormNode = new LazyNode({}, {});
