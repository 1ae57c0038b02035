/** How one value of a type is written and read; shared by scalars and by messages with a JSON form of their own. */
import type { JsonValue } from '../../contract/index.js';
import type { ProtobufReader } from './reader.js';
import type { ProtobufWriter } from './writer.js';

export interface ValueCodec {
  /** 0 varint, 1 eight bytes, 2 length-delimited. */
  readonly wireType: 0 | 1 | 2;
  /** Whether the type can hold the value without loss. */
  readonly fits: (value: JsonValue) => boolean;
  /** Writes a field; only values that fit. */
  readonly write: (out: ProtobufWriter, field: number, value: JsonValue) => void;
  /**
   * Reads a field's value. `before` is what an earlier field of the same number held: messages are merged. Undefined
   * stands for no value at all, as an empty time does.
   */
  readonly read: (reader: ProtobufReader, depth: number, before?: JsonValue) => JsonValue | undefined;
  /** The value of a map's entry without one; also what many clients write for a field that is not set. */
  readonly zero: JsonValue | undefined;
  /** Writes a field that is always there and of which the object has no value; absent where `zero` says what. */
  readonly writeZero?: (out: ProtobufWriter, field: number) => void;
}

/** Messages within messages; beyond it a body is refused. */
export const maxDepth = 500;
