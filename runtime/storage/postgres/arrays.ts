/** Arrays in PostgreSQL's binary format. It sends bodies unchanged; the text format would double their size. */

type Element = 'text' | 'bytea' | 'bigint' | 'integer' | 'boolean';

/** The types of elements, by the numbers that every PostgreSQL gives them. */
const TYPES: Readonly<Record<Element, number>> = { boolean: 16, bytea: 17, bigint: 20, integer: 23, text: 25 };
const HEADER_BYTES = 20;
const NONE = -1;

export const texts = (values: readonly string[]): Buffer =>
  encode(
    'text',
    values.map((value) => Buffer.from(value)),
  );

export const bytes = (values: readonly (Uint8Array | undefined)[]): Buffer => encode('bytea', values);

export function bigints(values: readonly number[]): Buffer {
  return encode(
    'bigint',
    values.map((value) => {
      const element = Buffer.allocUnsafe(8);
      element.writeBigInt64BE(BigInt(value));
      return element;
    }),
  );
}

export function integers(values: readonly number[]): Buffer {
  return encode(
    'integer',
    values.map((value) => {
      const element = Buffer.allocUnsafe(4);
      element.writeInt32BE(value);
      return element;
    }),
  );
}

const [FALSE, TRUE] = [Buffer.of(0), Buffer.of(1)];

export const booleans = (values: readonly boolean[]): Buffer =>
  encode(
    'boolean',
    values.map((value) => (value ? TRUE : FALSE)),
  );

/** Encodes an array of one dimension; `undefined` is NULL. */
function encode(type: Element, elements: readonly (Uint8Array | undefined)[]): Buffer {
  const size = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(size);
  // An array without elements has no dimensions.
  array.writeInt32BE(elements.length === 0 ? 0 : 1, 0);
  array.writeInt32BE(elements.includes(undefined) ? 1 : 0, 4);
  array.writeInt32BE(TYPES[type], 8);
  array.writeInt32BE(elements.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const element of elements) {
    at = array.writeInt32BE(element?.length ?? NONE, at);
    if (element) array.set(element, at);
    at += element?.length ?? 0;
  }
  return elements.length === 0 ? array.subarray(0, 12) : array;
}
