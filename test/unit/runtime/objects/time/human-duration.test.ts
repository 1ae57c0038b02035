/** Spans of time in tables. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { humanDuration, timeSince } from '../../../../../runtime/objects/time/human-duration.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

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

  it('does not know the time since no time', () => {
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
