/** A small reader of DER, the encoding of certificates and certificate requests (X.690). */

/** One value with its tag. A value with parts is read part by part. */
export interface DerNode {
  readonly tag: number;
  /** The bytes of the value. */
  readonly bytes: Uint8Array;
  readonly parts: readonly DerNode[];
}

export const tags = { integer: 2, bits: 3, octets: 4, oid: 6, sequence: 0x30, set: 0x31 } as const;

/** Reads one value. Throws a TypeError if the bytes are not DER. */
export function readDer(bytes: Uint8Array): DerNode {
  const [node, end] = readAt(bytes, 0, 0);
  if (end !== bytes.length) throw new TypeError('there are bytes after the value');
  return node;
}

/** Values are nested at most this deep, so that hostile bytes cannot exhaust the stack. */
const deepest = 30;

function readAt(bytes: Uint8Array, start: number, depth: number): [node: DerNode, end: number] {
  const tag = bytes[start];
  const [length, from] = readLength(bytes, start + 1);
  if (tag === undefined || from + length > bytes.length) throw new TypeError('a value ends too early');
  if (depth > deepest) throw new TypeError('the values are nested too deep');
  const end = from + length;
  const parts: DerNode[] = [];
  // The sixth bit is set if a value has parts.
  if ((tag & 0x20) !== 0)
    for (let at = from; at < end; ) {
      const [part, next] = readAt(bytes.subarray(0, end), at, depth + 1);
      parts.push(part);
      at = next;
    }
  return [{ tag, bytes: bytes.subarray(from, end), parts }, end];
}

function readLength(bytes: Uint8Array, at: number): [length: number, from: number] {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, at + 1];
  const size = first & 0x7f;
  if (size === 0 || size > 4) throw new TypeError('a length is not valid');
  let length = 0;
  for (let i = 1; i <= size; i++) length = length * 256 + (bytes[at + i] ?? 0);
  return [length, at + 1 + size];
}

/** Returns an object identifier with dots, as in `2.5.4.3`. */
export function oidOf({ bytes }: DerNode): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

export const textOf = ({ bytes }: DerNode): string => new TextDecoder().decode(bytes);
