/** How values of typed kinds are read, and the zeros for absent values. */
import type { Schema } from '../../contract/index.js';

/**
 * How to read a value. `any` accepts every value; `object` accepts an object without reading its fields. `texts` is a
 * map of texts. `again` is an object of the enclosing type; `either` is such an object, a list of them, or any other
 * value.
 */
export type Reading =
  | 'any'
  | 'text'
  | 'struct'
  | 'list'
  | 'texts'
  | 'map'
  | 'object'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'int-or-string'
  | 'time'
  | 'micro-time'
  | 'bytes'
  | 'quantity'
  | 'again'
  | 'either';

/** Formats of texts that have a stored form of their own. */
const textReadings: ReadonlyMap<string | undefined, Reading> = new Map<string, Reading>([
  ['date-time', 'time'],
  ['byte', 'bytes'],
  ['quantity', 'quantity'],
]);

/** Returns how to read values of a schema. With `isAgain`, they are objects of an enclosing type. */
export function readingOf(schema: Schema, isAgain: boolean): Reading {
  if (isAgain) return schema['x-kindforge-or'] === undefined ? 'again' : 'either';
  const { type, format } = schema;
  if (type === 'array') return 'list';
  if (type === 'object') return objectReading(schema);
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  switch (type) {
    case 'string':
      if (schema['x-kindforge-time'] === 'micros') return 'micro-time';
      return textReadings.get(format) ?? 'text';
    case 'integer':
      return format === 'int32' ? 'int32' : 'int64';
    case undefined:
      return 'any';
    default:
      return type;
  }
}

function objectReading(schema: Schema): Reading {
  const { additionalProperties: values, properties = {} } = schema;
  // A part that keeps unknown fields accepts any value, not only objects.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return 'any';
  if (typeof values === 'object') return readingOf(values, false) === 'text' ? 'texts' : 'map';
  return Object.keys(properties).length > 0 ? 'struct' : 'object';
}

/** Returns the zero of a scalar. */
export function scalarZero({ type, format }: Schema): string | number | boolean | undefined {
  switch (type) {
    case 'string':
      return format === 'quantity' ? '0' : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return undefined;
  }
}

/** Returns the stored zero of a scalar field; `undefined` for times and bytes, for which null is stored. */
export function zeroOf(schema: Schema): string | number | boolean | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 0;
  const { type, format } = schema;
  return type === 'string' && (format === 'date-time' || format === 'byte') ? undefined : scalarZero(schema);
}

/** Returns the value that replaces null in a list or a map: the zero of the type, or `undefined` if it stays null. */
export function zeroElement(schema: Schema): string | number | boolean | [] | Record<string, never> | undefined {
  const { type, format } = schema;
  if (type === 'array') return [];
  if (type === 'object') return {};
  return type === 'string' && format === 'byte' ? '' : zeroOf(schema);
}
