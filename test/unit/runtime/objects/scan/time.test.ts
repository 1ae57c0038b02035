import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatTime,
  humanDuration,
  microTimeProblem,
  parseMicroTime,
  parseTime,
  timeMillis,
  timeProblem,
  timeSince,
} from '../../../../../runtime/objects/scan/time.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

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
  ])('%s is refused with a message', (text, problem) => {
    expect(timeProblem(text)).toBe(problem);
  });

  it('have the form of JavaScript, whatever their old form was', () => {
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

  it('are read back unchanged', () => {
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
});

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const year = 365 * day;

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * second, '119s'],
    [120 * second, '2m'],
    [121 * second, '2m1s'],
    [10 * minute - second, '9m59s'],
    [10 * minute + 30 * second, '10m'],
    [3 * hour - second, '179m'],
    [3 * hour, '3h'],
    [3 * hour + minute, '3h1m'],
    [8 * hour + minute, '8h'],
    [2 * day - second, '47h'],
    [2 * day, '2d'],
    [2 * day + 5 * hour, '2d5h'],
    [8 * day + 5 * hour, '8d'],
    [2 * year - second, '729d'],
    [2 * year, '2y'],
    [2 * year + 3 * day, '2y3d'],
    [8 * year + 3 * day, '8y'],
    [100 * year, '100y'],
  ])('shows %d ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });

  it('shows at most two units for any span', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 * year }), (milliseconds) => {
        expect(humanDuration(milliseconds)).toMatch(/^\d+[smhdy](\d+[smhd])?$/);
      }),
    );
  });
});

describe('timeSince', () => {
  it('counts from a time to now', () => {
    expect(timeSince('2024-01-01T00:00:00Z', Date.parse('2024-01-01T00:05:00Z'))).toBe('5m');
    expect(timeSince('2024-01-01T00:00:00.500000Z', Date.parse('2024-01-01T00:05:00Z'))).toBe('4m59s');
  });

  it('has no answer without a time', () => {
    for (const none of [undefined, null, '', 'yesterday', 5]) expect(timeSince(none, 0)).toBe('<unknown>');
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it.each([
    ['TestHumanDuration', 10],
    ['TestHumanDurationBoundaries', 30],
  ])('%s', (test, atLeast) => {
    const rows = tableRows('apimachinery_pkg_util_duration', test);
    for (const row of rows) {
      const { d, want } = Object(row.case);
      const nanoseconds = Number(Object(d).$int64 ?? d);
      expect([nanoseconds, humanDuration(nanoseconds / 1e6)]).toEqual([nanoseconds, want]);
    }
    expect(rows.length).toBeGreaterThanOrEqual(atLeast);
  });
});
