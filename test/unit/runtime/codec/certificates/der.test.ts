/** DER: lengths, members and object identifiers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { members, oidOf, readAll, readDer, tags } from '../../../../../runtime/codec/certificates/der.js';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** Writes a value with a definite length. */
function write(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Uint8Array.from([tag, ...head, ...content]);
}

describe('readDer', () => {
  it('reads back a written value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (content) => {
        const value = readDer(write(0x04, content));
        expect(value?.tag).toBe(0x04);
        expect([...(value?.content ?? [])]).toEqual([...content]);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['a length beyond the end', '300501'],
    ['an indefinite length', '30800000'],
    ['a length that could be shorter', '308101ff'],
    ['a length with a leading zero', `30820080${'00'.repeat(128)}`],
    ['a length of more than four octets', '308501000000000'],
    ['a tag of several octets', '3f8101'],
  ])('refuses %s', (_what, hex) => {
    expect(readDer(bytes(hex))).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (any) => {
        readAll(any);
        oidOf(readDer(any));
      }),
    );
  });
});

describe('members', () => {
  it('lists the values in a sequence', () => {
    expect(members(readDer(bytes('3006020101020102')), tags.sequence)?.map(({ content }) => content[0])).toEqual([
      1, 2,
    ]);
  });

  it('refuses another tag, and a content with a remainder', () => {
    expect(members(readDer(bytes('3103020101')), tags.sequence)).toBeUndefined();
    expect(members(readDer(bytes('300402010102')), tags.sequence)).toBeUndefined();
  });
});

describe('oidOf', () => {
  it.each([
    ['0603550403', '2.5.4.3'],
    ['06092a864886f70d01010b', '1.2.840.113549.1.1.11'],
    ['06082a8648ce3d040302', '1.2.840.10045.4.3.2'],
    ['06032b6570', '1.3.101.112'],
    ['0602883703'.slice(0, 8), '2.999'],
    ['020101', ''],
  ])('reads %s as %s', (hex, text) => {
    expect(oidOf(readDer(bytes(hex)))).toBe(text);
  });
});
