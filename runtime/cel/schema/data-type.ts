/** How decoded JSON is read as values of the language. */

import type { Schema } from '../../contract/index.js';
import { dyn, optional, type Type } from '../check/types.js';

/** The CEL type that a JSON value is read as. */
export type Shape =
  | 'text'
  | 'int'
  | 'double'
  | 'bool'
  | 'bytes'
  | 'date'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'object'
  /** The type in `values`, or absent. */
  | 'optional'
  /** Any type, chosen by the value: an integer, a text, a list, a map … */
  | 'dyn';

/** How to read one place in a schema, with its bounds for the estimate of costs. */
export interface DataType {
  readonly shape: Shape;
  readonly type: Type;
  readonly nullable: boolean;
  /** The most code points, bytes, items or entries; absent if the schema does not bound them. */
  readonly maxSize?: number;
  readonly minSize?: number;
  readonly items?: DataType;
  readonly values?: DataType;
  /** Fields by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, DataField>;
  readonly listType?: 'set' | 'map';
  /** For lists of type `map`: names in JSON of the fields that identify items. */
  readonly keys?: readonly string[];
}

export interface DataField {
  /** The name of the property in JSON. */
  readonly property: string;
  readonly data: DataType;
}

/** Makes data optional. Expressions see an optional value. */
export const optionalData = (data: DataType): DataType => ({
  shape: 'optional',
  type: optional(data.type),
  nullable: false,
  values: data,
});

/** JSON that no schema describes. */
export const dynamicData: DataType = { shape: 'dyn', type: dyn, nullable: true };

/** The largest request, in bytes. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** The fewest bytes that a value takes in JSON. */
export const minBytes = { text: 2, bool: 4, number: 1, duration: 3, date: 12, timestamp: 21, list: 2, map: 2 } as const;

const maxDurationBytes = 32;
const maxTimestampBytes = 32;

/**
 * Returns the length of the longest text in bytes. A bound counts code points of up to four bytes. Without a bound, the
 * limit is the longest value of an enum if enums count, otherwise the size of a request.
 */
export function maxTextSize(schema: Schema, enumsCount: boolean): number {
  switch (schema.format) {
    case 'duration':
      return maxDurationBytes;
    case 'date':
      return minBytes.date;
    case 'date-time':
    case 'datetime':
      return maxTimestampBytes;
    case 'byte':
      return Number(schema.maxLength ?? maxRequestBytes - 2);
    default:
      if (schema.maxLength !== undefined) return Number(schema.maxLength) * 4;
      return enumsCount ? longestOf(schema) : maxRequestBytes - 2;
  }
}

function longestOf({ enum: values }: Schema): number {
  if (values === undefined || values.length === 0) return maxRequestBytes - 2;
  return Math.max(...values.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0)));
}

/** Returns the most items of a list, if each takes at least `itemBytes` and a comma. */
export function maxItemCount(itemBytes: number): number {
  return Math.floor((maxRequestBytes - 2) / (itemBytes + 1));
}

/** Returns the most entries of a map. Each also takes the quotes of the key, a colon and a comma. */
export function maxEntryCount(valueBytes: number): number {
  return Math.floor((maxRequestBytes - 2) / (valueBytes + 6));
}
