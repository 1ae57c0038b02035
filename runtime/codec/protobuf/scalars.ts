/** Scalars: text, bytes, numbers, booleans, and values of any shape as bytes of JSON. */
import type { JsonValue } from '../../contract/index.js';
import { decodeJson, encodeJson } from '../json.js';
import { ProtobufError, type ProtobufReader } from './reader.js';
import type { ProtobufWriter } from './writer.js';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Text. The decoder of bodies has already replaced characters that UTF-8 cannot encode. */
export const text: ValueCodec = {
  wireType: 2,
  fits: (value) => typeof value === 'string',
  write: (out, field, value) => out.string(field, String(value)),
  read: (reader) => reader.string(),
  zero: '',
};

const bytes: ValueCodec = {
  wireType: 2,
  fits: (value) => typeof value === 'string' && value.length % 4 === 0 && base64.test(value) && endsClean(value),
  write: (out, field, value) => out.bytes(field, Buffer.from(String(value), 'base64')),
  read: (reader) => reader.bytes().toString('base64'),
  zero: '',
};

/** Returns whether the unused bits before the padding are zeros. Other bits would be lost. */
function endsClean(value: string): boolean {
  if (!value.endsWith('=')) return true;
  const tail = value.slice(-4);
  return Buffer.from(tail, 'base64').toString('base64') === tail;
}

const bool: ValueCodec = {
  wireType: 0,
  fits: (value) => typeof value === 'boolean',
  write: (out, field, value) => out.bool(field, value === true),
  read: (reader) => reader.bool(),
  zero: false,
};

function integer(bits: 32 | 64): ValueCodec {
  const limit = 2 ** (bits - 1);
  const wideLimit = 2n ** BigInt(bits - 1);
  // Excludes negative zero, which the wire cannot express.
  const fitsNumber = (value: number): boolean =>
    Number.isSafeInteger(value) && value >= -limit && value < limit && !Object.is(value, -0);
  return {
    wireType: 0,
    fits: (value) =>
      typeof value === 'bigint'
        ? value >= -wideLimit && value < wideLimit
        : typeof value === 'number' && fitsNumber(value),
    write: (out, field, value) => out.int(field, typeof value === 'bigint' ? value : Number(value)),
    read: (reader) => (bits === 32 ? reader.int32() : reader.int64()),
    zero: 0,
  };
}

const double: ValueCodec = {
  wireType: 1,
  fits: (value) => typeof value === 'number',
  write: (out, field, value) => out.double(field, Number(value)),
  read: (reader) => {
    const value = reader.double();
    if (!Number.isFinite(value)) throw new ProtobufError(`JSON cannot hold the number ${value}`);
    return value;
  },
  zero: 0,
};

/** A value as bytes of JSON. */
export const json: ValueCodec = {
  wireType: 2,
  fits: () => true,
  write: (out, field, value) => out.bytes(field, Buffer.from(encodeJson(value))),
  read: (reader) => readJson(reader.bytes()),
  zero: null,
};

/** Decodes JSON within a message. Invalid JSON makes the whole body unreadable. */
export function readJson(encoded: Uint8Array): JsonValue {
  const decoded = decodeJson(encoded);
  if (!decoded.ok) throw new ProtobufError(decoded.problem);
  return decoded.value;
}

/** The codecs by the names of types in `ProtobufField`. */
export const scalars: ReadonlyMap<string, ValueCodec> = new Map([
  ['string', text],
  ['bytes', bytes],
  ['bool', bool],
  ['int32', integer(32)],
  ['int64', integer(64)],
  ['double', double],
  ['json', json],
]);

// Writes and reads values of one type: scalars, and messages with a JSON form of their own.

export interface ValueCodec {
  /** 0 varint, 1 eight bytes, 2 length-delimited. */
  readonly wireType: 0 | 1 | 2;
  /** Whether the type can hold the value without loss. */
  readonly fits: (value: JsonValue) => boolean;
  /** Writes a field. The value must fit. */
  readonly write: (out: ProtobufWriter, field: number, value: JsonValue) => void;
  /**
   * Reads a field's value. `before` is the value of an earlier field with the same number, to merge messages. Returns
   * `undefined` for no value, such as an empty time.
   */
  readonly read: (reader: ProtobufReader, depth: number, before?: JsonValue) => JsonValue | undefined;
  /** The value of a map entry without a value on the wire. Many clients also write it for an unset field. */
  readonly zero: JsonValue | undefined;
  /** Writes a field that must be present but has no value in the object; by default writes `zero`. */
  readonly writeZero?: (out: ProtobufWriter, field: number) => void;
}

/** The most levels of messages inside messages. */
export const maxDepth = 500;
