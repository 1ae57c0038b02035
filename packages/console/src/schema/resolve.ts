/** Follows the references at one place of an OpenAPI document. */
import type { KindSchema, OpenApiSchema } from 'kindforge/client';

interface Resolved {
  readonly schema: OpenApiSchema;
  /** The name of the type behind the reference; empty without a reference. */
  readonly typeName: string;
}

/** The most references to follow to one schema. A type may refer to itself only. */
const maxReferences = 20;

/** Merges the references of a schema, and of its `allOf`, into the schema. Its own keywords win. */
export function resolve(written: OpenApiSchema, schemas: KindSchema['schemas']): Resolved {
  let schema = written;
  let typeName = '';
  for (let i = 0; i < maxReferences; i++) {
    const { $ref, ...own } = schema;
    const parts = [...($ref === undefined ? [] : [{ $ref }]), ...(own.allOf ?? [])];
    if (parts.length === 0) return { schema, typeName };
    const { allOf: _, ...rest } = own;
    const opened = parts.map((part) => {
      const name = part.$ref?.split('/').at(-1) ?? '';
      typeName ||= name;
      return name === '' ? part : Object.hasOwn(schemas, name) ? (schemas[name] ?? {}) : {};
    });
    schema = [rest, ...opened].reduce(merge);
  }
  return { schema: {}, typeName };
}

/** Merges two schemas of one value. */
function merge(one: OpenApiSchema, other: OpenApiSchema): OpenApiSchema {
  const properties = one.properties && other.properties ? { ...other.properties, ...one.properties } : undefined;
  const required = one.required && other.required ? [...one.required, ...other.required] : undefined;
  const allOf = one.allOf && other.allOf ? [...one.allOf, ...other.allOf] : undefined;
  return {
    ...other,
    ...one,
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
    ...(allOf === undefined ? {} : { allOf }),
  };
}
