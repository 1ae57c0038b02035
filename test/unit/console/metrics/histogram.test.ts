/** Quantiles of histograms. */
import { describe, expect, it } from 'vitest';
import { between, casesOf, histogramsOf, quantile } from '../../../../packages/console/src/metrics/histogram.js';
import { parseMetrics } from '../../../../packages/console/src/metrics/parse.js';

const all = Number.POSITIVE_INFINITY;

describe('a quantile', () => {
  it('is within its bucket, and the largest bound if it is beyond all', () => {
    const even = new Map([
      [0.1, 50],
      [0.2, 100],
      [all, 100],
    ]);
    expect(quantile(even, 0.75)).toBeCloseTo(0.15);
    const slow = new Map([
      [0.1, 10],
      [all, 100],
    ]);
    expect(quantile(slow, 0.99)).toBe(0.1);
  });

  it('is unknown without cases', () => {
    expect(quantile(new Map(), 0.5)).toBeUndefined();
    expect(quantile(new Map([[all, 0]]), 0.5)).toBeUndefined();
  });
});

describe('histograms', () => {
  it('add up the samples of a key, and leave out those without one', () => {
    const text =
      'a_bucket{x="1",y="1",le="2"} 3\na_bucket{x="1",y="2",le="2"} 4\na_bucket{le="2"} 9\na_bucket{x="1",le="+Inf"} 8';
    const found = histogramsOf(parseMetrics(text, new Set(['a_bucket'])), 'a', ({ labels }) => labels.x);
    expect([...found].map(([key, histogram]) => [key, [...histogram]])).toEqual([
      [
        '1',
        [
          [2, 7],
          [all, 8],
        ],
      ],
    ]);
  });

  it('differ by the cases that only one of them has', () => {
    expect(casesOf(between(undefined, new Map([[all, 5]])))).toBe(5);
    expect(casesOf(between(new Map([[all, 3]]), new Map([[all, 5]])))).toBe(2);
  });
});
