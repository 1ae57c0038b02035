/** Makes a sample of a kind from its schema. */
import type { DynamicObject, KindSchema, OpenApiSchema, ServedKind } from 'kindforge/client';
import { resolve } from '../schema/resolve.js';

/** The deepest field of a sample. */
const deepest = 12;

/** The most values of a sample with optional fields: nobody reads more. */
const mostValues = 150;

/**
 * Returns an object with the required fields. Each has its example, its default or the first value that fits. With
 * `isFull`, adds optional fields down to a depth at which the sample is still easy to read.
 */
export function sampleOf(
  kind: ServedKind,
  known: KindSchema | undefined,
  namespace: string,
  isFull = false,
): DynamicObject {
  const { group, version } = kind;
  const place = kind.scope === 'Namespaced' ? { namespace: namespace || 'default' } : {};
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: kind.kind,
    metadata: { name: `my-${kind.kind.toLowerCase()}`, ...place },
    ...(known ? ownFields(known, isFull) : {}),
  };
}

/** Returns the fields of a sample besides the fields of every kind. */
function ownFields(known: KindSchema, isFull: boolean): Record<string, unknown> {
  const { properties = {}, required = [] } = resolve(known.schema, known.schemas).schema;
  const own = Object.entries(properties).filter(([name]) => !common.has(name));
  const shown = own.filter(([name]) => isFull || name === 'spec' || required.includes(name));
  const fields = (optionalDepth: number): [Record<string, unknown>, size: number] => {
    const sample = new Sample(known.schemas, optionalDepth);
    const values = shown.map(([name, schema]) => [name, sample.valueOf(schema, 1)] as const);
    const kept = values.filter(([name, value]) => required.includes(name) || name === 'spec' || !isEmpty(value));
    return [Object.fromEntries(kept), sample.size];
  };
  let [best] = fields(0);
  for (let depth = 2; isFull && depth <= deepest; depth++) {
    const [next, size] = fields(depth);
    if (size > mostValues) break;
    best = next;
  }
  return best;
}

const common = new Set(['apiVersion', 'kind', 'metadata', 'status']);

class Sample {
  /** The number of values so far. */
  size = 0;
  readonly #schemas: KindSchema['schemas'];
  readonly #optionalDepth: number;

  /** Optional fields need a smaller depth than `optionalDepth`. */
  constructor(schemas: KindSchema['schemas'], optionalDepth: number) {
    this.#schemas = schemas;
    this.#optionalDepth = optionalDepth;
  }

  valueOf(written: OpenApiSchema, depth: number): unknown {
    const { schema } = resolve(written, this.#schemas);
    this.size++;
    // Servers give each object the default `{}`, even if it has required fields.
    const given = [schema.example, schema.default, schema.enum?.[0]].find((one) => one !== undefined && !isEmpty(one));
    if (given !== undefined) return given;
    if (schema['x-kubernetes-int-or-string']) return 1;
    if (schema.type === 'array') return this.#itemsOf(schema, depth);
    if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
    if (schema.type === 'boolean') return false;
    if (schema.type === 'string')
      return schema.format === 'date-time'
        ? '2026-01-01T00:00:00Z'
        : 'x'.repeat(Math.min(Number(schema.minLength ?? 0), 100));
    return depth >= deepest ? {} : this.#fieldsOf(schema, depth);
  }

  #itemsOf({ items, minItems = 0 }: OpenApiSchema, depth: number): unknown[] {
    if (!items || (minItems === 0 && !this.#showsOptional(depth))) return [];
    const item = this.valueOf(items, depth + 1);
    return minItems === 0 && isEmpty(item) ? [] : [item];
  }

  #fieldsOf({ properties = {}, required = [], additionalProperties }: OpenApiSchema, depth: number): object {
    const fields: [string, unknown][] = [];
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (!isRequired && !this.#showsOptional(depth)) continue;
      const { readOnly, deprecated } = resolve(schema, this.#schemas).schema;
      if (!isRequired && (readOnly || deprecated)) continue;
      const value = this.valueOf(schema, depth + 1);
      if (isRequired || !isEmpty(value)) fields.push([name, value]);
    }
    if (typeof additionalProperties === 'object' && this.#showsOptional(depth))
      fields.push(['key', this.valueOf(additionalProperties, depth + 1)]);
    return Object.fromEntries(fields);
  }

  /**
   * Checks whether a sample with optional fields down to a depth is small enough. An endless schema is not, at some
   * depth.
   */
  #showsOptional(depth: number): boolean {
    return depth < this.#optionalDepth && this.size <= mostValues;
  }
}

/** Returns whether a value is an empty list or object. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
