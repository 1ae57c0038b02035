/** Follows references of OpenAPI documents, at one place only. */
import type { KindSchema, OpenApiSchema } from 'kindforge/client';

interface Resolved {
  readonly schema: OpenApiSchema;
  /** The name of the type that was referred to; empty if there was none. */
  readonly typeName: string;
}

/** How many references may lead to one schema; a type that only refers to itself says nothing. */
const maxReferences = 20;

/** Returns a schema with its own reference, and those in its `allOf`, merged into it. What is written at the place wins. */
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

/** Merges what two schemas say of one value. */
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
