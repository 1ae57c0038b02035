/** Reads protobuf fields in sequence, never past the end of the message. */
import { isUtf8 } from 'node:buffer';

/** The error for bytes that are not protobuf. The decoder of bodies catches it. */
export class ProtobufError extends Error {}

/** The length up to which V8 stores joined characters as one flat text. */
const shortText = 12;

export class ProtobufReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;
  /** The field number of the next value. */
  field = 0;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  wireType = 0;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
  }

  /** Whether the message is at its end. */
  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Moves to the next field. Returns false at the end of the message. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.varint();
    if (typeof tag === 'bigint' || tag > 0xffff_ffff) throw new ProtobufError('field number out of range');
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0) throw new ProtobufError('field number 0');
    return true;
  }

  /** Reads an unsigned number of at most 64 bits. Returns a bigint only if a number would not be exact. */
  varint(): number | bigint {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    return this.#wideVarint(value);
  }

  /** Reads groups eight to ten of a varint. The first seven, in `low`, hold 49 bits. */
  #wideVarint(low: number): number | bigint {
    let value = BigInt(low);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        const unsigned = BigInt.asUintN(64, value);
        return unsigned <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(unsigned) : unsigned;
      }
    }
    throw new ProtobufError('number longer than ten bytes');
  }

  /** Reads a signed number of 64 bits. Returns a bigint only if a number would not be exact. */
  int64(): number | bigint {
    const value = this.varint();
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const exact = signed >= BigInt(Number.MIN_SAFE_INTEGER) && signed <= BigInt(Number.MAX_SAFE_INTEGER);
    return exact ? Number(signed) : signed;
  }

  /** Reads a signed number of 32 bits. Drops higher bits, as protobuf requires. */
  int32(): number {
    const value = this.varint();
    return typeof value === 'number' && value <= 0x7fff_ffff ? value : Number(BigInt.asIntN(32, BigInt(value)));
  }

  bool(): boolean {
    const value = this.varint();
    return value !== 0;
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#take(4));
  }

  /** Returns a view of the bytes of a length-delimited field. */
  bytes(): Buffer {
    const length = this.#length();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  string(): string {
    const length = this.#length();
    const start = this.#take(length);
    const end = start + length;
    const short = length <= shortText ? this.#shortAscii(start, end) : undefined;
    if (short !== undefined) return short;
    let ascii = start;
    while (ascii < end && (this.#bytes[ascii] ?? 0x80) < 0x80) ascii++;
    if (ascii === end) return this.#bytes.toString('latin1', start, end);
    if (!isUtf8(this.#bytes.subarray(start, end))) throw new ProtobufError('string field contains invalid UTF-8');
    return this.#bytes.toString('utf8', start, end);
  }

  /**
   * Reads short ASCII without a call to the decoder, which saves a tenth of the time for a pod. Most texts are short
   * ASCII.
   */
  #shortAscii(start: number, end: number): string | undefined {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at] ?? 0x80;
      if (byte >= 0x80) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Makes a reader of the message in a length-delimited field. */
  message(): ProtobufReader {
    const length = this.#length();
    const start = this.#take(length);
    return new ProtobufReader(this.#bytes, start, start + length);
  }

  /** Skips the value of an unknown field. */
  skip(): void {
    if (this.wireType === 0) this.varint();
    else if (this.wireType === 1) this.#take(8);
    else if (this.wireType === 2) this.#take(this.#length());
    else if (this.wireType === 5) this.#take(4);
    else throw new ProtobufError(`wire type ${this.wireType} of field ${this.field} is not supported`);
  }

  /** Throws if the next value is not of the wire type. */
  expect(wireType: number): void {
    if (this.wireType === wireType) return;
    throw new ProtobufError(`wrong wire type ${this.wireType} for field ${this.field}, expected ${wireType}`);
  }

  #length(): number {
    const length = this.varint();
    if (typeof length === 'bigint') throw new ProtobufError('unexpected end of the message');
    return length;
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at++] : undefined;
    if (byte === undefined) throw new ProtobufError('unexpected end of the message');
    return byte;
  }

  /** Skips bytes and returns their start. */
  #take(length: number): number {
    if (length > this.#end - this.#at) throw new ProtobufError('unexpected end of the message');
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
