import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSegment, SegmentEncoder, type SegmentRecord } from '../../../../../runtime/storage/backends/segment.js';
import { checkpointAt, deletion, describeRecord, record } from '../../../../support/backend-suite.js';

const header = { checkpoint: checkpointAt(7, 3), first: 2 };
const records = [record('g/a/1', 5, '{"first":1}'), deletion('g/a/ü𝄞', 6, ''), record('g/b/2', 7, '{"third":3}')];

function encode(these: readonly SegmentRecord[] = records): Buffer {
  return Buffer.from(new SegmentEncoder().encode(these, header));
}

function flipped(segment: Buffer, at: number): Buffer {
  const copy = Buffer.from(segment);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
}

describe('a segment', () => {
  it('is read back unchanged', () => {
    const decoded = decodeSegment(encode());
    expect(decoded.header).toEqual(header);
    expect(decoded.records.map(describeRecord)).toEqual(records.map(describeRecord));
    expect(decoded.records.some(({ lost }) => lost)).toBe(false);
  });

  it('may have a record without a body', () => {
    const bytes = new Uint8Array(0);
    // From here on the array has a buffer of its own, and that has no memory.
    expect(bytes.buffer.byteLength).toBe(0);
    expect(decodeSegment(encode([{ ...record('g/a/1', 5, ''), bytes }])).records).toEqual([
      { key: 'g/a/1', revision: 5, replaces: 0, deleted: false, bytes: Buffer.alloc(0) },
    ]);
  });

  it('may be empty', () => {
    expect(decodeSegment(encode([]))).toEqual({ header, records: [] });
  });

  it('names the record with a damaged body, and keeps the others', () => {
    const segment = encode();
    const { header: found, records: decoded } = decodeSegment(flipped(segment, segment.indexOf('third')));
    expect(found).toEqual(header);
    expect(decoded.map(({ key, lost = false }) => ({ key, lost }))).toEqual([
      { key: 'g/a/1', lost: false },
      { key: 'g/a/ü𝄞', lost: false },
      { key: 'g/b/2', lost: true },
    ]);
  });

  it('saves whole records after a damaged header', () => {
    const segment = encode();
    const { header: found, records: decoded } = decodeSegment(flipped(segment, segment.indexOf('g/a/1')));
    expect(found).toBeUndefined();
    expect(decoded.map(({ key, revision, lost = false }) => ({ key, revision, lost }))).toEqual([
      { key: '', revision: 5, lost: true },
      { key: 'g/a/ü𝄞', revision: 6, lost: false },
      { key: 'g/b/2', revision: 7, lost: false },
    ]);
  });

  it('is one lost record if records cannot be separated', () => {
    const segment = encode();
    for (const broken of [segment.subarray(0, 10), segment.subarray(0, 170), flipped(segment, 0), Buffer.alloc(4096)]) {
      const { header: found, records: decoded } = decodeSegment(broken);
      expect(found).toBeUndefined();
      expect(decoded).toMatchObject([{ key: '', revision: 0, lost: true }]);
    }
  });

  it('names the records that were cut off with its end', () => {
    const segment = encode();
    for (const missing of [1, 11]) {
      const { header: found, records: decoded } = decodeSegment(segment.subarray(0, segment.length - missing));
      expect(found).toEqual(header);
      expect(decoded.map(({ key, revision, lost = false }) => ({ key, revision, lost }))).toEqual([
        { key: 'g/a/1', revision: 5, lost: false },
        { key: 'g/a/ü𝄞', revision: 6, lost: false },
        { key: 'g/b/2', revision: 7, lost: true },
      ]);
    }
  });

  it('has its own lengths, whatever follows it', () => {
    const { header: found, records: decoded } = decodeSegment(Buffer.concat([encode(), Buffer.from('more')]));
    expect(found).toEqual(header);
    expect(decoded.map(describeRecord)).toEqual(records.map(describeRecord));
  });

  it('remembers lost records', () => {
    const lost = { ...record('g/a/1', 5, 'what was found'), lost: true };
    expect(decodeSegment(encode([lost])).records).toMatchObject([{ key: 'g/a/1', revision: 5, lost: true }]);
  });

  it('reports a change of any byte', () => {
    const segment = encode();
    const wanted = records.map(describeRecord);
    fc.assert(
      fc.property(fc.nat(segment.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const broken = Buffer.from(segment);
        broken.writeUInt8(broken.readUInt8(at) ^ mask, at);
        const { header: found, records: decoded } = decodeSegment(broken);
        const sound = decoded.filter(({ lost }) => !lost).map(describeRecord);
        expect(wanted).toEqual(expect.arrayContaining(sound));
        expect(found === undefined || sound.length < wanted.length).toBe(true);
        if (found) expect(found).toEqual(header);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts any bytes without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, withMagic) => {
        const broken = Buffer.from(bytes);
        if (withMagic) encode().copy(broken, 0, 0, 4);
        for (const { bytes: body } of decodeSegment(broken).records) expect(body.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});
