/** Scalars: text, bytes, numbers, truth values, and values of any shape as bytes of JSON. */
import type { JsonValue } from '../../contract/index.js';
import { decodeJson, encodeJson } from '../json.js';
import { ProtobufError, type ProtobufReader } from './reader.js';
import type { ProtobufWriter } from './writer.js';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Text. Decoding has already replaced characters that UTF-8 cannot encode. */
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

/** Returns whether the unused bits before padding are zeros; others would be lost. */
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
  // Negative zero would become another number on the way.
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

/** By the names that types have in `ProtobufField`. */
export const scalars: ReadonlyMap<string, ValueCodec> = new Map([
  ['string', text],
  ['bytes', bytes],
  ['bool', bool],
  ['int32', integer(32)],
  ['int64', integer(64)],
  ['double', double],
  ['json', json],
]);

// How one value of a type is written and read; shared by scalars and by messages with a JSON form of their own.

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
  /** The value of a map entry that has none on the wire. Many clients also write it for a field that is not set. */
  readonly zero: JsonValue | undefined;
  /** Writes a field that is always present if the object has no value for it; by default it writes `zero`. */
  readonly writeZero?: (out: ProtobufWriter, field: number) => void;
}

/** Messages within messages; beyond it a body is refused. */
export const maxDepth = 500;
