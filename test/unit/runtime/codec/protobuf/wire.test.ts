/** The reader reads everything that the writer writes, and both follow the wire format. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtobufError, ProtobufReader } from '../../../../../runtime/codec/protobuf/reader.js';
import { ProtobufWriter } from '../../../../../runtime/codec/protobuf/writer.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function written(write: (out: ProtobufWriter) => void, capacity?: number): Uint8Array {
  const out = new ProtobufWriter(capacity);
  write(out);
  return out.finish();
}

describe('ProtobufWriter', () => {
  it('writes the examples of the encoding guide', () => {
    expect(hex(written((out) => out.int(1, 150)))).toBe('089601');
    expect(hex(written((out) => out.string(2, 'testing')))).toBe('120774657374696e67');
    expect(hex(written((out) => out.message(3, () => out.int(1, 150))))).toBe('1a03089601');
    expect(hex(written((out) => out.int(1, -2)))).toBe('08feffffffffffffffff01');
  });

  it('puts the field that was written last first, and grows', () => {
    const bytes = written((out) => {
      out.string(2, 'b'.repeat(300));
      out.string(1, 'a'.repeat(300));
    }, 1);
    expect(hex(bytes)).toBe(`0aac02${'61'.repeat(300)}12ac02${'62'.repeat(300)}`);
  });

  it('writes field numbers that need two bytes', () => {
    expect(hex(written((out) => out.bool(16, true)))).toBe('800101');
  });
});

describe('ProtobufReader', () => {
  it('reads back every int64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const reader = new ProtobufReader(written((out) => out.int(7, value)));
        reader.next();
        const read = reader.int64();
        expect(BigInt(read)).toBe(value);
        expect(typeof read === 'bigint').toBe(!Number.isSafeInteger(Number(value)) || BigInt(Number(value)) !== value);
      }),
    );
  });

  it('reads back every int32, text and double', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: 'grapheme' }), fc.double(), (int, text, double) => {
        const bytes = written((out) => {
          out.double(3, double);
          out.string(2, text);
          out.int(1, int);
        });
        const reader = new ProtobufReader(bytes);
        expect([reader.next(), reader.field, reader.int32()]).toEqual([true, 1, int]);
        expect([reader.next(), reader.field, reader.string()]).toEqual([true, 2, text]);
        expect([reader.next(), reader.field, reader.double()]).toEqual([true, 3, double]);
        expect(reader.next()).toBe(false);
      }),
    );
  });

  it.each([
    ['an unfinished number', '0880'],
    ['a number of eleven bytes', '08ffffffffffffffffffff01'],
    ['a length beyond the end', '0a05616263'],
    ['a huge length', '0affffffffffffffff7f'],
    ['field number 0', '0001'],
    ['a group', '0b'],
    ['text that is not UTF-8', '0a02c328'],
  ])('refuses %s', (_name, bytes) => {
    const read = (): void => {
      const reader = new ProtobufReader(Buffer.from(bytes, 'hex'));
      while (reader.next()) {
        if (reader.wireType === 2) reader.string();
        else reader.skip();
      }
    };
    expect(read).toThrow(ProtobufError);
  });

  it('never reads on or hangs, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const reader = new ProtobufReader(bytes);
        try {
          while (reader.next()) reader.skip();
        } catch (problem) {
          expect(problem).toBeInstanceOf(ProtobufError);
        }
      }),
    );
  });
});
