import { expect, it } from 'vitest';
import { CopiedRows, type Row, toNumber } from '../../../../../runtime/storage/postgres/copied-rows.js';

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const field = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes]);

/** Two rows in the format of PostgreSQL: a number and a text, and a number and NULL. */
const copied = Buffer.concat([
  Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'),
  ...[int32(0), int32(0)],
  ...[Buffer.of(0, 2), field(int64(2n ** 40n + 5n)), field(Buffer.from('ä'))],
  ...[Buffer.of(0, 2), field(int64(7n)), int32(-1)],
  Buffer.of(0xff, 0xff),
]);

it('finds the same rows wherever the bytes are cut', () => {
  for (let size = 1; size <= copied.length; size++) {
    const rows = new CopiedRows();
    const found: Row[] = [];
    for (let at = 0; at < copied.length; at += size) found.push(...rows.take(copied.subarray(at, at + size)));
    expect(found.map(([number, text]) => [toNumber(number), text?.toString()])).toEqual([
      [2 ** 40 + 5, 'ä'],
      [7, undefined],
    ]);
  }
});

it('keeps rows when the chunk that they came in is used again', () => {
  const chunk = Buffer.from(copied);
  const [row] = new CopiedRows().take(chunk);
  chunk.fill(0);
  expect(row?.[1]?.toString()).toBe('ä');
});

it('refuses bytes that are not a copy', () => {
  expect(() => new CopiedRows().take(Buffer.alloc(30))).toThrow('has not sent rows');
});
