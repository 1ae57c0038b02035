/**
 * Reads DER (ITU-T X.690), as far as certificate requests need it. Libraries for them verify asynchronously, but
 * handlers of kinds cannot wait. Loading such a library also takes a third of the server's start-up time.
 */

/** One value: its tag, its content, and the bytes of both. Both share the memory that they were read from. */
export interface DerValue {
  /** The identifier octet, as in 0x30 for a sequence. */
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** Tags of the universal types in use, and the first context-specific tag. */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const;

/** Reads the value at an offset. Returns `undefined` if there is none. Lengths must be definite and minimal. */
export function readDer(bytes: Uint8Array, offset = 0): DerValue | undefined {
  const tag = bytes[offset];
  const length = readLength(bytes, offset + 1);
  // Certificates and requests do not use tags of several octets.
  if (tag === undefined || (tag & 0x1f) === 0x1f || length === undefined) return undefined;
  const end = length.next + length.value;
  if (end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(length.next, end), whole: bytes.subarray(offset, end) };
}

function readLength(bytes: Uint8Array, offset: number): { readonly value: number; readonly next: number } | undefined {
  const first = bytes[offset];
  if (first === undefined || first === 0x80) return undefined;
  if (first < 0x80) return { value: first, next: offset + 1 };
  const octets = first & 0x7f;
  if (octets > 4 || offset + octets >= bytes.length) return undefined;
  let value = 0;
  for (let i = 1; i <= octets; i++) value = value * 256 + (bytes[offset + i] ?? 0);
  const minimal = value >= 0x80 && bytes[offset + 1] !== 0;
  return minimal ? { value, next: offset + 1 + octets } : undefined;
}

/**
 * Returns the values in a content, or `undefined` if it does not consist of whole values. Takes time linear in its
 * length.
 */
export function readAll(content: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let offset = 0; offset < content.length; ) {
    const value = readDer(content, offset);
    if (!value) return undefined;
    values.push(value);
    offset += value.whole.length;
  }
  return values;
}

/** Returns the members of a sequence or set, or `undefined` if the value has another tag or is broken. */
export function members(value: DerValue | undefined, tag: number): readonly DerValue[] | undefined {
  return value?.tag === tag ? readAll(value.content) : undefined;
}

/** Returns an object identifier as text, such as `2.5.4.3`. Returns an empty text for other values. */
export function oidOf(value: DerValue | undefined): string {
  if (value?.tag !== tags.oid || value.content.length === 0) return '';
  const numbers: number[] = [];
  let number = 0;
  for (const octet of value.content) {
    number = number * 128 + (octet & 0x7f);
    if ((octet & 0x80) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - top * 40, ...rest].join('.');
}
