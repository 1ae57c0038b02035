/** How decoded JSON is read as values of the language. */
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
  /** The type in `values`, or nothing. */
  | 'optional'
  /** By what it is: an integer, a text, a list, a map … */
  | 'dyn';

/** The reading of one place in a schema, with its bounds for the estimate of costs. */
export interface DataType {
  readonly shape: Shape;
  readonly type: Type;
  readonly nullable: boolean;
  /** Most code points, bytes, items or entries; absent where the schema does not bound them. */
  readonly maxSize?: number;
  readonly minSize?: number;
  readonly items?: DataType;
  readonly values?: DataType;
  /** Fields by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, DataField>;
  readonly listType?: 'set' | 'map';
  /** Of lists of type `map`: JSON names of the fields that tell items apart. */
  readonly keys?: readonly string[];
}

export interface DataField {
  /** The name of the property in JSON. */
  readonly property: string;
  readonly data: DataType;
}

/** Data that may be absent: expressions see an optional value. */
export const optionalData = (data: DataType): DataType => ({
  shape: 'optional',
  type: optional(data.type),
  nullable: false,
  values: data,
});

/** JSON that no schema describes. */
export const dynamicData: DataType = { shape: 'dyn', type: dyn, nullable: true };
