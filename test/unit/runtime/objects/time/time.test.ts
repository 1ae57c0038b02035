import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMicroTime,
  formatTime,
  microTimeProblem,
  parseMicroTime,
  parseTime,
  timeMillis,
  timeProblem,
} from '../../../../../runtime/objects/time/time.js';

describe('times', () => {
  it.each([
    ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06.999999999Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06,5Z', '2001-02-03T04:05:06Z'],
    ['2001-02-03T04:05:06+02:30', '2001-02-03T01:35:06Z'],
    ['2001-02-03T00:05:06-01:00', '2001-02-03T01:05:06Z'],
    ['2001-02-03T4:05:06Z', '2001-02-03T04:05:06Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00+00:01', undefined],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59Z'],
    ['2001-02-29T00:00:00Z', undefined],
    ['2001-13-01T00:00:00Z', undefined],
    ['2001-02-03T24:00:00Z', undefined],
    ['2001-02-03T23:59:60Z', undefined],
    ['2001-02-03 04:05:06Z', undefined],
    ['2001-02-03t04:05:06z', undefined],
    ['2001-02-03T04:05:06', undefined],
    ['2001-02-03T04:05:06Zx', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ])('%s is stored as %s', (text, stored) => {
    expect(parseTime(text)).toBe(stored);
  });

  it.each([
    ['yesterday', 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
    ['2001-2-3', 'parsing time "2001-2-3" as "2006-01-02T15:04:05Z07:00": cannot parse "2-3" as "01"'],
    [
      '2001-02-03T04:05:06',
      'parsing time "2001-02-03T04:05:06" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ['2001-13-01T00:00:00Z', 'parsing time "2001-13-01T00:00:00Z": month out of range'],
    ['2001-02-29T00:00:00Z', 'parsing time "2001-02-29T00:00:00Z": day out of range'],
    ['2001-02-03T04:05:06Zx', 'parsing time "2001-02-03T04:05:06Zx": extra text: "x"'],
    ['0000-01-01T00:00:00+00:01', 'parsing time "0000-01-01T00:00:00+00:01": year outside of range [0,9999]'],
  ])('%s is refused with words', (text, problem) => {
    expect(timeProblem(text)).toBe(problem);
  });

  it('are written as JavaScript writes them, whatever was written before', () => {
    const seconds = fc.integer({ min: -62167219200, max: 253402300799 });
    fc.assert(
      fc.property(seconds, fc.integer({ min: -100_000, max: 100_000 }), (first, later) => {
        for (const second of [first, Math.max(-62167219200, Math.min(253402300799, first + later))]) {
          expect(formatTime(second * 1000)).toBe(`${new Date(second * 1000).toISOString().slice(0, 19)}Z`);
        }
      }),
    );
  });

  it('are written in UTC with whole seconds', () => {
    expect(formatTime(981173106999)).toBe('2001-02-03T04:05:06Z');
    expect(formatTime(-1)).toBe('1969-12-31T23:59:59Z');
    expect(timeMillis('2001-02-03T04:05:06.789Z')).toBe(981173106789);
    expect(timeMillis('x')).toBeUndefined();
  });

  it('read back what they write', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62167219200, max: 253402300799 }), (seconds) => {
        const text = formatTime(seconds * 1000);
        expect(parseTime(text)).toBe(text);
        expect(timeMillis(text)).toBe(seconds * 1000);
      }),
    );
  });
});

describe('times with microseconds', () => {
  it('have exactly six digits', () => {
    expect(parseMicroTime('2001-02-03T04:05:06.123456+01:00')).toBe('2001-02-03T03:05:06.123456Z');
    expect(parseMicroTime('2001-02-03T04:05:06Z')).toBeUndefined();
    expect(microTimeProblem('2001-02-03T04:05:06Z')).toBe(
      'parsing time "2001-02-03T04:05:06Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    );
    expect(microTimeProblem('2001-02-03T04:05:06.1234567Z')).toContain('cannot parse "7Z" as "Z07:00"');
  });

  it('are written from milliseconds', () => {
    expect(formatMicroTime(981173106789)).toBe('2001-02-03T04:05:06.789000Z');
    expect(formatMicroTime(981173106000.25)).toBe('2001-02-03T04:05:06.000250Z');
  });
});
