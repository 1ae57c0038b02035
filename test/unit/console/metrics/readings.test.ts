/** The values of the home page, from two readings of the metrics. */
import { describe, expect, it } from 'vitest';
import { bytesText, countText, secondsText } from '../../../../packages/console/src/metrics/amounts.js';
import { parseMetrics } from '../../../../packages/console/src/metrics/parse.js';
import {
  isRestart,
  lookOf,
  pointOf,
  verbRows,
  wantedMetrics,
} from '../../../../packages/console/src/metrics/readings.js';

const look = (at: number, ...lines: readonly string[]) => lookOf(at, parseMetrics(lines.join('\n'), wantedMetrics));
const total = (verb: string, code: string, count: number): string =>
  `apiserver_request_total{verb="${verb}",code="${code}"} ${count}`;
const buckets = (verb: string, one: number, two: number): readonly string[] =>
  [`le="0.1"} ${one}`, `le="1"} ${two}`, `le="+Inf"} ${two}`].map(
    (rest) => `apiserver_request_duration_seconds_bucket{verb="${verb}",${rest}`,
  );

describe('a point between two readings', () => {
  it('has the rates of requests by class of code, without watches', () => {
    const before = look(0, total('GET', '200', 10), total('WATCH', '200', 5));
    const now = look(2_000, total('GET', '200', 16), total('GET', '503', 2), total('WATCH', '200', 99));
    expect(pointOf(before, now)).toMatchObject({ at: 2, memory: undefined, changes: undefined });
    expect([...pointOf(before, now).requests]).toEqual([
      ['2', 3],
      ['5', 1],
    ]);
  });

  it('has quantiles by verb, and of all verbs, of the requests between the readings only', () => {
    const before = look(0, ...buckets('GET', 1_000, 1_000), ...buckets('POST', 7, 7), ...buckets('WATCH', 0, 9));
    const now = look(1_000, ...buckets('GET', 1_000, 1_100), ...buckets('POST', 7, 7), ...buckets('WATCH', 0, 99));
    const { latency } = pointOf(before, now);
    expect(latency.get('GET')?.p50).toBeCloseTo(0.55, 2);
    expect(latency.get('')?.p90).toBeCloseTo(0.91, 2);
    expect(latency.get('POST')).toEqual({ p50: undefined, p90: undefined, p99: undefined });
    expect(latency.has('WATCH')).toBe(false);
  });

  it('counts open watches, and changes of the store or of etcd', () => {
    const lines = (count: number): readonly string[] => [
      `apiserver_longrunning_requests{verb="WATCH",resource="pods"} 3`,
      `apiserver_longrunning_requests{verb="CONNECT",resource="pods"} 1`,
      `etcd_request_duration_seconds_bucket{operation="create",le="+Inf"} ${count}`,
      `etcd_request_duration_seconds_bucket{operation="list",le="+Inf"} ${count * 9}`,
    ];
    expect(pointOf(look(0, ...lines(1)), look(1_000, ...lines(5)))).toMatchObject({ watches: 3, changes: 4 });
    const own = (count: number): string => `kindforge_storage_committed_changes_total ${count}`;
    expect(pointOf(look(0, own(1)), look(1_000, own(3))).changes).toBe(2);
  });
});

describe('a server that has restarted', () => {
  const cpu = 'process_cpu_seconds_total';
  const before = look(
    0,
    total('GET', '200', 900),
    `${cpu} 100`,
    'process_start_time_seconds 5',
    ...buckets('GET', 5, 5),
  );

  it.each([
    ['by its start', [total('GET', '200', 5_000), `${cpu} 200`, 'process_start_time_seconds 6']],
    ['by its requests', [total('GET', '200', 3), `${cpu} 200`]],
    ['by its processor time', [total('GET', '200', 5_000), `${cpu} 3`]],
  ])('is recognized %s, and draws no spike', (_, lines) => {
    const now = look(60_000, ...lines, 'process_resident_memory_bytes 7', ...buckets('GET', 50, 50));
    const point = pointOf(before, now);
    expect(isRestart(before, now)).toBe(true);
    expect(point).toMatchObject({ cpu: undefined, memory: 7 });
    expect([point.requests.size, point.latency.size]).toEqual([0, 0]);
  });

  it('is not recognized if counters continue', () => {
    const now = look(1_000, total('GET', '200', 901), `${cpu} 101`, 'process_start_time_seconds 5');
    expect(isRestart(before, now)).toBe(false);
    expect(pointOf(before, now).cpu).toBe(1);
  });
});

describe('verbs', () => {
  it('have their rates and quantiles, the most used one first, and unused ones are left out', () => {
    const before = look(0, ...buckets('GET', 0, 0), ...buckets('LIST', 0, 0), ...buckets('PUT', 4, 4));
    const now = look(10_000, ...buckets('GET', 0, 5), ...buckets('LIST', 20, 20), ...buckets('PUT', 4, 4));
    const rows = verbRows(before, now);
    expect(rows.map(({ verb, perSecond }) => [verb, perSecond])).toEqual([
      ['LIST', 2],
      ['GET', 0.5],
    ]);
    expect(rows[1]?.p50).toBeCloseTo(0.55);
  });
});

describe('amounts', () => {
  it('are written for people', () => {
    expect([0, 1_023, 1_536, 5 * 2 ** 30].map(bytesText)).toEqual(['0 B', '1023 B', '1.5 KiB', '5 GiB']);
    expect([0, 0.000_25, 0.003_21, 1.5].map(secondsText)).toEqual(['0 ms', '250 µs', '3.21 ms', '1.5 s']);
    expect(countText(1_234_567)).toBe('1,234,567');
  });
});
