/** Converts the schema of a resource to the type that expressions see. */
import type { Schema } from '../../contract/index.js';
import { bool, bytes, double, duration, dyn, int, list, map, object, string, timestamp } from '../check/types.js';
import {
  type DataField,
  type DataType,
  maxEntryCount,
  maxItemCount,
  maxRequestBytes,
  maxTextSize,
  minBytes,
} from './data-type.js';
import { escapeName, isPlainKeyword } from './names.js';

export interface DataTypeOptions {
  /** Whether the schema describes a whole resource. */
  readonly isResource?: boolean;
  /** Whether expressions can use names that are reserved words, as in later releases: `self.namespace`. */
  readonly plainKeywords?: boolean;
  /** Whether an enum bounds the length of its texts, as in later releases. */
  readonly enumsCount?: boolean;
}

/** How releases after 1.27 read schemas. */
export const laterReading: DataTypeOptions = { plainKeywords: true, enumsCount: true };

/** A type, and the fewest bytes that its values take in JSON. */
interface Sized {
  readonly data: DataType;
  readonly bytes: number;
}

/**
 * Returns the type of a schema, or `undefined` if expressions cannot use it. The name of an object type is its path,
 * which begins with `name`. At the root of a resource, embedded or not, expressions always see `apiVersion`, `kind`,
 * `metadata.name` and `metadata.generateName`.
 */
export function dataTypeOf(schema: Schema, name: string, options: DataTypeOptions = {}): DataType | undefined {
  return new SchemaReader(options).read(schema, name, options.isResource)?.data;
}

/** Returns the fewest bytes that values of a schema take in JSON. */
export function minimalBytes(schema: Schema): number {
  return new SchemaReader({}).read(schema, '')?.bytes ?? 0;
}

const text: Schema = { type: 'string' };

/** Adds the fields of every resource to a resource's schema, or returns the same schema if it has them all. */
function withHead(schema: Schema): Schema {
  const { kind, apiVersion, metadata: own } = schema.properties ?? {};
  if (kind && apiVersion && own?.properties?.name && own.properties.generateName) return schema;
  const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata } };
}

const byteLength = (value: string): number => new TextEncoder().encode(value).length;

class SchemaReader {
  constructor(private readonly options: DataTypeOptions) {}

  read(
    schema: Schema,
    name: string,
    isResource = schema['x-kubernetes-embedded-resource'] === true,
  ): Sized | undefined {
    const nullable = schema.nullable === true;
    if (schema['x-kubernetes-int-or-string'] === true) {
      return { data: { shape: 'dyn', type: dyn, nullable, maxSize: maxRequestBytes - 2 }, bytes: minBytes.number };
    }
    switch (schema.type) {
      case 'object': {
        const values = schema.additionalProperties;
        if (typeof values === 'object') return this.map(schema, values, name, nullable);
        return this.object(isResource ? withHead(schema) : schema, name, nullable);
      }
      case 'array':
        return this.list(schema, name, nullable);
      case 'string':
        return textType(schema, nullable, this.options.enumsCount === true);
      case 'boolean':
        return { data: { shape: 'bool', type: bool, nullable }, bytes: minBytes.bool };
      case 'number':
        return { data: { shape: 'double', type: double, nullable }, bytes: minBytes.number };
      case 'integer':
        return { data: { shape: 'int', type: int, nullable }, bytes: minBytes.number };
      default:
        return undefined;
    }
  }

  private object(schema: Schema, name: string, nullable: boolean): Sized {
    const required = new Set(schema.required);
    const fields = new Map<string, DataField>();
    let size = 2;
    for (const [property, inner] of Object.entries(schema.properties ?? {})) {
      const field = this.read(inner, `${name}.${property}`);
      if (field === undefined) continue;
      for (const escaped of this.namesOf(property)) fields.set(escaped, { property, data: field.data });
      if (required.has(property) && inner.default === undefined) size += byteLength(property) + field.bytes + 4;
    }
    return { data: { shape: 'object', type: object(name), nullable, fields }, bytes: size };
  }

  private namesOf(property: string): readonly string[] {
    const escaped = escapeName(property);
    if (escaped === undefined) return [];
    return this.options.plainKeywords === true && isPlainKeyword(property) ? [escaped, property] : [escaped];
  }

  private map(schema: Schema, inner: Schema, name: string, nullable: boolean): Sized | undefined {
    const values = this.read(inner, `${name}.@elem`);
    if (values === undefined) return undefined;
    const maxSize = Number(schema.maxProperties ?? maxEntryCount(values.bytes));
    const type = map(string, values.data.type);
    return { data: { shape: 'map', type, nullable, maxSize, values: values.data }, bytes: minBytes.map };
  }

  private list(schema: Schema, name: string, nullable: boolean): Sized | undefined {
    const items = schema.items && this.read(schema.items, `${name}.@idx`);
    if (items === undefined) return undefined;
    const kind = schema['x-kubernetes-list-type'];
    const data: DataType = {
      shape: 'list',
      type: list(items.data.type),
      nullable,
      maxSize: Number(schema.maxItems ?? maxItemCount(items.bytes)),
      items: items.data,
      ...(kind === 'set' || kind === 'map' ? { listType: kind } : {}),
      ...(kind === 'map' ? { keys: schema['x-kubernetes-list-map-keys'] ?? [] } : {}),
    };
    return { data, bytes: minBytes.list };
  }
}

function textType(schema: Schema, nullable: boolean, enumsCount: boolean): Sized {
  const maxSize = maxTextSize(schema, enumsCount);
  switch (schema.format) {
    case 'byte':
      return { data: { shape: 'bytes', type: bytes, nullable, maxSize }, bytes: minBytes.text };
    case 'duration':
      return { data: { shape: 'duration', type: duration, nullable, maxSize }, bytes: minBytes.duration };
    case 'date':
      return { data: { shape: 'date', type: timestamp, nullable, maxSize }, bytes: minBytes.date };
    case 'date-time':
    case 'datetime':
      return { data: { shape: 'timestamp', type: timestamp, nullable, maxSize }, bytes: minBytes.timestamp };
    default:
      return { data: { shape: 'text', type: string, nullable, maxSize }, bytes: minBytes.text };
  }
}
